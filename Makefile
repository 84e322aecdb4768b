# SPDX-License-Identifier: MIT
# Thin: every line calls CMake or a script of tools/.
SECONDS ?= 60
BENCH := build/bin/cwire-bench
BUILD := tools/build.sh build -DCWIRE_BUILD_TESTS=OFF

.PHONY: all bench bench-cost bench-full bench-program compare package test conformance regen regen-plugin fuzz format clean

all: bench-program

# All that is installed, so that `cmake --install build` finds it.
bench-program:
	@tools/setup.sh bench
	@$(BUILD)

bench: bench-program
	$(BENCH) all --json build/bench-results.json --html build/bench-report.html

bench-full: bench-program
	$(BENCH) all --full --json build/bench-results.json --html build/bench-report.html

bench-cost: bench-program
	@tools/bench_cost.sh build build/bench-cost.json

# BASE: a commit; without, the last one of an earlier day.
compare: bench-program
	@tools/compare.sh $(BASE)

package: bench-program
	@tools/setup.sh package
	cd build && cpack -G DEB

test:
	@tools/setup.sh test
	@tools/test.sh

conformance:
	@tools/conformance.sh

regen:
	@tools/setup.sh bench
	@$(BUILD) protoc-gen-cwire
	@tools/regen.sh build/bin/protoc-gen-cwire .

regen-plugin:
	@tools/setup.sh bench
	protoc-c -I generator --c_out=generator generator/plugin.proto

fuzz:
	@tools/setup.sh test
	@tools/fuzz.sh $(SECONDS)

format:
	git ls-files '*.c' '*.h' '*.cc' | grep -vE '^generated/|\.pb-c\.|_tables\.c$$|/wkt' | xargs clang-format -i

clean:
	rm -rf build build-test build-compare
