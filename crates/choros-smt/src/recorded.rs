//! Answers written down, and given again where no solver is installed.
//!
//! A recording is text: `choros-queries 1`, `solver NAME`, then blocks of lines.
//!
//! ```text
//! query
//! (declare-fun $1 () Int)
//! (assert (> $1 3))
//! (assume (< $1 9))
//! answer sat
//! value $1 4
//! end
//! ```
//!
//! The question is the SMT-LIB script of everything asserted and assumed, with symbols numbered by first occurrence:
//! the same question in every run, whatever else the run does.
//! `answer` is `sat` (with values), `unsat` (with the positions of a core) or `unknown` (with the reason);
//! a block that begins with `eliminate` has a `result` instead, an expression or `none`.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::Rc;

use choros_data::{Assignment, Sort, Term, Terms};

use crate::read::Reader;
use crate::sexpr::Sexprs;
use crate::symbols::Meaning;
use crate::write::Writer;
use crate::{AssertResult, Backend, BackendAnswer, Limits, Query, Reason, SolverError};

/// The first line of every recording.
const HEADER: &str = "choros-queries 1";

/// Questions and their answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recording {
    /// Who answered.
    solver: String,
    /// Answers by question, both as lines.
    answers: BTreeMap<String, String>,
}

impl Recording {
    /// Reads a recording.
    pub fn parse(text: &str) -> Result<Recording, SolverError> {
        let wrong = |line: usize, message: &str| SolverError::Recording {
            line: line + 1,
            message: message.to_owned(),
        };
        let mut lines = text.lines().enumerate();
        if lines.next().map(|(_, line)| line) != Some(HEADER) {
            return Err(wrong(0, &format!("`{HEADER}` was expected")));
        }
        let mut recording = Recording::default();
        let mut block: Option<(String, String)> = None;
        for (number, line) in lines {
            let is_answer = ["answer ", "value ", "result "]
                .iter()
                .any(|word| line.starts_with(word));
            match (&mut block, line) {
                (None, "") => {}
                (None, "query" | "eliminate") => block = Some((format!("{line}\n"), String::new())),
                (None, _) => match line.strip_prefix("solver ") {
                    Some(name) => recording.solver = name.to_owned(),
                    None => return Err(wrong(number, "the start of a block was expected")),
                },
                (Some(_), "end") => {
                    if let Some((question, answer)) = block.take() {
                        recording.answers.insert(question, answer);
                    }
                }
                (Some((_, answer)), _) if is_answer => {
                    let _ = writeln!(answer, "{line}");
                }
                (Some((question, _)), _) => {
                    let _ = writeln!(question, "{line}");
                }
            }
        }
        match block {
            Some(_) => Err(wrong(text.lines().count(), "`end` was expected")),
            None => Ok(recording),
        }
    }

    /// The recording as text, in the order of the questions.
    pub fn text(&self) -> String {
        let mut text = format!("{HEADER}\nsolver {}\n", self.solver);
        for (question, answer) in &self.answers {
            let _ = write!(text, "\n{question}{answer}end\n");
        }
        text
    }

    /// How many questions it answers.
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// Whether it answers none.
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }
}

/// The formulas asserted at each level.
#[derive(Debug)]
struct Levels(Vec<Vec<Term>>);

impl Levels {
    fn push(&mut self) {
        self.0.push(Vec::new());
    }

    fn pop(&mut self, levels: usize) {
        self.0.truncate(self.0.len().saturating_sub(levels).max(1));
    }

    fn assert(&mut self, formula: Term) {
        if let Some(level) = self.0.last_mut() {
            level.push(formula);
        }
    }

    /// The question as text, and the names used in it; none when it cannot be written.
    fn question(&self, terms: &Terms, assumptions: &[Term]) -> Option<(String, Writer)> {
        let mut writer = Writer::default();
        let mut text = "query\n".to_owned();
        let asserted = self.0.iter().flatten().map(|&formula| ("assert", formula));
        let assumed = assumptions.iter().map(|&formula| ("assume", formula));
        for (word, formula) in asserted.chain(assumed) {
            let expression = writer.formula(terms, formula).ok()?;
            text.push_str(&std::mem::take(&mut writer.commands));
            let _ = writeln!(text, "({word} {expression})");
        }
        Some((text, writer))
    }
}

fn elimination(terms: &Terms, formula: Term) -> Option<(String, Writer)> {
    let mut writer = Writer::default();
    let expression = writer.formula(terms, formula).ok()?;
    let declarations = std::mem::take(&mut writer.commands);
    Some((
        format!("eliminate\n{declarations}(assert {expression})\n"),
        writer,
    ))
}

/// A back end that writes down what another one answers.
#[derive(Debug)]
pub struct Recorder<B> {
    backend: B,
    levels: Levels,
    recording: Rc<RefCell<Recording>>,
}

impl<B: Backend> Recorder<B> {
    /// Writes to `recording` what `backend` answers.
    pub fn new(backend: B, recording: Rc<RefCell<Recording>>) -> Self {
        recording.borrow_mut().solver = backend.name();
        Recorder {
            backend,
            levels: Levels(vec![Vec::new()]),
            recording,
        }
    }

    fn write(&self, question: String, answer: String) {
        self.recording.borrow_mut().answers.insert(question, answer);
    }
}

impl<B: Backend> Backend for Recorder<B> {
    fn name(&self) -> String {
        self.backend.name()
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.levels.push();
        self.backend.push()
    }

    fn pop(&mut self, levels: usize) -> Result<(), SolverError> {
        self.levels.pop(levels);
        self.backend.pop(levels)
    }

    fn assert(&mut self, terms: &Terms, formula: Term) -> Result<AssertResult, SolverError> {
        let taken = self.backend.assert(terms, formula)?;
        if taken == AssertResult::Asserted {
            self.levels.assert(formula);
        }
        Ok(taken)
    }

    fn spent(&self) -> Option<u64> {
        self.backend.spent()
    }

    fn check(&mut self, query: Query<'_>) -> Result<BackendAnswer, SolverError> {
        let question = self.levels.question(query.terms, query.assumptions);
        let variables = query.variables;
        let terms = query.terms;
        let outcome = self.backend.check(Query {
            terms,
            assumptions: query.assumptions,
            variables,
            limits: query.limits,
        })?;
        let Some((question, mut writer)) = question else {
            return Ok(outcome);
        };
        let mut answer = String::new();
        match &outcome {
            BackendAnswer::Sat(solution) => {
                answer.push_str("answer sat\n");
                for variable in variables {
                    let Some(value) = solution.get(variable) else {
                        continue;
                    };
                    let (Ok(symbol), Ok(value)) = (
                        writer.variable(terms, *variable),
                        writer.value(terms, value),
                    ) else {
                        return Ok(outcome);
                    };
                    let _ = writeln!(answer, "value {symbol} {value}");
                }
            }
            BackendAnswer::Unsat(core) => {
                answer.push_str("answer unsat");
                for position in core {
                    let _ = write!(answer, " {position}");
                }
                answer.push('\n');
            }
            BackendAnswer::Unknown(Reason::Cancelled) => return Ok(outcome),
            BackendAnswer::Unknown(reason) => {
                let reason = match reason {
                    Reason::Resources(bound) => format!("resources {bound}"),
                    Reason::Milliseconds(bound) => format!("milliseconds {bound}"),
                    Reason::GaveUp(text) => format!("because {text}"),
                    other => format!("because {other}"),
                };
                let _ = writeln!(
                    answer,
                    "answer unknown {}",
                    reason.replace(['\n', '\r'], " ")
                );
            }
        }
        self.write(question, answer);
        Ok(outcome)
    }

    fn eliminate(
        &mut self,
        terms: &mut Terms,
        formula: Term,
        limits: &Limits,
    ) -> Result<Option<Term>, SolverError> {
        let question = elimination(terms, formula);
        let hint = self.backend.eliminate(terms, formula, limits)?;
        let Some((question, mut writer)) = question else {
            return Ok(hint);
        };
        let answer = match hint.map(|hint| writer.standalone(terms, hint)) {
            None => "result none\n".to_owned(),
            Some(Ok(text)) => format!("result {text}\n"),
            Some(Err(_)) => return Ok(hint),
        };
        self.write(question, answer);
        Ok(hint)
    }

    fn remembers(&mut self, limits: &Limits) -> bool {
        let remembers = self.backend.remembers(limits);
        if !remembers {
            self.levels = Levels(vec![Vec::new()]);
        }
        remembers
    }
}

/// A back end that knows only what was written down.
#[derive(Debug)]
pub struct RecordedBackend {
    recording: Recording,
    levels: Levels,
}

impl RecordedBackend {
    /// Answers from this recording.
    pub fn new(recording: Recording) -> Self {
        RecordedBackend {
            recording,
            levels: Levels(vec![Vec::new()]),
        }
    }

    /// Reads an answer; `None` when it makes no sense.
    fn outcome(terms: &mut Terms, writer: &mut Writer, answer: &str) -> Option<BackendAnswer> {
        let mut lines = answer.lines();
        let (word, rest) = split(lines.next()?.strip_prefix("answer ")?);
        match word {
            "sat" => {
                let mut solution = Assignment::default();
                for line in lines {
                    let sexprs = Sexprs::parse(line.strip_prefix("value ")?)?;
                    let pair: Vec<_> = sexprs.roots().collect();
                    let &[symbol, value] = &pair[..] else {
                        return None;
                    };
                    // The same question may have been asked with other variables beside it.
                    let Some(Meaning::Variable(variable)) =
                        writer.symbols.meaning(sexprs.word(symbol)?)
                    else {
                        continue;
                    };
                    let sort = terms.variable_sort(variable);
                    let mut reader = Reader {
                        terms,
                        symbols: &mut writer.symbols,
                        sexprs: &sexprs,
                    };
                    solution.insert(variable, reader.value(value, sort)?);
                }
                Some(BackendAnswer::Sat(solution))
            }
            "unsat" => {
                let core = rest
                    .split_whitespace()
                    .map(|position| position.parse().ok());
                Some(BackendAnswer::Unsat(core.collect::<Option<Vec<usize>>>()?))
            }
            "unknown" => {
                let (word, rest) = split(rest);
                Some(BackendAnswer::Unknown(match word {
                    "resources" => Reason::Resources(rest.parse().ok()?),
                    "milliseconds" => Reason::Milliseconds(rest.parse().ok()?),
                    _ => Reason::GaveUp(rest.to_owned()),
                }))
            }
            _ => None,
        }
    }
}

impl Backend for RecordedBackend {
    fn name(&self) -> String {
        format!("{}, recorded", self.recording.solver)
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.levels.push();
        Ok(())
    }

    fn pop(&mut self, levels: usize) -> Result<(), SolverError> {
        self.levels.pop(levels);
        Ok(())
    }

    fn assert(&mut self, terms: &Terms, formula: Term) -> Result<AssertResult, SolverError> {
        if let Err(reason) = Writer::default().formula(terms, formula) {
            return Ok(AssertResult::Refused(reason));
        }
        self.levels.assert(formula);
        Ok(AssertResult::Asserted)
    }

    fn check(&mut self, query: Query<'_>) -> Result<BackendAnswer, SolverError> {
        let Some((question, mut writer)) = self.levels.question(query.terms, query.assumptions)
        else {
            return Ok(BackendAnswer::Unknown(Reason::NotRecorded));
        };
        let Some(answer) = self.recording.answers.get(&question) else {
            return Ok(BackendAnswer::Unknown(Reason::NotRecorded));
        };
        // Variables that occur only in what could not be asserted have names too.
        for &variable in query.variables {
            let _ = writer.variable(query.terms, variable);
        }
        RecordedBackend::outcome(query.terms, &mut writer, answer).ok_or_else(|| {
            SolverError::Protocol {
                solver: self.name(),
                message: answer.trim_end().to_owned(),
            }
        })
    }

    fn eliminate(
        &mut self,
        terms: &mut Terms,
        formula: Term,
        _limits: &Limits,
    ) -> Result<Option<Term>, SolverError> {
        let Some((question, mut writer)) = elimination(terms, formula) else {
            return Ok(None);
        };
        let result = self
            .recording
            .answers
            .get(&question)
            .and_then(|answer| answer.strip_prefix("result "))
            .and_then(Sexprs::parse);
        let Some(sexprs) = result else {
            return Ok(None);
        };
        let mut reader = Reader {
            terms,
            symbols: &mut writer.symbols,
            sexprs: &sexprs,
        };
        // `none` is not an expression.
        Ok(sexprs.only().and_then(|at| reader.term(at, Sort::BOOL)))
    }
}

fn split(text: &str) -> (&str, &str) {
    text.split_once(' ').unwrap_or((text, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recordings_say_what_is_wrong_with_them() {
        for (text, line) in [
            ("", 1),
            ("choros-queries 2\n", 1),
            ("choros-queries 1\nnonsense\n", 2),
            ("choros-queries 1\nquery\n(assert true)\nanswer sat\n", 5),
        ] {
            match Recording::parse(text) {
                Err(SolverError::Recording { line: found, .. }) => {
                    assert_eq!(found, line, "{text}")
                }
                other => panic!("{other:?}"),
            }
        }
    }
}
