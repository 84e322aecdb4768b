/* SPDX-License-Identifier: MIT */
/* request_import.c: a file's paths, and which of its imports matter. See request.h. */
#include <string.h>

#include "request_internal.h"
#include "scan.h"

/* --- imports ---------------------------------------------------------------------------------- */

/* public_dependency, from the unknown fields (see plugin.proto): is_public[i] for dependency i. */
static bool read_public(reader *r, const pb_file *pb, bool *is_public)
{
    for (unsigned i = 0; i < pb->base.n_unknown_fields; i++) {
        const ProtobufCMessageUnknownField *u = &pb->base.unknown_fields[i];
        if (u->tag != 10)
            continue;
        const uint8_t *p = u->data;
        const uint8_t *end = p + u->len;
        uint64_t v;
        if (u->wire_type == PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED && !cwg_scan_varint(&p, end, &v))
            return cwg__bad(r, NULL, "malformed public dependency");
        while (p < end) {
            if (!cwg_scan_varint(&p, end, &v) || v >= pb->n_dependency)
                return cwg__bad(r, NULL, "malformed public dependency");
            is_public[v] = true;
        }
    }
    return true;
}

static void add_dep(reader *r, cwg_file *on)
{
    cwg_file *f = r->file;
    const char *include = on->include;
    f->imports[f->n_imports++] = on;
    if (on->is_wkt && !(f->is_wkt && f->generate))
        include = "cwire/wkt.h";
    for (int i = 0; i < f->n_deps; i++) {
        if (strcmp(f->deps[i].include, include) == 0)
            return;
    }
    f->deps[f->n_deps++] = (cwg_dep){on, include};
}

/*
 * Imports whose types are used (also through a public import of an import) or that are public.
 * Types from a file that is not imported directly: after the imports, in the request's order.
 */
bool cwg__read_imports(reader *r, const pb_file *pb)
{
    cwg_file *f = r->file;
    bool *is_public = cwg_new(r->arena, pb->n_dependency + 1, sizeof *is_public);
    size_t most = pb->n_dependency + r->used.used + 1;
    f->deps = cwg_new(r->arena, most, sizeof *f->deps);
    f->imports = cwg_new(r->arena, most, sizeof(cwg_file *));
    if (!read_public(r, pb, is_public))
        return false;
    cwg_strmap done = {0};
    for (size_t i = 0; i < pb->n_dependency; i++) {
        cwg_file *on = cwg_map_get(&r->files, pb->dependency[i]);
        if (!on)
            return cwg__bad(r, NULL, "imports \"%s\", which is not in the request before it",
                            pb->dependency[i]);
        bool used = cwg_map_get(&r->used, on->name) != NULL;
        bool carried = is_public[i] && (strcmp(on->name, DESCRIPTOR_PROTO) != 0 || on->generate);
        if ((used || carried) && !cwg_map_put(r->arena, &done, on->name, on))
            add_dep(r, on);
    }
    for (int i = 0; i < r->model->n_files; i++) {
        cwg_file *on = r->model->files[i];
        if (cwg_map_get(&r->used, on->name) && !cwg_map_put(r->arena, &done, on->name, on))
            add_dep(r, on);
    }
    return true;
}

/* --- paths ------------------------------------------------------------------------------------ */

/* The well-known types that ship with the runtime. */
bool cwg__is_well_known(const char *name)
{
    static const char *const names[] = {"any",        "api",           "duration",  "empty",
                                        "field_mask", "struct",        "timestamp", "type",
                                        "wrappers",   "source_context"};
    static const char dir[] = "google/protobuf/";
    if (strncmp(name, dir, sizeof dir - 1) != 0)
        return false;
    name += sizeof dir - 1;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t n = strlen(names[i]);
        if (strncmp(name, names[i], n) == 0 && strcmp(name + n, ".proto") == 0)
            return true;
    }
    return false;
}

bool cwg__set_paths(reader *r)
{
    cwg_file *f = r->file;
    size_t n = strlen(f->name);
    for (const char *p = f->name; *p; p++) {
        if ((unsigned char)*p < 0x20 || *p == '"' || *p == '\\' || *p == 0x7f)
            return cwg__bad(r, NULL, "the file's name cannot stand in an #include");
    }
    if (n > 6 && strcmp(f->name + n - 6, ".proto") == 0)
        n -= 6;
    f->base = cwg_dup_bytes(r->arena, f->name, n);
    if (f->is_wkt)
        f->base = cwg_printf(r->arena, "cwire/wkt/%s", f->base + strlen("google/protobuf/"));
    f->include = cwg_printf(r->arena, "%s.cw.h", f->base);
    return true;
}
