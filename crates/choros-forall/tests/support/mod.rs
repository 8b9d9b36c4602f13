//! Asks one formula of one graph.

use choros_base::{Budget, Names, SourceMap};
use choros_data::Terms;
use choros_forall::{Asked, answer};
use choros_model::Verdict;
use choros_model::stg::read_stg;
use choros_query::abstraction::Abstraction;
use choros_query::socl::{Arity, parse_formula};
use choros_smt::{LazySolver, Limits};

fn asked(stg: &str, formula: &str) -> String {
    let mut terms = Terms::new();
    let mut map = SourceMap::new();
    let file = map.add("test.stg", stg);
    let (stg, diagnostics) = read_stg(file, stg, &mut terms);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let mut names = Names::new();
    let file = map.add("formula", formula);
    let formula = match parse_formula(file, formula, &mut names) {
        Ok(formula) => formula,
        Err(found) => panic!("{formula}: {found:?}"),
    };
    let mut solver = LazySolver::from_environment(Limits::default());
    let mut question = Asked {
        formula: &formula,
        abstraction: &Abstraction::Identity,
        arity: Arity::Prefix,
        names: &mut names,
    };
    let budget = Budget::steps(1_000_000);
    let found = answer(&stg, &mut question, &mut terms, &mut solver, &budget);
    match found.expect("a solver").verdict {
        Verdict::Holds(_) => "holds".to_owned(),
        Verdict::Fails(_) => "fails".to_owned(),
        Verdict::HoldsIf(condition, _) => format!("if {}", terms.print(condition)),
        Verdict::Unknown(unknown) => format!("unknown: {}", unknown.reason),
    }
}

/// Asks each formula of its graph, and compares the answers.
pub(crate) fn check(rows: &[(&str, &str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(stg, formula, expected)| {
            let found = asked(stg, formula);
            (found != *expected)
                .then(|| format!("{formula}\n  expected {expected}\n  found {found}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
