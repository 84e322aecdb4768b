/* SPDX-License-Identifier: MIT */
/* check.h: what a schema may not do, as far as it can be seen in the finished model. */
#ifndef CWG_CHECK_H
#define CWG_CHECK_H

#include "diag.h"
#include "model.h"

/*
 * Field numbers used once, names used once, numbers outside of extension and reserved ranges, JSON
 * names that tell the fields of a message apart and are not too long (where JSON is made). False:
 * d->error names file, message and reason.
 */
bool cwg_check_model(const cwg_model *model, bool json, cwg_diag *d);

#endif
