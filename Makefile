# Every target says after its name what it does; `make help` prints that.

CARGO ?= cargo

.DEFAULT_GOAL := help
.PHONY: help demo demo-watch test soak bench build book release fmt bless setup clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## Find or install Z3, build, and show a design checked, a service tested and a log judged, with pictures
	@scripts/setup-solvers.sh
	@$(CARGO) build --release --locked --package choros-cli --bin choros --example vendor
	@scripts/demo.sh

demo-watch: ## Get a NATS server, build, and show half a million observations judged through three kills
	@scripts/setup-nats.sh
	@$(CARGO) build --release --locked --package choros-cli --bin choros --features nats
	@scripts/demo-watch.sh

test: ## Install what the tests need, then run every check that CI runs
	@scripts/setup-solvers.sh --tests
	@scripts/setup-python.sh
	@scripts/setup-browser.sh
	@scripts/test.sh

soak: ## Random laws with large budgets, damaged texts for every reader, every verb on every model, the example services with many seeds, the editors that are installed
	@scripts/setup-solvers.sh --tests
	@scripts/setup-python.sh
	@scripts/soak.sh

bench: ## Count instructions against the committed baseline, then run the benchmarks and print their tables
	@scripts/setup-solvers.sh --bench
	@$(CARGO) xtask instructions
	@$(CARGO) xtask bench

build: ## Build the release binary
	@$(CARGO) build --release --locked

fmt: ## Format the code
	@$(CARGO) fmt --all

book: ## Build the book with mdBook, which is installed if it is missing, into docs/book/book
	@scripts/build-book.sh

release: ## Make an archive for this machine, with manual pages, completions and checksums
	@scripts/release.sh

bless: ## Rewrite the expected outputs of snapshot and transcript tests
	@$(CARGO) xtask bless

setup: ## Find or install the solvers, Python packages and browser, those of the tests included
	@scripts/setup-solvers.sh --tests
	@scripts/setup-python.sh
	@scripts/setup-browser.sh

clean: ## Remove what the targets above made inside this folder
	@$(CARGO) clean
	@rm -rf .venv docs/book/book
