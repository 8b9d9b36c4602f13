//! Laws of the data language on random terms: printing and reading, simplifying, substituting, closing.
//!
//! The generator is typed, so every term it makes is well-sorted; proptest prints the seed of a failure.

use choros_base::SourceMap;
use choros_data::{
    Assignment, NoValue, Op, Quantifier, Sort, SortKind, Term, Terms, Value, Var, read_term,
};
use num_rational::BigRational;
use proptest::prelude::*;
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

/// Numbers that decide what the generator does next.
fn choices() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 1..80)
}

struct Choices<'a> {
    numbers: &'a [u8],
    position: usize,
}

impl<'a> Choices<'a> {
    fn new(numbers: &'a [u8]) -> Self {
        Self {
            numbers,
            position: 0,
        }
    }

    fn next(&mut self, limit: usize) -> usize {
        let number = self.numbers.get(self.position).copied().unwrap_or(0);
        self.position += 1;
        usize::from(number) % limit
    }
}

struct World {
    terms: Terms,
    sorts: Vec<Sort>,
    variables: Vec<Var>,
}

impl World {
    fn new() -> Self {
        let mut terms = Terms::new();
        let status = terms.names.intern("Status");
        let constructors = vec![terms.names.intern("Open"), terms.names.intern("Shut")];
        let status = terms.sort(SortKind::Enumeration {
            name: status,
            constructors,
        });
        let (weight, price) = (terms.names.intern("weight"), terms.names.intern("price"));
        let record = terms.sort(SortKind::Record(vec![
            (weight, Sort::INT),
            (price, Sort::REAL),
        ]));
        let list = terms.list_sort(Sort::INT);
        let sorts = vec![
            Sort::BOOL,
            Sort::INT,
            Sort::REAL,
            Sort::STRING,
            Sort::SYMBOL,
            status,
            record,
            list,
        ];
        let mut variables = Vec::new();
        for (index, &sort) in sorts.iter().enumerate() {
            for number in 0..2 {
                let name = terms.names.intern(&format!("v{index}_{number}"));
                variables.push(terms.variable(name, sort));
            }
        }
        Self {
            terms,
            sorts,
            variables,
        }
    }

    fn value(&mut self, sort: Sort, choices: &mut Choices<'_>) -> Value {
        match self.terms.sort_kind(sort).clone() {
            SortKind::Bool => Value::Bool(choices.next(2) == 1),
            SortKind::Int => Value::int(choices.next(7) as i64 - 3),
            SortKind::Real => Value::Real(BigRational::new(
                (choices.next(9) as i64 - 4).into(),
                (choices.next(4) as i64 + 1).into(),
            )),
            SortKind::String => Value::text(["", "a", "ab", "é\"\\\n"][choices.next(4)]),
            SortKind::Uninterpreted(_) => {
                let name = self
                    .terms
                    .names
                    .intern(["OK", "KO", "ACCEPT"][choices.next(3)]);
                Value::Atom { sort, name }
            }
            SortKind::Enumeration { constructors, .. } => Value::Constructor {
                sort,
                index: choices.next(constructors.len()) as u32,
            },
            SortKind::Record(fields) => {
                let fields = fields
                    .iter()
                    .map(|&(_, sort)| self.value(sort, choices))
                    .collect();
                Value::Record { sort, fields }
            }
            SortKind::List(element) => {
                let length = choices.next(3);
                let items = (0..length).map(|_| self.value(element, choices)).collect();
                Value::List { sort, items }
            }
        }
    }

    fn assignment(&mut self, choices: &mut Choices<'_>) -> Assignment {
        let variables = self.variables.clone();
        variables
            .into_iter()
            .map(|variable| {
                (
                    variable,
                    self.value(self.terms.variable_sort(variable), choices),
                )
            })
            .collect()
    }

    fn term(&mut self, sort: Sort, choices: &mut Choices<'_>, depth: usize) -> Term {
        let leaf = depth == 0 || choices.next(5) == 0;
        if leaf {
            if choices.next(2) == 0 {
                let value = self.value(sort, choices);
                return self.terms.constant(value);
            }
            let candidates: Vec<Var> = self
                .variables
                .iter()
                .copied()
                .filter(|&variable| self.terms.variable_sort(variable) == sort)
                .collect();
            let variable = candidates[choices.next(candidates.len())];
            return self.terms.var(variable);
        }
        if choices.next(8) == 0 {
            let condition = self.term(Sort::BOOL, choices, depth - 1);
            let yes = self.term(sort, choices, depth - 1);
            let no = self.term(sort, choices, depth - 1);
            return self.terms.if_then_else(condition, yes, no);
        }
        let (record, list) = (self.sorts[6], self.sorts[7]);
        match self.terms.sort_kind(sort).clone() {
            SortKind::Bool => self.formula(choices, depth),
            SortKind::Int if choices.next(4) == 0 => match choices.next(3) {
                0 => {
                    let list = self.term(list, choices, depth - 1);
                    let position = self.term(Sort::INT, choices, depth - 1);
                    self.terms.index(list, position)
                }
                1 => {
                    let text = self.term(Sort::STRING, choices, depth - 1);
                    self.terms.length(text)
                }
                _ => {
                    let record = self.term(record, choices, depth - 1);
                    let label = self.terms.names.intern("weight");
                    self.terms.field(record, label).unwrap()
                }
            },
            SortKind::Int | SortKind::Real => {
                let left = self.term(sort, choices, depth - 1);
                let right = self.term(sort, choices, depth - 1);
                let ops = match sort {
                    Sort::INT => [
                        Op::Add,
                        Op::Subtract,
                        Op::Multiply,
                        Op::IntegerDivide,
                        Op::Modulo,
                    ],
                    _ => [Op::Add, Op::Subtract, Op::Multiply, Op::Divide, Op::Divide],
                };
                match choices.next(6) {
                    5 => self.terms.negate(left),
                    op => self.terms.arithmetic(ops[op], left, right),
                }
            }
            SortKind::String | SortKind::List(_) => {
                let left = self.term(sort, choices, depth - 1);
                let right = self.term(sort, choices, depth - 1);
                self.terms.concat(&[left, right])
            }
            SortKind::Record(fields) => {
                let fields: Vec<Term> = fields
                    .iter()
                    .map(|&(_, sort)| self.term(sort, choices, depth - 1))
                    .collect();
                self.terms.record(sort, &fields)
            }
            SortKind::Uninterpreted(_) | SortKind::Enumeration { .. } => {
                let value = self.value(sort, choices);
                self.terms.constant(value)
            }
        }
    }

    fn formula(&mut self, choices: &mut Choices<'_>, depth: usize) -> Term {
        match choices.next(8) {
            0 => {
                let inner = self.term(Sort::BOOL, choices, depth - 1);
                self.terms.not(inner)
            }
            1 | 2 => {
                let count = 2 + choices.next(3);
                let parts: Vec<Term> = (0..count)
                    .map(|_| self.term(Sort::BOOL, choices, depth - 1))
                    .collect();
                if choices.next(2) == 0 {
                    self.terms.and(parts)
                } else {
                    self.terms.or(parts)
                }
            }
            3 => {
                let left = self.term(Sort::BOOL, choices, depth - 1);
                let right = self.term(Sort::BOOL, choices, depth - 1);
                self.terms.implies(left, right)
            }
            4 => {
                let item = self.term(Sort::INT, choices, depth - 1);
                let list = self.term(self.sorts[7], choices, depth - 1);
                self.terms.member(item, list)
            }
            5 => {
                let left = self.term(Sort::STRING, choices, depth - 1);
                let right = self.term(Sort::STRING, choices, depth - 1);
                if choices.next(2) == 0 {
                    self.terms.prefix(left, right)
                } else {
                    self.terms.contains(left, right)
                }
            }
            6 => {
                let sort = self.sorts[choices.next(self.sorts.len())];
                let left = self.term(sort, choices, depth - 1);
                let right = self.term(sort, choices, depth - 1);
                let op = if choices.next(2) == 0 {
                    Op::Equal
                } else {
                    Op::NotEqual
                };
                self.terms.compare(op, left, right)
            }
            _ => {
                let sort = [Sort::INT, Sort::REAL][choices.next(2)];
                let left = self.term(sort, choices, depth - 1);
                let right = self.term(sort, choices, depth - 1);
                let op = [
                    Op::Less,
                    Op::LessEqual,
                    Op::Greater,
                    Op::GreaterEqual,
                    Op::Equal,
                ][choices.next(5)];
                self.terms.compare(op, left, right)
            }
        }
    }
}

/// The naive twin of definedness: `None` as soon as anything that is looked at is undefined.
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
