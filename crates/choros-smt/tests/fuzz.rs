//! Evaluator, simplifier and solvers against each other, on random terms with all sorts and partial operations.
//!
//! No solver is taken at its word here: `Unknown` is allowed, a contradiction is not.

#[path = "../../choros-data/tests/random/mod.rs"]
mod random;
mod solvers;

use std::cell::{RefCell, RefMut};

use choros_data::{Assignment, Op, Quantifier, Sort, Term, Terms, Value, Var};
use choros_smt::{
    Cached, CheckedSolver, Elimination, Limits, PartwiseSolver, Satisfiability, Solver, Truth,
};
use num_rational::BigRational;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use random::{Choices, World, choices};

/// Runs a property on random choices, with one store and one solver for all cases, as in a long run.
fn run(
    cases: u32,
    mut open: solvers::Open,
    property: impl Fn(&mut World, &mut dyn Solver, &[u8], &[u8]) -> Result<(), String>,
) {
    run_on(cases, CheckedSolver::new(open()), property);
}

fn run_on(
    cases: u32,
    mut solver: impl Solver,
    property: impl Fn(&mut World, &mut dyn Solver, &[u8], &[u8]) -> Result<(), String>,
) {
    solver.set_limits(Limits {
        resources: 100_000,
        milliseconds: Some(500),
        ..Limits::default()
    });
    let name = solver.name();
    let state = RefCell::new((World::new(), solver));
    let mut runner = TestRunner::new(Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    });
    let result = runner.run(&(choices(), choices()), |(first, second)| {
        let (world, solver) = &mut *state.borrow_mut();
        property(world, solver, &first, &second).map_err(TestCaseError::fail)
    });
    if let Err(error) = result {
        panic!("{name}: {error}\n{runner}");
    }
}

/// The formula `variable == value`, for each variable that occurs.
fn pinned(terms: &mut Terms, formula: Term, assignment: &Assignment) -> Vec<Term> {
    let variables = terms.free_variables(formula);
    variables
        .into_iter()
        .map(|variable| {
            let value = terms.constant(assignment[&variable].clone());
            let variable = terms.var(variable);
            terms.equal(variable, value)
        })
        .collect()
}

/// A closed formula under an assignment: the solver must not contradict the evaluator, either way round.
fn agrees_with_the_evaluator(
    counts: &RefCell<(u32, u32)>,
    world: &mut World,
    solver: &mut dyn Solver,
    first: &[u8],
    second: &[u8],
) -> Result<(), String> {
    let formula = world.term(Sort::BOOL, &mut Choices::new(first), 4);
    let formula = world.terms.close(formula);
    let assignment = world.assignment(&mut Choices::new(second));
    let truth = world.terms.evaluate_guard(formula, &assignment);
    let truth = truth.map_err(|reason| format!("{reason:?}"))?;
    let negation = world.terms.not(formula);
    for (claim, holds) in [(formula, truth), (negation, !truth)] {
        let mut formulas = pinned(&mut world.terms, formula, &assignment);
        formulas.push(claim);
        let answer = solver
            .satisfiable(&mut world.terms, &formulas)
            .map_err(|error| error.to_string())?;
        let contradiction = match answer {
            Satisfiability::Sat => !holds,
            Satisfiability::Unsat => holds,
            Satisfiability::Unknown(_) => false,
        };
        let mut counts = counts.borrow_mut();
        counts.0 += u32::from(!matches!(answer, Satisfiability::Unknown(_)));
        counts.1 += 1;
        if contradiction {
            let text: Vec<String> = formulas.iter().map(|&f| world.terms.print(f)).collect();
            return Err(format!("{answer:?}: {}", text.join(" and ")));
        }
    }
    Ok(())
}

/// Fails when too little was decided for the test to mean anything.
fn assert_force(counts: RefCell<(u32, u32)>) {
    let (decided, all) = counts.into_inner();
    assert!(
        decided * 10 >= all * 8,
        "only {decided} of {all} were decided: the test has lost its force"
    );
}

#[test]
fn z3_agrees_with_the_evaluator() {
    if let Some(open) = solvers::in_process() {
        let counts = RefCell::default();
        run(400, open, |world, solver, first, second| {
            agrees_with_the_evaluator(&counts, world, solver, first, second)
        });
        assert_force(counts);
    }
}

#[test]
fn parts_that_are_decided_apart_agree_with_the_evaluator() {
    if let Some(mut open) = solvers::in_process() {
        let counts = RefCell::default();
        let solver = PartwiseSolver::new(Cached::new(CheckedSolver::new(open())));
        run_on(400, solver, |world, solver, first, second| {
            agrees_with_the_evaluator(&counts, world, solver, first, second)
        });
        assert_force(counts);
    }
}

/// The naive twin decides the whole at once.
#[test]
fn parts_that_are_decided_apart_agree_with_the_whole() {
    let (Some(mut apart), Some(whole)) = (solvers::in_process(), solvers::in_process()) else {
        return;
    };
    let apart = RefCell::new(PartwiseSolver::new(Cached::new(
        CheckedSolver::new(apart()),
    )));
    apart.borrow_mut().set_limits(Limits {
        resources: 100_000,
        milliseconds: Some(500),
        ..Limits::default()
    });
    let counts = RefCell::default();
    run(400, whole, |world, whole, first, second| {
        let (mut one, mut other) = (Choices::new(first), Choices::new(second));
        let mut formulas = Vec::new();
        for choices in [&mut one, &mut other] {
            for _ in 0..3 {
                let formula = world.term(Sort::BOOL, choices, 2);
                formulas.push(world.terms.close(formula));
            }
        }
        let (asserted, assumed) = formulas.split_at(3);
        let terms = &mut world.terms;
        let mut ask = |solver: &mut dyn Solver| {
            solver.push();
            asserted.iter().for_each(|&formula| solver.assert(formula));
            let answer = solver.check_assuming(terms, assumed);
            solver.pop();
            answer.map_err(|error| error.to_string())
        };
        let expected = ask(whole)?;
        let mut apart = apart.borrow_mut();
        let answer = ask(&mut *apart)?;
        let mut counts: RefMut<'_, (u32, u32)> = counts.borrow_mut();
        counts.0 += u32::from(!matches!(answer, Satisfiability::Unknown(_)));
        counts.1 += 1;
        let text: Vec<String> = formulas.iter().map(|&f| terms.print(f)).collect();
        let text = text.join(" and ");
        match (&expected, &answer) {
            (Satisfiability::Sat, Satisfiability::Unsat)
            | (Satisfiability::Unsat, Satisfiability::Sat) => {
                return Err(format!("{expected:?}, apart {answer:?}: {text}"));
            }
            _ => {}
        }
        if answer == Satisfiability::Sat {
            let solution = apart.solution().ok_or("no solution")?;
            for &formula in &formulas {
                if terms.evaluate_guard(formula, solution) != Ok(true) {
                    return Err(format!(
                        "the solution does not satisfy {}",
                        terms.print(formula)
                    ));
                }
            }
        }
        if answer == Satisfiability::Unsat {
            let core = apart.unsat_core().ok_or("no core")?.to_vec();
            let mut conflict = asserted.to_vec();
            conflict.extend(core.iter().map(|&position| assumed[position]));
            if matches!(whole.satisfiable(terms, &conflict), Ok(Satisfiability::Sat)) {
                return Err(format!("{core:?} is not a core of {text}"));
            }
        }
        Ok(())
    });
    assert_force(counts);
}

#[test]
fn cvc5_agrees_with_the_evaluator() {
    if let Some(open) = solvers::cvc5() {
        let counts = RefCell::default();
        run(150, open, |world, solver, first, second| {
            agrees_with_the_evaluator(&counts, world, solver, first, second)
        });
        assert_force(counts);
    }
}

#[test]
fn simplifying_is_proved_right() {
    let Some(open) = solvers::in_process() else {
        return;
    };
    let counts = RefCell::default();
    run(400, open, |world, solver, first, _| {
        let formula = world.term(Sort::BOOL, &mut Choices::new(first), 3);
        let formula = world.terms.close(formula);
        let simple = world.terms.simplify(formula);
        let truth = solver.equivalent(&mut world.terms, formula, simple);
        let mut counts: RefMut<'_, (u32, u32)> = counts.borrow_mut();
        counts.1 += 1;
        match truth.map_err(|error| error.to_string())? {
            Truth::True => counts.0 += 1,
            Truth::Unknown(_) => {}
            Truth::False => {
                return Err(format!(
                    "{} is not {}",
                    world.terms.print(formula),
                    world.terms.print(simple)
                ));
            }
        }
        Ok(())
    });
    assert_force(counts);
}

#[test]
fn solvers_agree_with_each_other() {
    let (Some(z3), Some(mut cvc5)) = (solvers::in_process(), solvers::cvc5()) else {
        return;
    };
    let other = RefCell::new(CheckedSolver::new(cvc5()));
    other.borrow_mut().set_limits(Limits {
        resources: 100_000,
        milliseconds: Some(500),
        ..Limits::default()
    });
    run(150, z3, |world, solver, first, _| {
        let formula = world.term(Sort::BOOL, &mut Choices::new(first), 4);
        let formula = world.terms.close(formula);
        let left = solver.satisfiable(&mut world.terms, &[formula]);
        let right = other.borrow_mut().satisfiable(&mut world.terms, &[formula]);
        match (left, right) {
            (Ok(Satisfiability::Sat), Ok(Satisfiability::Unsat))
            | (Ok(Satisfiability::Unsat), Ok(Satisfiability::Sat)) => {
                Err(format!("they differ on {}", world.terms.print(formula)))
            }
            (Err(error), _) | (_, Err(error)) => Err(error.to_string()),
            _ => Ok(()),
        }
    });
}

/// Elimination against trying values out: what a value satisfies, the result must admit.
#[test]
fn elimination_admits_what_values_satisfy() {
    let Some(open) = solvers::in_process() else {
        return;
    };
    let counts = RefCell::default();
    run(250, open, |world, solver, first, second| {
        let mut choices = Choices::new(first);
        let variable = world.variables[[2, 4, 0, 8, 10][choices.next(5)]];
        let body = linear(world, &mut choices, variable, 3);
        let body = world.terms.close(body);
        let formula = world.terms.quantify(Quantifier::Exists, &[variable], body);
        let result = solver
            .eliminate(&mut world.terms, formula)
            .map_err(|error| error.to_string())?;
        let mut counts: RefMut<'_, (u32, u32)> = counts.borrow_mut();
        counts.1 += 1;
        let Elimination::Free(result) = result else {
            return Ok(());
        };
        counts.0 += 1;
        let terms = &world.terms;
        if terms.is_quantified(result) || terms.free_variables(result).contains(&variable) {
            return Err(format!("{} still binds", terms.print(result)));
        }
        let mut assignment = world.assignment(&mut Choices::new(second));
        let sort = world.terms.variable_sort(variable);
        for number in 0..=255 {
            let value = world.value(sort, &mut Choices::new(&[number, number / 9]));
            assignment.insert(variable, value);
            let inside = world.terms.evaluate_guard(body, &assignment);
            let outside = world.terms.evaluate_guard(result, &assignment);
            if inside == Ok(true) && outside != Ok(true) {
                return Err(format!(
                    "{} became {}, which is {outside:?} under {assignment:?}",
                    world.terms.print(formula),
                    world.terms.print(result)
                ));
            }
        }
        Ok(())
    });
    assert_force(counts);
}

/// A formula that is linear in the variable.
fn linear(world: &mut World, choices: &mut Choices<'_>, variable: Var, depth: usize) -> Term {
    let sort = world.terms.variable_sort(variable);
    if depth > 0 && choices.next(3) > 0 {
        let parts: Vec<Term> = (0..2 + choices.next(2))
            .map(|_| linear(world, choices, variable, depth - 1))
            .collect();
        return match choices.next(4) {
            0 | 1 => world.terms.and(parts),
            2 => world.terms.or(parts),
            _ => world.terms.not(parts[0]),
        };
    }
    let this = world.terms.var(variable);
    let other = world.term(sort, choices, 0);
    if sort == Sort::BOOL {
        return world.terms.equal(this, other);
    }
    if !sort.is_number() {
        let op = [Op::Equal, Op::NotEqual][choices.next(2)];
        return world.terms.compare(op, this, other);
    }
    let factor = choices.next(5) as i64 - 2;
    let factor = match sort {
        Sort::INT => world.terms.int(factor),
        _ => world
            .terms
            .constant(Value::Real(BigRational::from_integer(factor.into()))),
    };
    let scaled = world.terms.arithmetic(Op::Multiply, factor, this);
    let op = [
        Op::Less,
        Op::LessEqual,
        Op::Greater,
        Op::GreaterEqual,
        Op::Equal,
        Op::NotEqual,
    ][choices.next(6)];
    world.terms.compare(op, scaled, other)
}
