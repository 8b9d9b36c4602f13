//! Every operator with every kind of undefined argument, for all who give conditions a meaning; and with arguments at
//! which machines go wrong: numbers beyond 64 bits, fractions that binary numbers round, negative divisors, empty texts
//! and lists, characters of several bytes.
//!
//! The rule is ADR 0005: an undefined operation makes the whole condition false, under `not` and beside a true
//! disjunct too; only the branch of an `if` that is not taken is not examined.
//! The table is made of texts, so that the evaluator, the simplifier, solvers, monitors and emitted code can all be
//! held against it; the expected answers follow from the rule and not from any of them.

use choros_base::SourceMap;
use choros_data::{Assignment, Op, Sort, SortKind, Term, Terms, Value, Var, read_term};

/// One condition and what it comes to under [`OperatorTable::values`].
#[derive(Debug, Clone)]
pub struct OperatorCase {
    /// The operator that has the undefined argument.
    pub op: Op,
    /// The condition.
    pub text: String,
    /// Whether it holds.
    pub holds: bool,
    /// Whether lists or records stand in it, which properties do not know.
    pub has_structure: bool,
    /// Whether a number on the way is larger than any given one: programs may refuse, but not answer otherwise.
    pub is_large: bool,
}

/// The table with the variables of its conditions.
#[derive(Debug, Clone)]
pub struct OperatorTable {
    /// The conditions.
    pub cases: Vec<OperatorCase>,
    /// The variables and their values.
    pub values: Vec<(&'static str, Sort, Value)>,
}

/// A sort of the table by one letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Truth,
    Real,
    Int,
    Text,
    List,
    Record,
}

use Kind::{Int, List, Real, Record, Text, Truth};

/// Operators, how they are written, the sorts of their arguments, and the sort of their result.
///
/// A record and a list are made of one element here; `Op::Field` is asked for its first field.
const OPERATORS: &[(Op, &str, &[Kind], Kind)] = &[
    (Op::Not, "(not @)", &[Truth], Truth),
    (Op::And, "(@ and @)", &[Truth, Truth], Truth),
    (Op::Or, "(@ or @)", &[Truth, Truth], Truth),
    (Op::Implies, "(@ => @)", &[Truth, Truth], Truth),
    (Op::Equal, "(@ == @)", &[Real, Real], Truth),
    (Op::Equal, "(@ == @)", &[Text, Text], Truth),
    (Op::Equal, "(@ == @)", &[Truth, Truth], Truth),
    (Op::NotEqual, "(@ != @)", &[Int, Int], Truth),
    (Op::NotEqual, "(@ != @)", &[Text, Text], Truth),
    (Op::Less, "(@ < @)", &[Real, Real], Truth),
    (Op::LessEqual, "(@ <= @)", &[Int, Int], Truth),
    (Op::Greater, "(@ > @)", &[Real, Real], Truth),
    (Op::GreaterEqual, "(@ >= @)", &[Int, Int], Truth),
    (Op::Add, "(@ + @)", &[Real, Real], Real),
    (Op::Subtract, "(@ - @)", &[Int, Int], Int),
    (Op::Multiply, "(@ * @)", &[Real, Real], Real),
    (Op::Divide, "(@ / @)", &[Real, Real], Real),
    (Op::IntegerDivide, "(@ div @)", &[Int, Int], Int),
    (Op::Modulo, "(@ mod @)", &[Int, Int], Int),
    (Op::Negate, "(-@)", &[Real], Real),
    (Op::Length, "length(@)", &[Text], Int),
    (Op::Length, "length(@)", &[List], Int),
    (Op::Concat, "concat(@, @)", &[Text, Text], Text),
    (Op::Prefix, "prefix(@, @)", &[Text, Text], Truth),
    (Op::Contains, "contains(@, @)", &[Text, Text], Truth),
    (Op::Member, "(@ in @)", &[Int, List], Truth),
    (Op::Index, "@[@]", &[List, Int], Int),
    (Op::Field(0), "@.part", &[Record], Int),
    (Op::MakeRecord, "{part: @}", &[Int], Record),
    (Op::MakeList, "[@]", &[Int], List),
];

/// Conditions that hold, by arithmetic: `-7 = 2 * -4 + 1` and so on.
///
/// `three` is 3, `huge` 2^63 - 1, `tiny` 10^-20, `signs` three characters of two to four bytes.
const TRUE: &[(Op, &str)] = &[
    (Op::IntegerDivide, "(three - 10) div (three - 1) == -4"),
    (Op::IntegerDivide, "(three + 4) div (1 - three) == -3"),
    (Op::IntegerDivide, "(three - 10) div (1 - three) == 4"),
    (Op::Modulo, "(three - 10) mod (three - 1) == 1"),
    (Op::Modulo, "(three + 4) mod (1 - three) == 1"),
    (Op::Modulo, "(three - 10) mod (1 - three) == 1"),
    (Op::Divide, "two / 3.0 * 3.0 == two"),
    (Op::Divide, "two / 3.0 + two / 3.0 + two / 3.0 == two"),
    (Op::Add, "two / 20.0 + two / 10.0 == 0.3"),
    (Op::Add, "two + tiny > two"),
    (Op::Subtract, "two - tiny < two"),
    (Op::Multiply, "two * tiny > tiny"),
    (Op::Negate, "-tiny < zero"),
    (Op::Equal, "not (tiny == zero)"),
    (Op::Length, "length(signs) == 3"),
    (Op::Length, "length(concat(signs, word)) == 5"),
    (Op::Concat, "concat(word, \"\") == word"),
    (Op::Prefix, "prefix(\"\", word)"),
    (Op::Prefix, "not prefix(word, \"\")"),
    (Op::Contains, "contains(word, \"\")"),
    (Op::Contains, "not contains(\"\", word)"),
    (Op::NotEqual, "word != \"AB\""),
    (Op::Length, "length(none) == 0"),
    (Op::Member, "not (three in none)"),
    (Op::Member, "three in some"),
    (Op::Index, "some[nil] == three"),
    (Op::MakeList, "[three, three + 1] == some"),
    (Op::MakeRecord, "{part: three + 2} == pack"),
];

/// Conditions that hold, with a number beyond 64 bits on the way.
const LARGE: &[(Op, &str)] = &[
    (Op::Add, "huge + 1 > huge"),
    (Op::Add, "huge + huge + huge > huge + huge"),
    (Op::Subtract, "-huge - 2 < -huge"),
    (Op::Multiply, "huge * huge > huge"),
    (
        Op::Multiply,
        "huge * huge * huge * huge > huge * huge * huge",
    ),
    (Op::Negate, "-(-huge - 1) > huge"),
    (Op::IntegerDivide, "(-huge - 1) div (nil - 1) > huge"),
    (Op::Modulo, "(huge * huge) mod huge == 0"),
    (Op::Multiply, "tiny * tiny > zero"),
    (Op::Multiply, "tiny * tiny * tiny > zero"),
    (
        Op::Divide,
        "tiny / two / two * tiny * two * two == tiny * tiny",
    ),
];

/// A term of a sort that has a value; all of them are true, or not zero, or not empty.
fn defined(kind: Kind) -> &'static str {
    match kind {
        Truth => "yes",
        Real => "two",
        Int => "three",
        Text => "word",
        List => "some",
        Record => "pack",
    }
}

/// Terms of a sort without a value: by each partial operation, directly or through an `if`.
fn undefined(kind: Kind) -> &'static [&'static str] {
    match kind {
        Truth => &[
            "(two / zero > 1.0)",
            "(three mod nil == 0)",
            "(none[nil] > 0)",
        ],
        Real => &["(two / zero)", "(if three div nil == 0 then two else two)"],
        Int => &[
            "(three div nil)",
            "(three mod nil)",
            "(some[three])",
            "(some[-three])",
        ],
        Text => &["(if two / zero > 1.0 then word else word)"],
        List => &["(if three div nil == 0 then some else some)"],
        Record => &["(if none[nil] == 0 then pack else pack)"],
    }
}

impl OperatorTable {
    /// The table; declares the sorts it needs.
    pub fn new(terms: &mut Terms) -> OperatorTable {
        let list = terms.sort(SortKind::List(Sort::INT));
        let part = terms.names.intern("part");
        let record = terms.sort(SortKind::Record(vec![(part, Sort::INT)]));
        let real = |value: i64| Value::Real(num(value));
        let items = |items: Vec<Value>| Value::List { sort: list, items };
        let values = vec![
            ("yes", Sort::BOOL, Value::Bool(true)),
            ("zero", Sort::REAL, real(0)),
            ("two", Sort::REAL, real(2)),
            ("nil", Sort::INT, Value::int(0)),
            ("three", Sort::INT, Value::int(3)),
            ("huge", Sort::INT, Value::int(i64::MAX)),
            (
                "tiny",
                Sort::REAL,
                Value::Real(num_rational::BigRational::new(
                    1.into(),
                    num_bigint::BigInt::from(10).pow(20),
                )),
            ),
            ("word", Sort::STRING, Value::text("ab")),
            ("signs", Sort::STRING, Value::text("ä€𝄞")),
            ("none", list, items(Vec::new())),
            ("some", list, items(vec![Value::int(3), Value::int(4)])),
            (
                "pack",
                record,
                Value::Record {
                    sort: record,
                    fields: vec![Value::int(5)],
                },
            ),
        ];
        let mut cases = Vec::new();
        for &(op, pattern, sorts, result) in OPERATORS {
            for position in 0..sorts.len() {
                for hole in undefined(sorts[position]) {
                    let mut text = pattern.to_owned();
                    for (number, &sort) in sorts.iter().enumerate() {
                        let argument = if number == position {
                            hole
                        } else {
                            defined(sort)
                        };
                        text = text.replacen('@', argument, 1);
                    }
                    let condition = match result {
                        Truth => text,
                        _ => format!("({text} == {})", defined(result)),
                    };
                    add(op, &condition, &mut cases);
                }
            }
        }
        for hole in undefined(Truth) {
            cases.push(case(Op::If, format!("if {hole} then yes else yes"), false));
        }
        for &(op, text) in TRUE {
            cases.push(case(op, text.to_owned(), true));
            cases.push(case(op, format!("not ({text})"), false));
        }
        for &(op, text) in LARGE {
            for (text, holds) in [(text.to_owned(), true), (format!("not ({text})"), false)] {
                cases.push(OperatorCase {
                    is_large: true,
                    ..case(op, text, holds)
                });
            }
        }
        OperatorTable { cases, values }
    }

    /// The variables of the table.
    pub fn variables(&self, terms: &mut Terms) -> Vec<Var> {
        let named = self.values.iter().map(|&(name, sort, _)| (name, sort));
        named
            .filter_map(|(name, sort)| {
                let term = terms.named(name, sort);
                terms.as_variable(term)
            })
            .collect()
    }

    /// Their values.
    pub fn assignment(&self, terms: &mut Terms) -> Assignment {
        let values = self.values.iter().map(|(_, _, value)| value.clone());
        self.variables(terms).into_iter().zip(values).collect()
    }

    /// A condition of the table as a term.
    pub fn read(&self, case: &OperatorCase, terms: &mut Terms) -> Term {
        let variables = self.variables(terms);
        let mut sources = SourceMap::new();
        let wanted = Some(Sort::BOOL);
        match read_term(terms, &mut sources, "case", &case.text, &variables, wanted) {
            Ok(term) => term,
            Err(found) => panic!("{}: {found:?}", case.text),
        }
    }
}

/// A condition with something undefined in it, alone and inside every connective.
fn add(op: Op, condition: &str, cases: &mut Vec<OperatorCase>) {
    for (pattern, holds) in [
        ("@", false),
        ("not @", false),
        ("@ or yes", false),
        ("yes or @", false),
        ("@ and yes", false),
        ("yes and not @", false),
        ("@ => yes", false),
        ("not yes => @", false),
        ("not (yes and @)", false),
        ("if yes then @ else yes", false),
        ("if yes then yes else @", true),
        ("if not yes then @ else yes", true),
    ] {
        cases.push(case(op, pattern.replace('@', condition), holds));
    }
}

fn case(op: Op, text: String, holds: bool) -> OperatorCase {
    let has_structure = ["none", "some", "pack", "{", "["]
        .iter()
        .any(|part| text.contains(part));
    OperatorCase {
        op,
        text,
        holds,
        has_structure,
        is_large: false,
    }
}

fn num(value: i64) -> num_rational::BigRational {
    num_rational::BigRational::from_integer(value.into())
}
