//! Which values satisfy a constraint?
//!
//! The tool SWST of Bentakouk's thesis (section 4.2.5): typed variables and a constraint, and the answer *sat* with
//! values, *unsat*, or *unknown*.
//! As everywhere, *sat* is the verdict *holds* and *unsat* is *fails*.

use choros_base::{Span, has_errors};
use choros_data::{Sort, SortKind, Term, Terms, Value, Var};
use choros_model::evidence::{Condition, Table};
use choros_model::{Bound, Evidence, Unknown, Verdict};
use choros_report::{Answer, Block, Outcome, Report};
use choros_smt::{Answer as Solved, Solver, SolverError};
use choros_solve::{Holds, Problem, read, tree_script};
use choros_xml::document::Library;
use choros_xml::schema::UNFOLDED;
use num_traits::{One, Zero};

use crate::diagnostics::{no_tree_encoding, unreadable};
use crate::{Settings, Workspace};

/// What is asked of a problem.
#[derive(Debug, Clone)]
pub struct Solving {
    /// The file.
    pub path: String,
    /// `--smt2`: the tree encoding as a script for solvers, beside the answer.
    pub smt2: bool,
    /// `--first`: the number of the first variable that the tree encoding creates.
    pub first: usize,
}

/// Solves a problem.
pub fn solve(workspace: &mut Workspace<'_>, solving: &Solving, settings: &Settings) -> Report {
    let mut report = Report {
        verb: "solve",
        semantics: settings.semantics(),
        deny_warnings: settings.deny_warnings,
        ..Report::default()
    };
    let path = &solving.path;
    report
        .semantics
        .inputs
        .insert(path.clone(), "problem".to_owned());
    let text = match workspace.read(path) {
        Ok(text) => text,
        Err(error) => {
            report.diagnostics.push(unreadable::diagnostic(&error));
            return report;
        }
    };
    let mut library = Library::new(workspace.from, &mut workspace.sources);
    let problem = read(&mut library, &mut workspace.terms, path, &text);
    report.diagnostics.append(&mut library.diagnostics);
    let Some(problem) = problem else {
        return report;
    };
    let mut blocks = Vec::new();
    if solving.smt2 {
        match tree_script(&workspace.terms, &problem, solving.first) {
            Ok(text) => blocks.push(Block::Picture {
                format: "smt2",
                text,
            }),
            Err(reason) => report
                .diagnostics
                .push(no_tree_encoding::diagnostic(path, &reason.what)),
        }
    }
    if has_errors(&report.diagnostics) {
        return report;
    }
    let mut solver = settings.solver();
    let answer = answer(&problem, &mut solver, &mut workspace.terms);
    settings.name_solver(&solver, &mut report.semantics);
    match answer {
        Ok((verdict, mut found)) => {
            blocks.append(&mut found);
            report.outcomes.push(Outcome {
                name: path.clone(),
                answer: Some(Answer::of(&verdict, &workspace.terms)),
                blocks,
                ..Outcome::default()
            });
        }
        Err(error) => report.world_failed = Some(error.to_string()),
    }
    report.interrupted = settings.is_cancelled();
    report
}

/// After so many questions about plain values, the others keep what the solver chose.
const MOST_ASKED: usize = 400;

fn answer(
    problem: &Problem,
    solver: &mut dyn Solver,
    terms: &mut Terms,
) -> Result<(Verdict, Vec<Block>), SolverError> {
    for formula in problem.background(terms) {
        solver.assert(formula);
    }
    let assumptions: Vec<Term> = problem.assertions.iter().map(|&(term, _)| term).collect();
    match solver.check_assuming(terms, &assumptions)? {
        Solved::Sat => {}
        Solved::Unsat => {
            let core: Vec<usize> = solver.unsat_core().unwrap_or_default().to_vec();
            return Ok((contradiction(problem, &core, terms), line("unsat")));
        }
        Solved::Unknown(reason) => {
            let bound = reason.bound().map(|_| Bound::SolverBudget(None));
            return Ok((unknown(reason.to_string(), bound), line("unknown")));
        }
    }
    for &assumption in &assumptions {
        solver.assert(assumption);
    }
    prefer_plain_values(problem, solver, terms)?;
    let variables: Vec<Var> = problem.variables.iter().map(|it| it.variable).collect();
    let model = match solver.check(terms)? {
        Solved::Sat => solver.model(terms, &variables),
        _ => None,
    };
    let Some(model) = model else {
        let reason = "the solver did not give the values it had found".to_owned();
        return Ok((unknown(reason, None), line("unknown")));
    };
    let values: Vec<Value> = variables.iter().map(|it| model[it].clone()).collect();
    if let Some(objection) = problem.objection(terms, &values) {
        let reason = format!("the values that were found are not allowed: {objection}");
        return Ok((unknown(reason, None), line("unknown")));
    }
    Ok(solution(problem, &values, terms))
}

fn line(text: &str) -> Vec<Block> {
    vec![Block::Line(text.to_owned())]
}

fn unknown(reason: String, bound: Option<Bound>) -> Verdict {
    Verdict::Unknown(Unknown {
        reason,
        bound,
        evidence: None,
    })
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
    let mut asked = 0;
    while let Some(subject) = open.pop() {
        if asked >= MOST_ASKED {
            return Ok(());
        }
        let mut is_possible = |solver: &mut dyn Solver, terms: &mut Terms, subject, value| {
            asked += 1;
            let value = terms.constant(value);
            let pinned = terms.equal(subject, value);
            let is_possible = solver.check_assuming(terms, &[pinned])? == Solved::Sat;
            if is_possible {
                solver.assert(pinned);
            }
            Ok::<bool, SolverError>(is_possible)
        };
        let candidates = match terms.sort_kind(terms.sort_of(subject)).clone() {
            SortKind::Bool => vec![Value::Bool(false)],
            SortKind::Int => vec![Value::int(0), Value::int(1)],
            SortKind::Real => vec![Value::Real(Zero::zero()), Value::Real(One::one())],
            SortKind::String => vec![Value::text(word.map_or("", |word| &**word))],
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

/// The assertions that contradict each other.
fn contradiction(problem: &Problem, core: &[usize], terms: &mut Terms) -> Verdict {
    let all: Vec<(Term, Span)> = core
        .iter()
        .filter_map(|&index| problem.assertions.get(index).copied())
        .map(|(term, span)| (terms.simplify(term), span))
        .collect();
    let whole = terms.and(all.iter().map(|&(term, _)| term));
    Verdict::Fails(Evidence::Condition(Condition {
        formula: terms.print(whole),
        sentences: all
            .into_iter()
            .map(|(term, span)| (terms.print(term), Some(span)))
            .collect(),
    }))
}

fn solution(problem: &Problem, values: &[Value], terms: &Terms) -> (Verdict, Vec<Block>) {
    let mut blocks = line("sat");
    let mut table = Table {
        columns: vec!["variable".into(), "type".into(), "value".into()],
        rows: Vec::new(),
    };
    for (variable, value) in problem.variables.iter().zip(values) {
        let sort = terms.variable_sort(variable.variable);
        table.rows.push(vec![
            variable.name.clone(),
            type_text(terms, &variable.holds, sort),
            terms.print_value(value),
        ]);
        let value_text = terms.print_value(value);
        blocks.push(Block::Line(format!("{} = {value_text}", variable.name)));
        match problem.to_xml(terms, variable, value) {
            Ok(text) => blocks.push(Block::Picture {
                format: "xml",
                text,
            }),
            Err(error) => blocks.push(Block::Line(format!(
                "`{}` has no text in XML: {error}",
                variable.name
            ))),
        }
    }
    (Verdict::Holds(Evidence::Table(table)), blocks)
}

fn type_text(terms: &Terms, holds: &Holds, sort: Sort) -> String {
    match holds {
        Holds::Element(name, _) => format!("element {}", name.local),
        Holds::Message(shape) => format!("message {}", shape.name.local),
        Holds::Sort | Holds::Type(_) => terms.sort_text(sort),
    }
}
