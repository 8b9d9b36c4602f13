//! Values that satisfy a problem, or the assertions that contradict each other.

use choros_base::Span;
use choros_data::{Sort, SortKind, Term, Terms, Value, Var};
use choros_model::evidence::{ConditionEvidence, Table};
use choros_model::{Bound, Evidence, Unknown, Verdict};
use choros_smt::{Satisfiability, Solver, SolverError};
use choros_xml::schema::UNFOLDED;
use num_traits::{One, Zero};

use crate::{Problem, VariableContent};

/// The answer to a problem.
#[derive(Debug, Clone)]
pub struct SolveAnswer {
    /// *Holds* with values, *fails* with the assertions that contradict each other, or *unknown*.
    pub verdict: Verdict,
    /// The values, in the order of declaration.
    pub values: Vec<SolvedValue>,
}

/// The value of a variable.
#[derive(Debug, Clone)]
pub struct SolvedValue {
    /// The variable.
    pub name: String,
    pub value: String,
    /// The same as XML, or why it has no text there.
    pub xml: Result<String, String>,
}

impl SolveAnswer {
    fn without_values(verdict: Verdict) -> SolveAnswer {
        SolveAnswer {
            verdict,
            values: Vec::new(),
        }
    }
}

/// After this many questions about plain values, the others keep what the solver chose.
const MAX_QUESTIONS: usize = 400;

/// Looks for values.
pub fn solve(
    problem: &Problem,
    solver: &mut dyn Solver,
    terms: &mut Terms,
) -> Result<SolveAnswer, SolverError> {
    for formula in problem.background(terms) {
        solver.assert(formula);
    }
    let assumptions: Vec<Term> = problem.assertions.iter().map(|&(term, _)| term).collect();
    let variables: Vec<Var> = problem.variables.iter().map(|it| it.variable).collect();
    let mut asked = 0;
    let found = loop {
        match solver.check_assuming(terms, &assumptions)? {
            Satisfiability::Sat => {}
            Satisfiability::Unsat => {
                let core: Vec<usize> = solver.unsat_core().unwrap_or_default().to_vec();
                return Ok(SolveAnswer::without_values(contradiction(
                    problem, &core, terms,
                )));
            }
            Satisfiability::Unknown(reason) => {
                let bound = reason.bound().map(|_| Bound::SolverBudget(None));
                return Ok(unknown(reason.to_string(), bound));
            }
        }
        let found = values(&variables, solver, terms);
        let known = found.as_deref().unwrap_or_default();
        let neighbours = problem.neighbours(terms, known);
        asked += 1;
        if neighbours.is_empty() || asked > MAX_NEIGHBOURS {
            break found;
        }
        for formula in neighbours {
            solver.assert(formula);
        }
    };
    for &assumption in &assumptions {
        solver.assert(assumption);
    }
    prefer_plain_values(problem, solver, terms)?;
    let plain = match solver.check(terms)? {
        Satisfiability::Sat => values(&variables, solver, terms),
        _ => None,
    };
    let mut objection = None;
    for values in [plain, found].into_iter().flatten() {
        match problem.objection(terms, &values) {
            None => return Ok(solution(problem, &values, terms)),
            found => objection = objection.or(found),
        }
    }
    let reason = match objection {
        Some(objection) => format!("the values that were found are not allowed: {objection}"),
        None => "the solver did not give the values it had found".to_owned(),
    };
    Ok(unknown(reason, None))
}

/// How often the solver is told about digits after the point.
const MAX_NEIGHBOURS: usize = 50;

/// The values that the solver found.
fn values(variables: &[Var], solver: &mut dyn Solver, terms: &mut Terms) -> Option<Vec<Value>> {
    let model = solver.model(terms, variables)?;
    Some(variables.iter().map(|it| model[it].clone()).collect())
}

fn unknown(reason: String, bound: Option<Bound>) -> SolveAnswer {
    SolveAnswer::without_values(Verdict::Unknown(Unknown {
        reason,
        help: bound.into(),
        evidence: None,
    }))
}

/// Pins each leaf to the plainest value that is possible, one after the other: zero or one, false, the first word or
/// nothing, the shortest list.
///
/// Any solution would do; this one does not depend on the solver, and shows what the constraint forces.
fn prefer_plain_values(
    problem: &Problem,
    solver: &mut dyn Solver,
    terms: &mut Terms,
) -> Result<(), SolverError> {
    let word = problem.words.as_ref().and_then(|words| words.first());
    // A stack, so that the leaves are taken in the order of declaration.
    let mut open: Vec<Term> = Vec::new();
    for variable in problem.variables.iter().rev() {
        open.push(terms.var(variable.variable));
    }
    // The letters of a text take no questions from the values that come after it.
    let (mut asked, mut spelt) = (0, 0);
    while let Some(subject) = open.pop() {
        if asked >= MAX_QUESTIONS {
            return Ok(());
        }
        let mut is_possible = |solver: &mut dyn Solver, terms: &mut Terms, subject, value| {
            asked += 1;
            let value = terms.constant(value);
            let pinned = terms.equal(subject, value);
            let is_possible = solver.check_assuming(terms, &[pinned])? == Satisfiability::Sat;
            if is_possible {
                solver.assert(pinned);
            }
            Ok::<bool, SolverError>(is_possible)
        };
        let candidates = match terms.sort_kind(terms.sort_of(subject)).clone() {
            SortKind::Bool => vec![Value::Bool(false)],
            SortKind::Int => vec![Value::int(0), Value::int(1)],
            SortKind::Real => vec![Value::Real(Zero::zero()), Value::Real(One::one())],
            SortKind::String => {
                let plainest = Value::text(word.map_or("", |word| &**word));
                let is_spelt = !is_possible(solver, terms, subject, plainest)? && word.is_none();
                if is_spelt && spelt < MAX_QUESTIONS {
                    spelt += spell(subject, solver, terms)?;
                }
                continue;
            }
            SortKind::List(_) => {
                let length = terms.length(subject);
                for count in 0..=UNFOLDED {
                    if !is_possible(solver, terms, length, Value::int(count))? {
                        continue;
                    }
                    for index in (0..count).rev() {
                        let index = terms.constant(Value::int(index));
                        open.push(terms.index(subject, index));
                    }
                    break;
                }
                continue;
            }
            SortKind::Record(fields) => {
                for (label, _) in fields.into_iter().rev() {
                    open.extend(terms.field(subject, label));
                }
                continue;
            }
            _ => continue,
        };
        for candidate in candidates {
            if is_possible(solver, terms, subject, candidate)? {
                break;
            }
        }
    }
    Ok(())
}

/// Pins a text that cannot be empty: the shortest length, and then letter by letter the first sign that is possible.
///
/// How many questions it took; a long text, or one of other signs, keeps what the solver chose.
fn spell(subject: Term, solver: &mut dyn Solver, terms: &mut Terms) -> Result<usize, SolverError> {
    let mut asked = 0;
    let mut holds = |solver: &mut dyn Solver, terms: &mut Terms, formula: Term| {
        asked += 1;
        let holds = solver.check_assuming(terms, &[formula])? == Satisfiability::Sat;
        if holds {
            solver.assert(formula);
        }
        Ok::<bool, SolverError>(holds)
    };
    let length = terms.length(subject);
    let mut found = None;
    for count in 1..=LONGEST_SPELT {
        let number = terms.constant(Value::int(count));
        let is_long = terms.equal(length, number);
        if holds(solver, terms, is_long)? {
            found = Some(count);
            break;
        }
    }
    let mut text = String::new();
    'letters: for _ in 0..found.unwrap_or(0) {
        let others = ('!'..='~').filter(|it| !SIGNS.contains(*it));
        for sign in SIGNS.chars().chain(others) {
            let longer = format!("{text}{sign}");
            let begins = terms.text(&longer);
            let begins = terms.prefix(begins, subject);
            if holds(solver, terms, begins)? {
                text = longer;
                continue 'letters;
            }
        }
        break;
    }
    Ok(asked)
}

/// Texts that are not longer are spelt out, with the first sign that is possible: these, or another one of ASCII.
const LONGEST_SPELT: usize = 12;
const SIGNS: &str = "aA0 -._:/@";

/// The assertions that contradict each other.
fn contradiction(problem: &Problem, core: &[usize], terms: &mut Terms) -> Verdict {
    let all: Vec<(Term, Span)> = core
        .iter()
        .filter_map(|&index| problem.assertions.get(index).copied())
        .map(|(term, span)| (terms.simplify(term), span))
        .collect();
    let whole = terms.and(all.iter().map(|&(term, _)| term));
    Verdict::Fails(Evidence::Condition(ConditionEvidence {
        formula: terms.print(whole),
        sentences: all
            .into_iter()
            .map(|(term, span)| (terms.print(term), Some(span)))
            .collect(),
    }))
}

fn solution(problem: &Problem, values: &[Value], terms: &Terms) -> SolveAnswer {
    let mut table = Table {
        columns: vec!["variable".into(), "type".into(), "value".into()],
        rows: Vec::new(),
    };
    let mut solved = Vec::new();
    for (variable, value) in problem.variables.iter().zip(values) {
        let sort = terms.variable_sort(variable.variable);
        let text = terms.print_value(value);
        table.rows.push(vec![
            variable.name.clone(),
            type_text(terms, &variable.holds, sort),
            text.clone(),
        ]);
        solved.push(SolvedValue {
            name: variable.name.clone(),
            value: text,
            xml: problem
                .to_xml(terms, variable, value)
                .map_err(|error| error.to_string()),
        });
    }
    SolveAnswer {
        verdict: Verdict::Holds(Evidence::Table(table)),
        values: solved,
    }
}

fn type_text(terms: &Terms, holds: &VariableContent, sort: Sort) -> String {
    match holds {
        VariableContent::Element(name, _) => format!("element {}", name.local),
        VariableContent::Message(shape) => format!("message {}", shape.name.local),
        VariableContent::Sort | VariableContent::Type(_) => terms.sort_text(sort),
    }
}
