//! What every solver does beyond the case table: levels, cores, bounds, and not being believed blindly.

mod solvers;
mod table;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use choros_data::{Assignment, Op, Sort, Term, Terms, Value};
use choros_smt::{
    AssertResult, Backend, BackendAnswer, Cached, CheckedSolver, Elimination, Limits, Query,
    Reason, Satisfiability, Solver, SolverError, Truth,
};
use table::{read, store};

#[test]
fn levels_come_and_go() {
    for mut open in solvers::all() {
        let mut terms = store();
        let mut solver = CheckedSolver::new(open());
        let positive = read(&mut terms, "x: Int", "x > 0");
        let small = read(&mut terms, "x: Int", "x < 3");
        let negative = read(&mut terms, "x: Int", "x < 0");
        solver.assert(positive);
        assert_eq!(
            solver.check(&mut terms).expect("works"),
            Satisfiability::Sat
        );
        solver.push();
        solver.assert(negative);
        assert_eq!(
            solver.check(&mut terms).expect("works"),
            Satisfiability::Unsat
        );
        solver.push();
        solver.pop();
        assert_eq!(
            solver.check(&mut terms).expect("works"),
            Satisfiability::Unsat
        );
        solver.pop();
        // A level that grows after one above it was closed.
        solver.assert(small);
        solver.push();
        assert_eq!(
            solver.check(&mut terms).expect("works"),
            Satisfiability::Sat
        );
        solver.pop();
        solver.pop();
        solver.pop();
        let x = terms.named("x", Sort::INT);
        let x = terms.as_variable(x).expect("a variable");
        let model = solver.model(&mut terms, &[x]).expect("after sat");
        assert!([Value::int(1), Value::int(2)].contains(&model[&x]));
        assert_eq!(
            solver.check(&mut terms).expect("works"),
            Satisfiability::Sat
        );
    }
}

#[test]
fn cores_name_only_what_contradicts() {
    for mut open in solvers::all() {
        let mut terms = store();
        let mut solver = CheckedSolver::new(open());
        let assumptions = [
            "y == 1",
            "x > 5",
            "a == OK",
            "x < y + z",
            "z < 2",
            "y < 3",
            "z == 0 or z == 1",
        ]
        .map(|text| read(&mut terms, "x: Int, y: Int, z: Int, a: Symbol", text));
        let answer = solver.check_assuming(&mut terms, &assumptions);
        assert_eq!(answer.expect("works"), Satisfiability::Unsat);
        let core = solver.unsat_core().expect("after unsat").to_vec();
        // Irreducible, whichever of several cores it is.
        let of = |positions: &[usize]| -> Vec<Term> {
            positions.iter().map(|&at| assumptions[at]).collect()
        };
        assert!(core.contains(&1) && core.contains(&3), "{core:?}");
        for left_out in 0..core.len() {
            let mut fewer = core.clone();
            fewer.remove(left_out);
            let answer = solver.check_assuming(&mut terms, &of(&fewer));
            assert_eq!(answer.expect("works"), Satisfiability::Sat, "{core:?}");
            assert!(solver.unsat_core().is_none());
        }
    }
}

#[test]
fn helpers_answer_about_truth() {
    for mut open in solvers::all() {
        let mut terms = store();
        let mut solver = CheckedSolver::new(open());
        let less = read(&mut terms, "x: Int, y: Int", "x < y");
        let not_more = read(&mut terms, "x: Int, y: Int", "x <= y");
        let shifted = read(&mut terms, "x: Int, y: Int", "x + 1 <= y");
        let valid = read(&mut terms, "x: Int, y: Int", "x < y or x >= y");
        assert_eq!(solver.valid(&mut terms, valid).expect("works"), Truth::True);
        assert_eq!(solver.valid(&mut terms, less).expect("works"), Truth::False);
        assert_eq!(
            solver.implies(&mut terms, less, not_more).expect("works"),
            Truth::True
        );
        assert_eq!(
            solver.implies(&mut terms, not_more, less).expect("works"),
            Truth::False
        );
        let counterexample = solver.solution().expect("a counterexample").clone();
        assert_eq!(terms.evaluate_guard(not_more, &counterexample), Ok(true));
        assert_eq!(terms.evaluate_guard(less, &counterexample), Ok(false));
        assert_eq!(
            solver.equivalent(&mut terms, less, shifted).expect("works"),
            Truth::True
        );
        assert_eq!(
            solver
                .equivalent(&mut terms, less, not_more)
                .expect("works"),
            Truth::False
        );
        // Given what is asserted, they are.
        let apart = read(&mut terms, "x: Int, y: Int", "x != y");
        solver.assert(apart);
        assert_eq!(
            solver
                .equivalent(&mut terms, less, not_more)
                .expect("works"),
            Truth::True
        );
    }
}

/// Fermat's last theorem for cubes: true, and out of reach.
fn hard(terms: &mut Terms) -> Term {
    read(
        terms,
        "x: Int, y: Int, z: Int",
        "x > 2 and y > 2 and z > 2 and x * x * x + y * y * y == z * z * z",
    )
}

#[test]
fn a_bound_ends_in_unknown_and_the_next_query_is_answered() {
    for mut open in solvers::all() {
        let mut terms = store();
        let mut solver = CheckedSolver::new(open());
        let hard = hard(&mut terms);
        let easy = read(&mut terms, "x: Int", "x > 2");
        solver.assert(easy);
        for limits in [
            Limits {
                resources: 1_000,
                milliseconds: Some(2_000),
                ..Limits::default()
            },
            Limits {
                milliseconds: Some(100),
                ..Limits::default()
            },
        ] {
            solver.set_limits(limits);
            let start = Instant::now();
            let answer = solver.satisfiable(&mut terms, &[hard]).expect("works");
            assert!(
                matches!(answer, Satisfiability::Unknown(_)),
                "{}: {answer:?}",
                solver.name()
            );
            assert!(start.elapsed() < Duration::from_secs(10));
            solver.set_limits(Limits::default());
            assert_eq!(
                solver.check(&mut terms).expect("works"),
                Satisfiability::Sat
            );
        }
    }
}

#[test]
fn a_running_query_can_be_cancelled() {
    for mut open in solvers::all() {
        let mut terms = store();
        let mut solver = CheckedSolver::new(open());
        let hard = hard(&mut terms);
        let cancel = Arc::new(AtomicBool::new(false));
        solver.set_limits(Limits {
            resources: u64::MAX,
            milliseconds: Some(20_000),
            cancel: Some(cancel.clone()),
        });
        let flag = cancel.clone();
        let canceller = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            flag.store(true, Ordering::Relaxed);
        });
        let start = Instant::now();
        let answer = solver.satisfiable(&mut terms, &[hard]).expect("works");
        assert!(start.elapsed() < Duration::from_secs(10));
        canceller.join().expect("ends");
        // A solver may give up by itself before that.
        assert!(matches!(answer, Satisfiability::Unknown(_)), "{answer:?}");
        let easy = read(&mut terms, "x: Int", "x > 2");
        assert_eq!(
            solver.satisfiable(&mut terms, &[easy]).expect("works"),
            Satisfiability::Unknown(Reason::Cancelled)
        );
        cancel.store(false, Ordering::Relaxed);
        assert_eq!(
            solver.satisfiable(&mut terms, &[easy]).expect("works"),
            Satisfiability::Sat
        );
    }
}

#[test]
fn what_cannot_be_expressed_is_unknown_unless_the_rest_decides() {
    for mut open in solvers::all() {
        let mut terms = store();
        let mut solver = CheckedSolver::new(open());
        let text = terms.named("s", Sort::STRING);
        let beyond = terms.text("\u{10FFFF}");
        let strange = terms.equal(text, beyond);
        let different = terms.not_equal(text, beyond);
        let positive = read(&mut terms, "x: Int", "x > 0");
        let negative = read(&mut terms, "x: Int", "x < 0");
        let mut ask = |formulas: &[Term]| solver.satisfiable(&mut terms, formulas).expect("works");
        assert!(matches!(
            ask(&[strange, positive]),
            Satisfiability::Unknown(Reason::Inexpressible(_))
        ));
        assert_eq!(ask(&[strange, positive, negative]), Satisfiability::Unsat);
        // Any string the solver comes up with happens to satisfy this, and that is checked.
        assert_eq!(ask(&[different, positive]), Satisfiability::Sat);
    }
}

#[test]
fn deep_formulas_do_no_harm() {
    for mut open in solvers::all() {
        for (depth, expressible) in [(1_900, true), (100_000, false)] {
            let mut terms = store();
            let mut solver = CheckedSolver::new(open());
            let mut sum = terms.named("x", Sort::INT);
            let y = terms.named("y", Sort::INT);
            for _ in 0..depth {
                let negated = terms.negate(sum);
                sum = terms.arithmetic(Op::Subtract, y, negated);
            }
            let one = terms.int(1);
            let formula = terms.equal(sum, one);
            let answer = solver.satisfiable(&mut terms, &[formula]).expect("works");
            match answer {
                Satisfiability::Unknown(Reason::Inexpressible(_)) => assert!(!expressible),
                _ => assert!(expressible, "{answer:?}"),
            }
        }
    }
}

/// A back end that says whatever it was made to say.
#[derive(Default)]
struct Liar {
    solution: Assignment,
    hint: Option<Term>,
    queries: usize,
}

impl Backend for Liar {
    fn name(&self) -> String {
        "liar 1".to_owned()
    }
    fn push(&mut self) -> Result<(), SolverError> {
        Ok(())
    }
    fn pop(&mut self, _levels: usize) -> Result<(), SolverError> {
        Ok(())
    }
    fn assert(&mut self, _terms: &Terms, _formula: Term) -> Result<AssertResult, SolverError> {
        Ok(AssertResult::Asserted)
    }
    fn check(&mut self, _query: Query<'_>) -> Result<BackendAnswer, SolverError> {
        self.queries += 1;
        Ok(BackendAnswer::Sat(self.solution.clone()))
    }
    fn eliminate(
        &mut self,
        _terms: &mut Terms,
        _formula: Term,
        _limits: &Limits,
    ) -> Result<Option<Term>, SolverError> {
        Ok(self.hint)
    }
}

#[test]
fn a_solution_that_is_none_is_not_believed() {
    let mut terms = store();
    let formula = read(&mut terms, "x: Int", "x > 3");
    let x = terms.free_variables(formula)[0];
    for (value, believed) in [(4, true), (3, false)] {
        let mut solver = CheckedSolver::new(Liar {
            solution: Assignment::from_iter([(x, Value::int(value))]),
            ..Liar::default()
        });
        solver.assert(formula);
        let answer = solver.check(&mut terms).expect("works");
        assert_eq!(answer == Satisfiability::Sat, believed);
        assert_eq!(solver.solution().is_some(), believed);
        if !believed {
            let Satisfiability::Unknown(Reason::Defect(text)) = answer else {
                panic!("{answer:?}");
            };
            assert!(text.contains("x > 3"), "{text}");
        }
    }
    let mut solver = CheckedSolver::new(Liar::default());
    solver.assert(formula);
    let answer = solver.check(&mut terms).expect("works");
    assert!(matches!(answer, Satisfiability::Unknown(Reason::Defect(_))));
}

#[test]
fn an_elimination_that_is_not_proved_is_not_believed() {
    let mut terms = store();
    let formula = read(&mut terms, "y: Int", "exists x: Int. x * x == y");
    let mut solver = CheckedSolver::new(Liar {
        hint: Some(Term::TRUE),
        ..Liar::default()
    });
    let result = solver.eliminate(&mut terms, formula).expect("works");
    assert!(matches!(result, Elimination::Quantified(_)), "{result:?}");
}

#[test]
fn a_store_is_not_mistaken_for_another() {
    let mut terms = store();
    let formula = read(&mut terms, "x: Int", "x > 3");
    let mut solver = CheckedSolver::new(Liar::default());
    solver.assert(formula);
    let _ = solver.check(&mut terms).expect("works");
    assert!(matches!(
        solver.check(&mut Terms::new()),
        Err(SolverError::AnotherStore)
    ));
}

#[test]
fn a_cache_answers_the_second_time() {
    for mut open in solvers::all() {
        let mut terms = store();
        let mut solver = Cached::new(CheckedSolver::new(open()));
        let formulas =
            ["x > 3", "x < y", "y < 6"].map(|text| read(&mut terms, "x: Int, y: Int", text));
        let mut ask = |formulas: &[Term]| {
            let answer = solver.satisfiable(&mut terms, formulas).expect("works");
            let solution = solver.solution().cloned();
            (answer, solution, solver.statistics())
        };
        let (first, solution, counts) = ask(&formulas);
        assert_eq!((first, counts), (Satisfiability::Sat, (0, 1)));
        // In another order and twice: the same set.
        let again = [formulas[2], formulas[0], formulas[1], formulas[0]];
        let (second, same, counts) = ask(&again);
        assert_eq!((second, counts), (Satisfiability::Sat, (1, 1)));
        assert_eq!(solution, same);
        assert!(solution.is_some());
        let (_, _, counts) = ask(&formulas[..2]);
        assert_eq!(counts, (1, 2));
    }
}

#[test]
fn ground_formulas_need_no_solver() {
    let mut terms = store();
    let mut solver = CheckedSolver::new(Liar::default());
    let one = terms.int(1);
    let two = terms.int(2);
    let less = terms.compare(Op::Less, one, two);
    let more = terms.compare(Op::Greater, one, two);
    assert_eq!(
        solver.satisfiable(&mut terms, &[less]).expect("works"),
        Satisfiability::Sat
    );
    assert_eq!(
        solver
            .satisfiable(&mut terms, &[less, more])
            .expect("works"),
        Satisfiability::Unsat
    );
    let answer = solver.check_assuming(&mut terms, &[less, more]);
    assert_eq!(answer.expect("works"), Satisfiability::Unsat);
    assert_eq!(solver.unsat_core(), Some(&[1][..]));
}

/// A program that answers as it was told, then ends or hangs.
#[cfg(unix)]
fn impostor(script: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("z3").to_string_lossy().into_owned();
    // Written by another process: a child that some other test starts while this one has the file open for writing
    // would keep it open, and the system does not run such a file.
    let written = std::process::Command::new("/bin/sh")
        .args([
            "-c",
            "printf '%s' \"$1\" > \"$2\" && chmod 755 \"$2\"",
            "sh",
        ])
        .args([&format!("#!/bin/sh\n{script}\n"), &path])
        .status();
    assert!(written.is_ok_and(|status| status.success()));
    (folder, path)
}

#[cfg(unix)]
#[test]
fn a_solver_that_dies_complains_or_babbles_is_an_error_not_an_answer() {
    use choros_smt::{Dialect, Pipe};
    let greeting = "echo '(:name \"Z3\")'; echo '(:version \"0\")'; echo '\"\"'";
    for (behaviour, expected) in [
        ("exit 0", "ended without an answer"),
        ("echo '(error \"line 1: what?\")'; cat > /dev/null", "what?"),
        ("echo 'perhaps'; cat > /dev/null", "perhaps"),
        (
            "echo 'sat'; echo '(nonsense'; exit 0",
            "ended without an answer",
        ),
        ("echo 'sat'; echo '((1 2) 3)'; cat > /dev/null", "((1 2) 3)"),
    ] {
        let (_folder, program) = impostor(&format!("{greeting}\n{behaviour}"));
        let mut terms = store();
        let formula = read(&mut terms, "x: Int", "x > 3");
        // One that ends at once may be gone before it is asked who it is.
        let answer = Pipe::start(&program, Dialect::Z3).and_then(|pipe| {
            let mut solver = CheckedSolver::new(pipe);
            solver.assert(formula);
            solver.check(&mut terms)
        });
        match answer {
            Err(error) => assert!(error.to_string().contains(expected), "{error}"),
            Ok(answer) => panic!("{behaviour}: {answer:?}"),
        }
    }
    let (_folder, program) = impostor("exit 1");
    assert!(Pipe::start(&program, Dialect::Z3).is_err());
    assert!(Pipe::start("/no/such/program", Dialect::Cvc5).is_err());
}

#[cfg(unix)]
#[test]
fn a_solver_that_hangs_is_unknown() {
    use choros_smt::{Dialect, Pipe};
    let greeting = "echo '(:name \"Z3\")'; echo '(:version \"0\")'; echo '\"\"'";
    let (_folder, program) = impostor(&format!("{greeting}\nexec sleep 1000"));
    let mut terms = store();
    let mut solver = CheckedSolver::new(Pipe::start(&program, Dialect::Z3).expect("it greets"));
    solver.set_limits(Limits {
        milliseconds: Some(50),
        ..Limits::default()
    });
    let formula = read(&mut terms, "x: Int", "x > 3");
    solver.assert(formula);
    // The bounds differ from those it was started with, so a second one is started: it greets, which is not an answer.
    let answer = solver.check(&mut terms);
    assert!(
        !matches!(answer, Ok(Satisfiability::Sat | Satisfiability::Unsat)),
        "{answer:?}"
    );
}
