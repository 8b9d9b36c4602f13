//! Runs the case table of the repository on a back end.

// Each test uses a part.
#![allow(dead_code)]

use choros_base::SourceMap;
use choros_data::{Op, SortKind, Term, TermKind, Terms, read_term};
use choros_smt::{Backend, CheckedSolver, Elimination, Limits, Satisfiability, Solver, Truth};

/// One line of the table.
struct Case<'a> {
    line: usize,
    variables: &'a str,
    formula: &'a str,
    answer: &'a str,
    free: Option<&'a str>,
}

/// Runs every case and lists all that went wrong.
pub(crate) fn run(open: &mut dyn FnMut() -> Box<dyn Backend>) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cases/solver.txt");
    let text = std::fs::read_to_string(path).expect("the case table");
    // One solver and one store for the whole table, as in a long run.
    let mut terms = store();
    let mut solver = CheckedSolver::new(open());
    // Only cases that may end unknown take longer than a moment.
    solver.set_limits(Limits {
        milliseconds: Some(4_000),
        ..Limits::default()
    });
    let mut wrong = Vec::new();
    let mut count = 0;
    for case in cases(&text) {
        count += 1;
        if let Err(message) = check(&mut terms, &mut solver, &case) {
            wrong.push(format!("line {}: {}: {message}", case.line, case.formula));
        }
    }
    assert!(count > 80, "the table has been cut to {count} cases");
    assert!(wrong.is_empty(), "{}:\n{}", solver.name(), wrong.join("\n"));
}

/// A store with the sorts that the table uses.
pub(crate) fn store() -> Terms {
    let mut terms = Terms::new();
    let name = terms.names.intern("Status");
    let constructors = ["Open", "Shut", "Lost"]
        .map(|text| terms.names.intern(text))
        .to_vec();
    terms.sort(SortKind::Enumeration { name, constructors });
    terms
}

/// Reads a closed formula over variables that are declared as after a quantifier.
pub(crate) fn read(terms: &mut Terms, variables: &str, formula: &str) -> Term {
    // A quantifier is where the language declares variables; the premise keeps it, and is taken off with it.
    let text = format!("exists {variables}, premise: Bool. premise => ({formula})");
    let mut sources = SourceMap::default();
    let quantified = match read_term(terms, &mut sources, "case", &text, &[], None) {
        Ok(term) => term,
        Err(diagnostics) => panic!("{text}: {diagnostics:?}"),
    };
    let TermKind::Quantified(_, _, body) = terms.kind(quantified) else {
        panic!("{text}: not quantified");
    };
    let TermKind::Apply(Op::Implies, &[_, formula]) = terms.kind(body) else {
        panic!("{text}: not an implication");
    };
    terms.close(formula)
}

fn check(terms: &mut Terms, solver: &mut dyn Solver, case: &Case<'_>) -> Result<(), String> {
    let formula = read(terms, case.variables, case.formula);
    if let Some(expected) = case.free {
        let expected = read(terms, case.variables, expected);
        return match solver
            .eliminate(terms, formula)
            .map_err(|e| e.to_string())?
        {
            Elimination::Quantified(_) => Err("no result that could be proved".to_owned()),
            Elimination::Free(found) if terms.is_quantified(found) => {
                Err(format!("still quantified: {}", terms.print(found)))
            }
            Elimination::Free(found) => match solver.equivalent(terms, found, expected) {
                Ok(Truth::True) => Ok(()),
                other => Err(format!("{}: {other:?}", terms.print(found))),
            },
        };
    }
    if case.answer == "quantified" {
        return match solver
            .eliminate(terms, formula)
            .map_err(|e| e.to_string())?
        {
            Elimination::Quantified(found) if terms.is_quantified(found) => Ok(()),
            other => Err(format!("{other:?}")),
        };
    }
    let answer = solver
        .satisfiable(terms, &[formula])
        .map_err(|error| error.to_string())?;
    match (case.answer, &answer) {
        ("sat" | "sat?", Satisfiability::Sat) | ("unsat" | "unsat?", Satisfiability::Unsat) => {
            Ok(())
        }
        ("sat?" | "unsat?", Satisfiability::Unknown(_)) => Ok(()),
        _ => Err(format!("{answer:?}, not {}", case.answer)),
    }
}

fn cases(text: &str) -> impl Iterator<Item = Case<'_>> {
    text.lines().enumerate().filter_map(|(number, line)| {
        if line.starts_with('#') || line.trim().is_empty() {
            return None;
        }
        let columns: Vec<&str> = line.split(" | ").collect();
        let &[variables, formula, answer, ref rest @ ..] = &columns[..] else {
            panic!("line {}: at least three columns", number + 1);
        };
        assert_eq!(answer == "free", rest.len() == 1, "line {}", number + 1);
        Some(Case {
            line: number + 1,
            variables,
            formula,
            answer,
            free: rest.first().copied(),
        })
    })
}
