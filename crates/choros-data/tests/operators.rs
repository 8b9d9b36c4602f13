//! Every operator with every kind of undefined argument, for evaluator and simplifier.

use choros_data::Terms;
use choros_testkit::OperatorTable;

#[test]
fn an_undefined_operation_makes_the_condition_false() {
    let mut terms = Terms::new();
    let table = OperatorTable::new(&mut terms);
    let values = table.assignment(&mut terms);
    assert!(table.cases.len() > 1000);
    for case in &table.cases {
        let text = &case.text;
        let condition = table.read(case, &mut terms);
        let holds = terms.condition_holds(condition, &values);
        assert_eq!(holds, Ok(case.holds), "as written: {text}");
        let closed = terms.close(condition);
        let holds = terms.evaluate_guard(closed, &values);
        assert_eq!(holds, Ok(case.holds), "closed: {text}");
        let simple = terms.simplify(closed);
        let holds = terms.evaluate_guard(simple, &values);
        assert_eq!(holds, Ok(case.holds), "simplified: {text}");
        let negated = terms.not(closed);
        let negated = terms.simplify(negated);
        let holds = terms.evaluate_guard(negated, &values);
        assert_eq!(
            holds,
            Ok(!case.holds),
            "the negation of the closed condition: {text}"
        );
    }
}
