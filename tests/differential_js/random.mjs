// SPDX-License-Identifier: MIT
// random.mjs: seeded random numbers, and values of each scalar type with a liking for the edges.
import { ScalarType } from "@bufbuild/protobuf";

/** xorshift32 behind a mixed seed: small, and the same everywhere. */
export class Random {
    constructor(seed) {
        this.state = Math.imul(seed + 1, 0x9e3779b1) | 1;
        for (let i = 0; i < 8; i++) {
            this.u32();
        }
    }

    u32() {
        let x = this.state;
        x ^= x << 13;
        x ^= x >>> 17;
        x ^= x << 5;
        this.state = x;
        return Math.imul(x, 0x2545f491) >>> 0;
    }

    below(n) {
        return Math.floor((this.u32() / 0x100000000) * n);
    }

    chance(p) {
        return this.u32() / 0x100000000 < p;
    }

    pick(list) {
        return list[this.below(list.length)];
    }

    u64() {
        return (BigInt(this.u32()) << 32n) | BigInt(this.u32());
    }
}

/** A float or double with these bits: every exponent, subnormals, NaNs. */
function fromBits(random, width) {
    const view = new DataView(new ArrayBuffer(8));
    view.setUint32(0, random.u32());
    view.setUint32(4, random.u32());
    return width == 32 ? view.getFloat32(0) : view.getFloat64(0);
}

const doubles = [
    0, -0, 1, -1, 0.1, 0.5, 1e21, 1e-7, 123456789.125, 5e-324, 2.2250738585072014e-308,
    1.7976931348623157e308, -1.7976931348623157e308, 9007199254740993, 1e23, 7e22,
    0.30000000000000004, NaN, Infinity, -Infinity,
];
const floats = [
    0, -0, 1, -1, 0.1, 0.5, 16777217, 1e10, 1.401298464324817e-45, 1.1754943508222875e-38,
    3.4028234663852886e38, -3.4028234663852886e38, 3.3554432e7, 8388608.5, NaN, Infinity, -Infinity,
].map(Math.fround);

export function double(random) {
    if (random.chance(0.5)) {
        return random.pick(doubles);
    }
    return random.chance(0.5) ? fromBits(random, 64) : (random.u32() - 0x80000000) / 1000;
}

export function float(random) {
    if (random.chance(0.5)) {
        return random.pick(floats);
    }
    return random.chance(0.5) ? fromBits(random, 32) : Math.fround(random.u32() / 1000);
}

export function int32(random) {
    if (random.chance(0.4)) {
        return random.pick([0, 1, -1, 127, 128, -128, 0x7fffffff, -0x80000000]);
    }
    return random.u32() >> random.below(32);
}

export function uint32(random) {
    return int32(random) >>> 0;
}

export function int64(random) {
    if (random.chance(0.4)) {
        return random.pick([
            0n, 1n, -1n, 1n << 31n, 1n << 32n, (1n << 53n) + 1n, (1n << 63n) - 1n, -1n << 63n,
        ]);
    }
    return BigInt.asIntN(64, random.u64()) >> BigInt(random.below(64));
}

export function uint64(random) {
    return BigInt.asUintN(64, int64(random));
}

const pieces = [
    "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\r", "\t", "\b", "\f", "\0", "\x1f", "\x7f", "\x80",
    "<", ">", "&", "'", "é", "߿", "ࠀ", "\u2028", "\u2029", "\ufeff", "\ufffd", "\uffff", "\ud7ff", "\ue000",
    "漢", "\u{10000}", "\u{1f600}", "\u{10ffff}", "hello", "__proto__", "null",
];

export function string(random) {
    const style = random.below(20);
    if (style < 4) {
        return "";
    }
    if (style == 4) {
        return random.pick(["__proto__", "constructor", "@type", "value", "[a.b]", "1", "-0"]);
    }
    const length = style == 5 ? 200 + random.below(3000) : random.below(12);
    let s = "";
    for (let i = 0; i < length; i++) {
        s += random.chance(0.3) ? random.pick(pieces) : String.fromCharCode(97 + random.below(26));
    }
    return s;
}

export function bytes(random) {
    const length = random.chance(0.05) ? 200 + random.below(3000) : random.below(9);
    return Uint8Array.from({ length }, () => random.below(256));
}

export function scalar(random, type) {
    switch (type) {
        case ScalarType.DOUBLE:
            return double(random);
        case ScalarType.FLOAT:
            return float(random);
        case ScalarType.BOOL:
            return random.chance(0.5);
        case ScalarType.STRING:
            return string(random);
        case ScalarType.BYTES:
            return bytes(random);
        case ScalarType.INT32:
        case ScalarType.SINT32:
        case ScalarType.SFIXED32:
            return int32(random);
        case ScalarType.UINT32:
        case ScalarType.FIXED32:
            return uint32(random);
        case ScalarType.UINT64:
        case ScalarType.FIXED64:
            return uint64(random);
        default:
            return int64(random);
    }
}
