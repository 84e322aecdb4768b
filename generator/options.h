/* SPDX-License-Identifier: MIT */
/*
 * options.h: --cwire_opt, a list of NAME or NAME=VALUE separated by commas, taken strictly.
 *
 *   json=on|off          make base.cw_json.c (default on)
 *   text=on|off          make base.cw_text.c (default off)
 *   prefix=NAME          every C name of the .proto begins with NAME_ (not the well-known types)
 *   strip_package        C names without the package (not the well-known types)
 *   optimize=speed|size  code for each message, or calls of shared code with its table (default
 *                        speed)
 */
#ifndef CWG_OPTIONS_H
#define CWG_OPTIONS_H

#include "diag.h"

typedef struct cwg_options {
    bool json;
    bool text;
    bool speed; /* optimize=speed */
    bool strip_package;
    const char *prefix; /* "" or a C identifier without the final `_` */
} cwg_options;

/* Parses the request's parameter; NULL and "" give the defaults. False: d->error is set. */
bool cwg_options_parse(const char *parameter, cwg_options *o, cwg_diag *d);

#endif
