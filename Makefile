# `make` lists the targets. Rust, Node and make are enough to start; what else is missing is installed or asked for.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run release test soak e2e bench lint fmt audit schema console tools force

TARGET := $(or $(CARGO_TARGET_DIR),target)
CONSOLE := frontend/node_modules/.console
# The npm packages that the Rust tests start, such as tests/conformance.
TEST_PACKAGES := $(patsubst %/package.json,%/node_modules/.package-lock.json,$(wildcard tests/*/package.json))

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / { printf "  make %-8s  %s\n", $$1, $$2 }' Makefile

run: console ## Build everything and start the demo with its data in ./data (ARGS="…" adds flags)
	cargo build
	COUNTERSIGN_DATA_DIR="$${COUNTERSIGN_DATA_DIR:-data}" exec $(TARGET)/debug/countersign serve --demo $(ARGS)

release: console ## Build the optimised binary with the console inside
	cargo build --release --locked
	@ls -lh $(TARGET)/release/countersign

test: console $(TEST_PACKAGES) ## Run all tests, those in a browser too (TESTS=name runs the Rust tests with that in their name)
	scripts/postgres scripts/test $(if $(TESTS),'$(TESTS)')

soak: console ## Kill, starve and cut off the server for MINUTES (10) each in many ways, and look whether anything is lost
	scripts/postgres --durable scripts/soak $(or $(MINUTES),10)

e2e: console ## Only try the console in a browser, against the real server (ARGS=inbox runs the files with that in their name)
	cargo build
	CHROMIUM="$$(scripts/chromium)" COUNTERSIGN_BIN="$(abspath $(TARGET))/debug/countersign" npm --prefix frontend run e2e -- $(ARGS)

bench: release ## Measure the server beside the floor of this machine, on SQLite and PostgreSQL (ARGS="--only w1" and more)
	scripts/postgres --durable scripts/bench $(ARGS)

lint: console ## Check formatting, clippy's lints, the console's types and lints, and the shell scripts
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	npm --prefix frontend run check
	npm --prefix frontend run lint
	npm --prefix frontend run size
	@if command -v shellcheck >/dev/null; then shellcheck .ci/run $$(grep -lm1 '^#!.*bash' scripts/*); fi

fmt: tools ## Format the Rust code
	cargo fmt --all

audit: tools ## Check licences, yanked versions and known vulnerabilities of all dependencies (ADVISORY_DB, see scripts/audit)
	scripts/audit

# Through a file of its own: a build that fails must not leave an empty schema.graphql behind.
schema: tools ## Write schema.graphql from the code
	@mkdir -p $(TARGET)
	cargo run --quiet -- schema >$(TARGET)/schema.graphql
	mv $(TARGET)/schema.graphql schema.graphql

tools:
	@scripts/need cargo node

# Built again when a source is newer, when one was removed (the folders count too), or when the result is gone.
console: tools $(CONSOLE)

$(CONSOLE): frontend/node_modules/.package-lock.json $(wildcard frontend/*.*) \
		schema.graphql $(shell find frontend/src frontend/public frontend/tooling 2>/dev/null | grep -v '^frontend/src/gql') $(if $(wildcard frontend/dist/*.html),,force)
	npm --prefix frontend run build
	@touch $@

# npm writes this file last, so it also tells of an `npm install` by hand.
%/node_modules/.package-lock.json: %/package.json %/package-lock.json | tools
	cd $* && npm ci --no-audit --no-fund
	@touch $@
