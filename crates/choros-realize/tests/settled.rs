//! What a composition within a bound leaves open, and what is settled all the same: the table in the README.
//!
//! `CHOROS_BLESS=1` rewrites the table.

mod support;

use std::path::Path;

use choros_base::{Budget, Choice, SourceMap};
use choros_data::Terms;
use choros_model::Verdict;
use choros_model::stg::{Stg, Visible, disjoint, queues_unless_full};
use choros_realize::{Closing, Mode, project};
use choros_smt::LazySolver;
use choros_testkit::Random;

use support::ask::{ask, question};
use support::random_graph::{conversation, random_graph, stg};

const PROTOCOLS: &str = include_str!("protocols/protocols.chor");

/// The table is about these models and no others.
const SEED: u64 = 1;
const MODELS: u64 = 60;

/// Messages that a queue may hold, as `realize` has it where nothing else is said.
const BOUND: usize = 5;

#[test]
fn the_table_in_the_readme_is_what_comes_out() {
    let mut rows = Vec::new();
    for mode in [Mode::Sender, Mode::Receiver] {
        let mut terms = Terms::new();
        let protocols = protocols(&mut terms);
        let counts = protocols.iter().map(|it| judge(it, mode, &mut terms));
        rows.push(row("protocols of the literature", mode, counts));
        let graphs = (0..MODELS).map(|round| {
            let mut random = Random::new(SEED + round);
            let mut terms = Terms::new();
            let graph = stg(&random_graph(&mut random, 6), &mut terms);
            judge(&graph, mode, &mut terms)
        });
        rows.push(row("random graphs", mode, graphs));
        let graphs = (0..MODELS).map(|round| {
            let mut random = Random::new(SEED + round);
            let mut terms = Terms::new();
            let graph = stg(&conversation(&mut random, 7), &mut terms);
            judge(&graph, mode, &mut terms)
        });
        rows.push(row("random conversations", mode, graphs));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = std::fs::read_to_string(&path).expect("the README is there");
    let head =
        "| models | mode | how many | a queue is full with 5 | unknown |\n|---|---|---|---|---|\n";
    let (before, rest) = readme.split_once(head).expect("the README has the table");
    let (table, after) = rest.split_once("\n\n").expect("something follows it");
    let expected = rows.join("\n");
    if std::env::var_os("CHOROS_BLESS").is_some() {
        let text = format!("{before}{head}{expected}\n\n{after}");
        std::fs::write(path, text).expect("the README can be written");
        return;
    }
    assert_eq!(table, expected);
}

fn row(what: &str, mode: Mode, counts: impl Iterator<Item = (bool, bool)>) -> String {
    let (mut all, mut full, mut unknown) = (0, 0, 0);
    for (was_full, is_unknown) in counts {
        all += 1;
        full += usize::from(was_full);
        unknown += usize::from(is_unknown);
    }
    format!(
        "| {what} | `{}` | {all} | {full} | {unknown} |",
        mode.word()
    )
}

fn protocols(terms: &mut Terms) -> Vec<Stg> {
    let file = SourceMap::new().add("protocols.chor", PROTOCOLS);
    let (model, findings) = choros_lang::chor::read(file, PROTOCOLS, terms);
    assert!(findings.is_empty(), "{findings:?}");
    let ids: Vec<_> = model.ids().collect();
    ids.into_iter()
        .filter_map(|id| model.lower(id, terms, &Budget::steps(100_000)).ok())
        .map(|lowered| lowered.stg)
        .collect()
}

/// Whether a queue is full when the projections are just put together, and whether the answer is *unknown*.
fn judge(stg: &Stg, mode: Mode, terms: &mut Terms) -> (bool, bool) {
    let budget = Budget::unlimited();
    let mut solver = LazySolver::without_any();
    let asked = question(mode, Closing::Together, BOUND);
    let found = ask(stg, &asked, terms, &mut solver);
    let roles = project(&found.reachable, mode, terms, &mut solver, &budget).expect("no data");
    let roles: Vec<&Stg> = roles.iter().map(|it| &it.stg).collect();
    let roles = disjoint(&roles, terms);
    let visible = match mode {
        Mode::Receiver => Visible::Receptions,
        _ => Visible::Sendings,
    };
    let roles: Vec<&Stg> = roles.iter().map(|it| &it.0).collect();
    let states = Budget::steps(100_000);
    let put_together = queues_unless_full("roles", &roles, visible, BOUND, &states, terms);
    let full = !matches!(put_together, Ok(Some(_)));
    (full, matches!(found.semantic.verdict, Verdict::Unknown(_)))
}
