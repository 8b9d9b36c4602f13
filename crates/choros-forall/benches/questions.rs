//! What answers for all data cost: over nodes, over variables, over operators within each other.
//!
//! Times are of one run, with the solver loaded by a question before.
//! Prints a table; nothing is asserted.

use std::time::Instant;

use choros_base::{Budget, Names, SourceMap};
use choros_data::Terms;
use choros_forall::{Asked, answer};
use choros_model::stg::read_stg;
use choros_query::abstraction::Abstraction;
use choros_query::socl::{Arity, parse_formula};
use choros_smt::{LazySolver, Limits};

fn main() {
    #[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
    let line = |text: String| println!("{text}");
    line(format!("{:<28} {:>10}  answer", "question", "ms"));
    measure("warm", &chain(2), "AG x >= 0");
    for nodes in [10, 100, 1_000, 10_000] {
        let row = measure("nodes", &chain(nodes), "AG x >= 0");
        line(format!("{:<28} {row}", format!("{nodes} nodes")));
    }
    for nodes in [10, 100] {
        let row = measure("ring", &ring(nodes), "AF {End} true");
        line(format!("{:<28} {row}", format!("a loop of {nodes} nodes")));
    }
    for variables in [1, 2, 4, 7, 10] {
        let row = measure("variables", &counters(variables), "AF {End} true");
        line(format!("{:<28} {row}", format!("{variables} variables")));
    }
    for operators in ["AF", "AG EF", "AG AF AG", "AG EF AG EF"] {
        let question = format!("{operators} x1 <= 0");
        let row = measure("nesting", &counters(1), &question);
        line(format!("{question:<28} {row}"));
    }
    for loops in 1..=4 {
        let row = measure("loops", &nested(loops), "AF {End} true");
        line(format!(
            "{:<28} {row}",
            format!("{loops} loops within each other")
        ));
    }
}

/// Nodes in a row; each adds what a message brings, if it is positive.
fn chain(nodes: usize) -> String {
    let mut text = "stg chain explicit\ninitial 0\n".to_owned();
    for node in 0..nodes - 1 {
        let next = node + 1;
        text.push_str(&format!("{node} -> {next}: Add[a,b].<y>\n"));
        text.push_str(&format!("{next} -> {next}: [y < 0 && y > 0] tau\n"));
    }
    text.push_str(&format!(
        "{} -> {}: [x < 0] tau / x := x - 1\n",
        nodes - 1,
        nodes - 1
    ));
    text
}

/// A loop through all nodes that makes a counter smaller once.
fn ring(nodes: usize) -> String {
    let mut text = "stg ring explicit\ninitial 0\n".to_owned();
    for node in 0..nodes - 1 {
        text.push_str(&format!("{node} -> {}: [x > 0] Next[a,b]\n", node + 1));
    }
    let last = nodes - 1;
    text.push_str(&format!("{last} -> 0: Down[a,b] / x := x - 1\n"));
    text.push_str(&format!("0 -> {nodes}: [x <= 0] End[a,b]\n{nodes}: end\n"));
    text
}

/// Counters, one after the other down to 0.
fn counters(variables: usize) -> String {
    let mut text = "stg counters explicit\ninitial 0\n".to_owned();
    for place in 0..variables {
        let (next, x) = (place + 1, format!("x{}", place + 1));
        text.push_str(&format!(
            "{place} -> {place}: [{x} > 0] Down[a,b] / {x} := {x} - 1\n"
        ));
        text.push_str(&format!("{place} -> {next}: [{x} <= 0] Next[a,b]\n"));
    }
    let end = variables + 1;
    text.push_str(&format!(
        "{variables} -> {end}: End[a,b]\n{end} -> {end}: Idle[a,b]\n"
    ));
    text
}

/// Loops within loops, the bounds of the inner ones new in each round.
fn nested(loops: usize) -> String {
    let mut text = "stg nested explicit\ninitial 0\n".to_owned();
    for depth in 0..loops {
        let x = format!("x{depth}");
        let inner = depth + 1;
        text.push_str(&if inner < loops {
            format!("{depth} -> {inner}: [{x} > 0] In[a,b].<x{inner}>\n")
        } else {
            format!("{depth} -> {depth}: [{x} > 0] Work[a,b] / {x} := {x} - 1\n")
        });
        if depth > 0 {
            let outer = depth - 1;
            text.push_str(&format!(
                "{depth} -> {outer}: [{x} <= 0] Out[a,b] / x{outer} := x{outer} - 1\n"
            ));
        }
    }
    text.push_str(&format!("0 -> {loops}: [x0 <= 0] End[a,b]\n{loops}: end\n"));
    text
}

fn measure(name: &str, text: &str, question: &str) -> String {
    let (mut sources, mut terms, mut names) = (SourceMap::new(), Terms::new(), Names::new());
    let file = sources.add(name, text);
    let (stg, found) = read_stg(file, text, &mut terms);
    assert!(found.is_empty(), "{found:?}");
    let file = sources.add("<formula>", question);
    let formula = match parse_formula(file, question, &mut names) {
        Ok(formula) => formula,
        Err(found) => panic!("{question}: {found:?}"),
    };
    let mut solver = LazySolver::from_environment(Limits::default());
    let mut asked = Asked {
        formula: &formula,
        abstraction: &Abstraction::Identity,
        arity: Arity::Prefix,
        names: &mut names,
        fair: &[],
    };
    let started = Instant::now();
    let budget = Budget::steps(1_000_000);
    let word = match answer(&stg, &mut asked, &mut terms, &mut solver, &budget) {
        Ok(found) => found.verdict.word(),
        Err(error) => panic!("{error}"),
    };
    format!("{:>10.1}  {word}", started.elapsed().as_secs_f64() * 1000.0)
}
