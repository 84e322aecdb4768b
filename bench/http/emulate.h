/* SPDX-License-Identifier: MIT */
/*
 * A network with delay and loss: client and server live in two network namespaces, and a relay
 * carries packets between their TUN devices. TCP is the kernel's own.
 */
#ifndef BENCH_HTTP_EMULATE_H
#define BENCH_HTTP_EMULATE_H

#include "http/emulation.h"
#include "http/relay.h"
#include "http/stage.h"

typedef struct bench_emulator bench_emulator;

/* Moves the calling thread into the client's namespace. NULL, with a line on stderr: this kernel or
 * this user cannot; nothing has changed then. */
bench_emulator *bench_emulator_open(const bench_emulation *o);

/* Where the servers live; valid until the emulator is closed. */
const bench_scene *bench_emulator_scene(const bench_emulator *e);

/* Takes everything down and moves the thread back. */
bench_relay_counts bench_emulator_close(bench_emulator *e);

#endif
