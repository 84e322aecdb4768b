/* SPDX-License-Identifier: MIT */
#include "extension_family.h"

#include "extensions.cw.h"
#include "extensions_only.cw.h"
#include "support.h"

static void insert(extension_family *f, const cw_extension *x)
{
    FUZZ_CHECK(f->n < sizeof f->rows / sizeof f->rows[0]);
    size_t at = f->n++;
    for (; at > 0 && f->rows[at - 1]->field->number > x->field->number; at--) {
        f->rows[at] = f->rows[at - 1];
    }
    f->rows[at] = x;
}

extension_family extension_family_of(bool message_set)
{
    const cw_file *const files[] = {&extensions_file, &extensions_only_file};
    extension_family f = {.type = message_set ? &ext_Set_type : &ext_Host_type};
    for (size_t i = 0; i < 2; i++) {
        for (uint32_t k = 0; k < files[i]->n_extensions; k++) {
            if (files[i]->extensions[k]->extendee == f.type) {
                insert(&f, files[i]->extensions[k]);
            }
        }
    }
    return f;
}
