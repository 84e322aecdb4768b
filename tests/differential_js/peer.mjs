// SPDX-License-Identifier: MIT
// peer.mjs: our side, the conformance suite's testee: all requests in one go, answers in order.
import { spawnSync } from "node:child_process";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";

export class Peer {
    constructor(program, registry) {
        this.program = program;
        this.request = registry.getMessage("conformance.ConformanceRequest");
        this.response = registry.getMessage("conformance.ConformanceResponse");
        this.input = [];
        this.count = 0;
    }

    /** Puts a question; `payload` is bytes or JSON text, `to` is "binary" or "json". */
    ask(type, payload, to, ignoreUnknown = false) {
        const body = toBinary(this.request, create(this.request, {
            payload: typeof payload == "string"
                ? { case: "jsonPayload", value: payload }
                : { case: "protobufPayload", value: payload },
            requestedOutputFormat: to == "json" ? 2 : 1,
            messageType: type,
            testCategory: ignoreUnknown ? 3 : 0,
        }));
        const head = Buffer.alloc(4);
        head.writeUInt32LE(body.length);
        this.input.push(head, body);
        return this.count++;
    }

    /** Runs the program on all questions; each answer is { case, value } of the response. */
    answers() {
        const run = spawnSync(this.program, {
            input: Buffer.concat(this.input),
            maxBuffer: 2 ** 30,
            stdio: ["pipe", "pipe", "inherit"],
        });
        const list = [];
        let at = 0;
        while (at + 4 <= run.stdout.length) {
            const length = run.stdout.readUInt32LE(at);
            const body = run.stdout.subarray(at + 4, at + 4 + length);
            list.push(fromBinary(this.response, body).result);
            at += 4 + length;
        }
        if (run.status !== 0 || list.length != this.count) {
            throw new Error(`${this.program}: ${list.length} of ${this.count} requests answered, ` +
                `exit code ${run.status}, signal ${run.signal}`);
        }
        return list;
    }
}
