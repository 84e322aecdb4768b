/* SPDX-License-Identifier: MIT */
/* options.c: see options.h. */
#include "options.h"

#include <string.h>

#define VALID "json=on|off, text=on|off, prefix=NAME, strip_package, optimize=speed|size"

static bool is_identifier(const char *s)
{
    if (!((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z')))
        return false;
    for (; *s; s++) {
        bool digit = *s >= '0' && *s <= '9';
        if (!((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || digit || *s == '_'))
            return false;
    }
    return true;
}

/* value is one of two words: *first tells which. */
static bool choice(const char *name, const char *value, const char *yes, const char *no,
                   bool *first, cwg_diag *d)
{
    *first = value && strcmp(value, yes) == 0;
    if (*first || (value && strcmp(value, no) == 0))
        return true;
    return cwg_error(d, "option %s: expected %s=%s or %s=%s", name, name, yes, name, no);
}

static bool set_prefix(cwg_options *o, const char *value, cwg_diag *d)
{
    if (!value || !is_identifier(value))
        return cwg_error(d, "option prefix: \"%s\" does not begin a C identifier",
                         value ? value : "");
    size_t n = strlen(value);
    if (value[n - 1] == '_' || strstr(value, "__"))
        return cwg_error(d,
                         "option prefix: give the name without the final \"_\" and without \"__\"");
    if (strcmp(value, "cw") == 0 || strcmp(value, "CW") == 0)
        return cwg_error(d, "option prefix: \"%s\" is the runtime's own prefix", value);
    o->prefix = value;
    return true;
}

static bool set_option(cwg_options *o, const char *name, const char *value, cwg_diag *d)
{
    if (strcmp(name, "json") == 0)
        return choice(name, value, "on", "off", &o->json, d);
    if (strcmp(name, "text") == 0)
        return choice(name, value, "on", "off", &o->text, d);
    if (strcmp(name, "optimize") == 0)
        return choice(name, value, "speed", "size", &o->speed, d);
    if (strcmp(name, "prefix") == 0)
        return set_prefix(o, value, d);
    if (strcmp(name, "strip_package") == 0) {
        o->strip_package = true;
        return !value || cwg_error(d, "option strip_package takes no value");
    }
    return cwg_error(d, "unknown option \"%s\"; valid are: %s", name, VALID);
}

bool cwg_options_parse(const char *parameter, cwg_options *o, cwg_diag *d)
{
    *o = (cwg_options){.json = true, .text = false, .speed = true, .prefix = ""};
    if (!parameter || !*parameter)
        return true;
    char *rest = cwg_dup(d->arena, parameter);
    cwg_strmap seen = {0};
    while (rest) {
        char *name = rest;
        char *comma = strchr(rest, ',');
        rest = comma ? comma + 1 : NULL;
        if (comma)
            *comma = '\0';
        char *value = strchr(name, '=');
        if (value)
            *value++ = '\0';
        if (cwg_map_put(d->arena, &seen, name, name))
            return cwg_error(d, "option %s is given twice", name);
        if (!set_option(o, name, value, d))
            return false;
    }
    return true;
}
