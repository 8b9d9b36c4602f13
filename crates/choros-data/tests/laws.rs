//! Laws of the data language on random terms: printing and reading, simplifying, substituting, closing.
//!
//! The generator is typed, so every term it makes is well-sorted; proptest prints the seed of a failure.

mod random;

use choros_base::SourceMap;
use choros_data::{Assignment, NoValue, Op, Quantifier, Sort, Term, Terms, Value, Var, read_term};
use proptest::prelude::*;
use random::{Choices, World, choices};
use rustc_hash::FxHashMap;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn what_is_printed_reads_back(choices in choices(), sort in 0..6usize) {
        let mut world = World::new();
        let sort = world.sorts[sort];
        let term = world.term(sort, &mut Choices::new(&choices), 4);
        let text = world.terms.print(term);
        let variables = world.variables.clone();
        let read = read_term(&mut world.terms, &mut SourceMap::new(), "test", &text, &variables, Some(sort));
        match read {
            Ok(read) => prop_assert_eq!(read, term, "{} became {}", text, world.terms.print(read)),
            Err(findings) => prop_assert!(false, "{} was refused: {:?}", text, findings[0].message),
        }
    }

    #[test]
    fn simplifying_keeps_the_value(choices in choices(), values in choices()) {
        let mut world = World::new();
        let term = world.term(Sort::BOOL, &mut Choices::new(&choices), 4);
        let simple = world.terms.simplify(term);
        let assignment = world.assignment(&mut Choices::new(&values));
        match world.terms.evaluate(term, &assignment) {
            // Where the term has no value, any will do: closed formulas never look there.
            Err(NoValue::Undefined) => {}
            value => prop_assert_eq!(
                world.terms.evaluate(simple, &assignment), value,
                "{} became {}", world.terms.print(term), world.terms.print(simple)
            ),
        }
        prop_assert_eq!(world.terms.simplify(simple), simple, "simplifying twice changes {}", world.terms.print(simple));
    }

    #[test]
    fn simplified_formulas_are_in_negation_normal_form(choices in choices()) {
        let mut world = World::new();
        let term = world.term(Sort::BOOL, &mut Choices::new(&choices), 4);
        let simple = world.terms.simplify(term);
        for part in world.terms.postorder([simple]) {
            if let choros_data::TermKind::Apply(Op::Not, &[inner]) = world.terms.kind(part) {
                let comparison = matches!(
                    world.terms.kind(inner),
                    choros_data::TermKind::Apply(
                        Op::And | Op::Or | Op::Implies | Op::Equal | Op::NotEqual | Op::Less
                        | Op::LessEqual | Op::Greater | Op::GreaterEqual, _)
                );
                prop_assert!(!comparison, "a negated comparison in {}", world.terms.print(simple));
            }
        }
    }

    #[test]
    fn a_closed_guard_is_true_just_when_the_guard_is_defined_and_true(choices in choices(), values in choices()) {
        let mut world = World::new();
        let guard = world.term(Sort::BOOL, &mut Choices::new(&choices), 4);
        let closed = world.terms.close(guard);
        let assignment = world.assignment(&mut Choices::new(&values));
        // The strict twin: a guard with an undefined operation anywhere (but in a branch not taken) is false.
        let expected = strict_value(&world.terms, guard, &assignment) == Some(Value::Bool(true));
        prop_assert_eq!(
            world.terms.evaluate_guard(closed, &assignment), Ok(expected),
            "{}", world.terms.print(closed)
        );
        // Also where the guard stands inside a larger formula.
        let negated = world.terms.not(closed);
        prop_assert_eq!(world.terms.evaluate(negated, &assignment), Ok(Value::Bool(!expected)));
    }

    #[test]
    fn closing_does_not_change_a_total_formula(choices in choices(), values in choices()) {
        let mut world = World::new();
        let guard = world.term(Sort::BOOL, &mut Choices::new(&choices), 4);
        let closed = world.terms.close(guard);
        let negated = world.terms.not(closed);
        let assignment = world.assignment(&mut Choices::new(&values));
        for formula in [closed, negated] {
            let total = world.terms.total(formula);
            let again = world.terms.close(total);
            let expected = world.terms.evaluate(formula, &assignment);
            prop_assert_eq!(strict_value(&world.terms, total, &assignment), expected.clone().ok());
            prop_assert_eq!(world.terms.evaluate(again, &assignment), expected);
        }
    }

    #[test]
    fn substituting_values_is_evaluating_under_them(choices in choices(), values in choices()) {
        let mut world = World::new();
        let term = world.term(Sort::BOOL, &mut Choices::new(&choices), 4);
        let assignment = world.assignment(&mut Choices::new(&values));
        let replacement: FxHashMap<Var, Term> = world
            .variables
            .clone()
            .into_iter()
            .map(|variable| (variable, world.terms.constant(assignment[&variable].clone())))
            .collect();
        let ground = world.terms.substitute(term, &replacement);
        prop_assert!(world.terms.free_variables(ground).is_empty());
        prop_assert_eq!(
            world.terms.evaluate(ground, &Assignment::default()),
            world.terms.evaluate(term, &assignment)
        );
    }
}

#[test]
fn substitution_avoids_capture() {
    let mut terms = Terms::new();
    let x = terms.named("x", Sort::INT);
    let y = terms.named("y", Sort::INT);
    let (x_variable, y_variable) = (terms.as_variable(x).unwrap(), terms.as_variable(y).unwrap());
    let less = terms.compare(Op::Less, x, y);
    let formula = terms.quantify(Quantifier::Exists, &[x_variable], less);
    // y := x must not fall under the quantifier on x.
    let replaced = terms.substitute(formula, &FxHashMap::from_iter([(y_variable, x)]));
    assert_eq!(terms.free_variables(replaced), vec![x_variable]);
}

#[test]
fn two_bounds_that_leave_one_number_are_an_equation() {
    let mut terms = Terms::new();
    for (text, expected) in [
        ("x < 6 and x > 4", "x == 5"),
        ("x < 5 or x >= 6", "x != 5"),
        ("x <= 2.5 and x >= 2.5", "x == 2.5"),
        ("x < 2.5 or x > 2.5", "x != 2.5"),
        ("x < 6 and x > 3", "x < 6 and x > 3"),
        ("x < 6.0 and x > 4.0", "x < 6.0 and x > 4.0"),
        ("x <= 5 or x >= 6", "true"),
        ("x < y + 1 and y < x + 1", "x == y"),
        ("x <= y - 1 or x > y", "x != y"),
        ("x < y + 1.0", "x < y + 1.0"),
    ] {
        let term = read_term(&mut terms, &mut SourceMap::new(), "test", text, &[], None).unwrap();
        let simple = terms.simplify(term);
        assert_eq!(terms.print(simple), expected, "{text}");
    }
}

#[test]
fn quantified_formulas_read_back() {
    let mut terms = Terms::new();
    let text = "forall x: Int, y: List(Real). x == z => (exists x: Real. x in y)";
    let read = |terms: &mut Terms, text: &str| {
        read_term(
            terms,
            &mut SourceMap::new(),
            "test",
            text,
            &[],
            Some(Sort::BOOL),
        )
        .unwrap()
    };
    let term = read(&mut terms, text);
    let printed = terms.print(term);
    assert_eq!(read(&mut terms, &printed), term, "{printed}");
    assert_eq!(terms.free_variables(term).len(), 1);
}

#[test]
fn deep_chains_cost_no_stack() {
    let mut terms = Terms::new();
    let mut text = "x".to_owned();
    for _ in 0..20_000 {
        text.push_str(" - 1 + x");
    }
    text.push_str(" > 0");
    let term = read_term(
        &mut terms,
        &mut SourceMap::new(),
        "test",
        &text,
        &[],
        Some(Sort::BOOL),
    )
    .unwrap();
    assert_eq!(terms.print(term), text);
    let simple = terms.simplify(term);
    let x = terms.free_variables(simple)[0];
    let assignment = Assignment::from_iter([(x, Value::int(2))]);
    assert_eq!(terms.evaluate(simple, &assignment), Ok(Value::Bool(true)));
    let arrows: Vec<String> = (0..50_000).map(|number| format!("p{number}")).collect();
    let term = read_term(
        &mut terms,
        &mut SourceMap::new(),
        "test",
        &arrows.join(" => "),
        &[],
        Some(Sort::BOOL),
    )
    .unwrap();
    terms.simplify(term);
    let arrows = vec!["p"; 50_000].join(" => ");
    let term = read_term(
        &mut terms,
        &mut SourceMap::new(),
        "test",
        &arrows,
        &[],
        Some(Sort::BOOL),
    )
    .unwrap();
    let negated = terms.not(term);
    let simple = terms.simplify(negated);
    assert_eq!(simple, Term::FALSE);
}

/// The naive twin of definedness: `None` as soon as anything that is examined is undefined.
fn strict_value(terms: &Terms, term: Term, assignment: &Assignment) -> Option<Value> {
    if let choros_data::TermKind::Apply(op, arguments) = terms.kind(term) {
        if op == Op::If {
            let condition = strict_value(terms, arguments[0], assignment)?;
            let branch = if condition == Value::Bool(true) {
                arguments[1]
            } else {
                arguments[2]
            };
            return strict_value(terms, branch, assignment);
        }
        for &argument in arguments {
            strict_value(terms, argument, assignment)?;
        }
    }
    terms.evaluate(term, assignment).ok()
}
