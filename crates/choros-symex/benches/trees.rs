//! How fast symbolic execution trees grow, and how much inclusion saves.
//!
//! First the loan of Bentakouk's thesis at growing depth, with and without inclusion; then three families of
//! orchestrations: n calls one after the other, n calls in any order, and n loops one after the other.
//! Times include the solver. Prints tables; nothing is asserted.

use std::time::{Duration, Instant};

use choros_base::{Budget, SourceMap};
use choros_data::Terms;
use choros_model::stg::read_stg;
use choros_query::purpose::interface_of;
use choros_symex::{Execution, ExecutionRules, Graph, Tree, execute};

#[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
fn line(text: String) {
    println!("{text}");
}

const LOAN: &str = include_str!("../../../examples/xloan/xloan-r.stg");

fn main() {
    line("symbolic execution tree of the loan".to_owned());
    heading();
    for depth in (6..=16).step_by(2) {
        row(&format!("depth {depth}"), LOAN, depth);
    }
    family("n calls one after the other", calls, &[4, 8, 16, 32]);
    family("n calls in any order", flow, &[1, 2, 3, 4, 5]);
    family("n loops one after the other", loops, &[1, 2, 3, 4]);
}

fn family(name: &str, model: fn(usize) -> String, sizes: &[usize]) {
    line(format!("\n{name}"));
    heading();
    for &n in sizes {
        let depth = if name.contains("loops") {
            12
        } else {
            2 * n as u32 + 3
        };
        row(&format!("n = {n}"), &model(n), depth);
    }
}

fn heading() {
    line(format!(
        "{:>10} {:>8} {:>8} {:>8} {:>10} {:>10} | {:>10} {:>10}",
        "", "nodes", "leaves", "queries", "time", "nodes/s", "inclusion", "time"
    ));
}

fn row(name: &str, text: &str, depth: u32) {
    let (whole, time) = tree(text, depth, false);
    let (small, included_time) = tree(text, depth, true);
    let sizes = whole.sizes();
    let seconds = time.as_secs_f64();
    line(format!(
        "{name:>10} {:>8} {:>8} {:>8} {:>7.1} ms {:>10.0} | {:>10} {:>7.1} ms",
        sizes.nodes,
        sizes.leaves,
        whole.checks,
        seconds * 1000.0,
        sizes.nodes as f64 / seconds,
        small.nodes.len(),
        included_time.as_secs_f64() * 1000.0
    ));
}

/// The tree, and the best time of three runs: the machine may be busy.
fn tree(text: &str, depth: u32, inclusion: bool) -> (Tree, Duration) {
    let mut fastest = Duration::MAX;
    let mut last = Tree::default();
    for _ in 0..3 {
        let mut terms = Terms::new();
        let mut sources = SourceMap::new();
        let file = sources.add("model.stg", text);
        let (stg, _) = read_stg(file, text, &mut terms);
        let graph = Graph::of_model(&stg, &mut terms);
        let interface = interface_of(&stg, None, &mut terms);
        let budget = Budget::unlimited();
        let execution = Execution {
            depth,
            silent: 100,
            inclusion,
            merge: false,
            rules: ExecutionRules {
                interface: interface.as_ref(),
                words: &[],
            },
            budget: &budget,
        };
        let Ok(mut solver) = choros_smt::find() else {
            line("no solver: nothing is measured".to_owned());
            return (last, fastest);
        };
        let start = Instant::now();
        if let Ok(tree) = execute(&graph, &execution, &mut *solver, &mut terms) {
            fastest = fastest.min(start.elapsed());
            last = tree;
        }
    }
    (last, fastest)
}

/// n calls of partners, each of whose answers decides between two ways that meet again.
fn calls(n: usize) -> String {
    let mut text = "stg calls stopped\nvariables n: Int, a: Int, s: Int\ninitial 0\n\
                    0 -> 1: go[USER,M]?<n> / s := n\n"
        .to_owned();
    for call in 0..n {
        let (at, sent) = (1 + 2 * call, 2 + 2 * call);
        let next = at + 2;
        text.push_str(&format!(
            "{at} -> {sent}: o{call}[M,P]!s\n{sent} -> {next}: o{call}[P,M]?<a> / s := s + a\n"
        ));
    }
    let last = 1 + 2 * n;
    text.push_str(&format!(
        "{last} -> {0}: [s > 0] go[M,USER]!s\n{last} -> {0}: [s <= 0] go[M,USER]#refused!s\n{0}: end\n",
        last + 1
    ));
    text
}

/// n calls of partners in any order: a state is the set of calls that were made.
fn flow(n: usize) -> String {
    let mut text = "stg flow stopped\nvariables a: Int\ninitial 0\n".to_owned();
    for made in 0..(1usize << n) {
        for call in (0..n).filter(|call| made & (1 << call) == 0) {
            let next = made | (1 << call);
            text.push_str(&format!(
                "{made} -> {next}: o{call}[P,M]?<a> / v{call} := a\n"
            ));
        }
    }
    let all = (1usize << n) - 1;
    text.push_str(&format!(
        "{all} -> {0}: [v0 > 0] done[M,USER]!v0\n{all} -> {1}: [v0 <= 0] done[M,USER]!a\n{0}: end\n{1}: end\n",
        all + 1,
        all + 2
    ));
    text
}

/// n loops, each of which adds what it is sent until that is zero.
fn loops(n: usize) -> String {
    let mut text = "stg loops stopped\nvariables s: Int, x: Int\ninitial 0\n".to_owned();
    for number in 0..n {
        let (at, test, next) = (2 * number, 2 * number + 1, 2 * number + 2);
        text.push_str(&format!(
            "{at} -> {test}: add{number}[USER,M]?<x>\n{test} -> {at}: [x != 0] tau / s := s + x\n\
             {test} -> {next}: [x == 0] tau\n"
        ));
    }
    let last = 2 * n;
    text.push_str(&format!(
        "{last} -> {0}: sum[M,USER]!s\n{0}: end\n",
        last + 1
    ));
    text
}
