//! Every operator with every kind of undefined argument, for every solver: a closed condition means the same to all.

mod solvers;

use choros_data::{Term, Terms};
use choros_smt::{CheckedSolver, Satisfiability, Solver};
use choros_testkit::OperatorTable;

#[test]
fn a_closed_condition_is_false_where_an_operation_is_undefined() {
    for mut open in solvers::all() {
        let mut terms = Terms::new();
        let table = OperatorTable::new(&mut terms);
        let mut solver = CheckedSolver::new(open());
        let variables = table.variables(&mut terms);
        let mut known: Vec<Term> = Vec::new();
        for (&variable, (_, _, value)) in variables.iter().zip(&table.values) {
            let (left, right) = (terms.var(variable), terms.constant(value.clone()));
            known.push(terms.equal(left, right));
        }
        for case in &table.cases {
            let condition = table.read(case, &mut terms);
            let closed = terms.close(condition);
            let mut formulas = known.clone();
            formulas.push(closed);
            let answer = solver.satisfiable(&mut terms, &formulas).expect("works");
            let expected = if case.holds {
                Satisfiability::Sat
            } else {
                Satisfiability::Unsat
            };
            assert_eq!(answer, expected, "{}: {}", solver.name(), case.text);
        }
    }
}
