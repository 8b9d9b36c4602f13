//! A solver after a pipe that speaks SMT-LIB 2: Z3 or cvc5.
//!
//! Commands that answer nothing are collected and sent with the next one that does, so a query costs two round trips:
//! one for the answer, one for the values.
//! After a complaint, a timeout or the end of the process its state is unknown; it is ended and a new one is started
//! with the next query.

use std::fmt::Write as _;

use choros_data::{Assignment, Sort, Term, Terms, Var};

use crate::process::{Process, Silence};
use crate::read::Reader;
use crate::sexpr::Sexprs;
use crate::write::Writer;
use crate::{AssertResult, Backend, BackendAnswer, Limits, Query, Reason, SolverError};

/// Which program, because their options differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Z3 from 4.8.12.
    Z3,
    /// cvc5 from 1.0.3.
    Cvc5,
}

/// A solver's process and what it has been told.
#[derive(Debug)]
pub struct Pipe {
    program: String,
    dialect: Dialect,
    name: String,
    process: Option<Process>,
    /// The bounds the process was started with.
    bounds: (u64, Option<u64>),
    writer: Writer,
    /// Not sent yet.
    pending: String,
    assumptions_declared: usize,
    /// Of each level, whether a formula there has quantifiers.
    quantified: Vec<bool>,
    lost: bool,
    raw_backslashes: bool,
}

impl Pipe {
    /// Starts the program, and asks for its name and version.
    pub fn start(program: &str, dialect: Dialect) -> Result<Pipe, SolverError> {
        let limits = Limits::default();
        let mut pipe = Pipe {
            program: program.to_owned(),
            dialect,
            name: program.to_owned(),
            process: None,
            bounds: bounds(&limits),
            writer: Writer::default(),
            pending: String::new(),
            assumptions_declared: 0,
            quantified: Vec::new(),
            lost: false,
            raw_backslashes: false,
        };
        let mut process = pipe.new_process(&limits)?;
        let answers = process
            .ask("(get-info :name)(get-info :version)\n", 2, &limits)
            .map_err(|_| SolverError::Died {
                solver: program.to_owned(),
            })?;
        pipe.name = match (info(&answers[0]), info(&answers[1])) {
            (Some(name), Some(version)) => format!("{} {version}", name.to_lowercase()),
            _ => return Err(pipe.protocol(&answers.join(" "))),
        };
        if dialect == Dialect::Z3 {
            // Newer versions escape a backslash only where it would begin an escape.
            let printed = process.ask("(simplify \"\\u{5c}u{41}\")\n", 1, &limits);
            pipe.raw_backslashes =
                matches!(printed.as_deref(), Ok([text]) if text == "\"\\u{41}\"");
            pipe.writer.symbols.raw_backslashes = pipe.raw_backslashes;
        }
        pipe.process = Some(process);
        Ok(pipe)
    }

    fn new_process(&self, limits: &Limits) -> Result<Process, SolverError> {
        let (resources, milliseconds) = bounds(limits);
        let mut arguments: Vec<String> = match self.dialect {
            Dialect::Z3 => vec![
                "-in".to_owned(),
                "-smt2".to_owned(),
                format!("rlimit={}", resources.min(u64::from(u32::MAX))),
            ],
            Dialect::Cvc5 => vec![
                "--lang=smt2".to_owned(),
                "--incremental".to_owned(),
                "--strings-exp".to_owned(),
                format!("--rlimit-per={resources}"),
            ],
        };
        if let Some(milliseconds) = milliseconds {
            arguments.push(match self.dialect {
                Dialect::Z3 => format!("-t:{milliseconds}"),
                Dialect::Cvc5 => format!("--tlimit-per={milliseconds}"),
            });
        }
        let mut process = Process::start(&self.program, &arguments)?;
        let started = process.ask(
            "(set-option :print-success false)\n\
             (set-option :produce-models true)\n\
             (set-option :produce-unsat-assumptions true)\n\
             (set-option :global-declarations true)\n\
             (set-logic ALL)\n",
            0,
            limits,
        );
        match started {
            Ok(_) => Ok(process),
            Err(_) => Err(SolverError::Died {
                solver: self.name.clone(),
            }),
        }
    }

    /// Forgets the process and what it knew.
    fn give_up(&mut self) {
        self.process = None;
        self.writer = Writer::default();
        self.writer.symbols.raw_backslashes = self.raw_backslashes;
        self.pending.clear();
        self.assumptions_declared = 0;
        self.quantified.clear();
        self.lost = true;
    }

    fn protocol(&self, message: &str) -> SolverError {
        SolverError::Protocol {
            solver: self.name.clone(),
            message: message.to_owned(),
        }
    }

    /// Sends everything pending and the command, and waits for its answer.
    fn ask(
        &mut self,
        command: &str,
        limits: &Limits,
    ) -> Result<Result<String, Reason>, SolverError> {
        if self.process.is_none() {
            self.process = Some(self.new_process(limits)?);
            self.bounds = bounds(limits);
        }
        let mut text = std::mem::take(&mut self.writer.commands);
        text.push_str(&std::mem::take(&mut self.pending));
        text.push_str(command);
        text.push('\n');
        let Some(process) = &mut self.process else {
            unreachable!("it was just started");
        };
        match process.ask(&text, 1, limits) {
            Ok(mut answers) => {
                let answer = answers.pop().unwrap_or_default();
                if answer.starts_with("(error") {
                    self.give_up();
                    return Err(self.protocol(&answer));
                }
                Ok(Ok(answer))
            }
            Err(silence) => {
                self.give_up();
                match silence {
                    Silence::Died => Err(SolverError::Died {
                        solver: self.name.clone(),
                    }),
                    Silence::Late => Ok(Err(Reason::Milliseconds(
                        limits.milliseconds.unwrap_or(Limits::HANGS),
                    ))),
                    Silence::Cancelled => Ok(Err(Reason::Cancelled)),
                }
            }
        }
    }

    /// Moves declarations made while writing in front of what needs them.
    fn flush_declarations(&mut self) {
        self.pending
            .push_str(&std::mem::take(&mut self.writer.commands));
    }

    fn values(
        &mut self,
        terms: &mut Terms,
        variables: &[Var],
        limits: &Limits,
    ) -> Result<Result<Assignment, Reason>, SolverError> {
        let mut solution = Assignment::default();
        let mut wanted = Vec::new();
        let mut command = "(get-value (".to_owned();
        for &variable in variables {
            // A variable that cannot be declared occurs only in formulas that were refused.
            if let Ok(symbol) = self.writer.variable(terms, variable) {
                let _ = write!(command, "{symbol} ");
                wanted.push(variable);
            }
        }
        command.push_str("))");
        if wanted.is_empty() {
            return Ok(Ok(solution));
        }
        let answer = match self.ask(&command, limits)? {
            Ok(answer) => answer,
            Err(reason) => return Ok(Err(reason)),
        };
        let pairs = Sexprs::parse(&answer);
        let pairs = pairs
            .as_ref()
            .and_then(|all| Some((all, all.list(all.only()?)?)))
            .filter(|(_, pairs)| pairs.len() == wanted.len());
        let Some((sexprs, pairs)) = pairs else {
            self.give_up();
            return Err(self.protocol(&answer));
        };
        for (&variable, pair) in wanted.iter().zip(pairs) {
            let sort = terms.variable_sort(variable);
            let mut reader = Reader {
                terms,
                symbols: &mut self.writer.symbols,
                sexprs,
            };
            let value = match sexprs.list(pair).as_deref() {
                Some(&[_, value]) => reader.value(value, sort),
                _ => None,
            };
            match value {
                Some(value) => solution.insert(variable, value),
                None => return Ok(Err(Reason::NoSuchValue(answer))),
            };
        }
        Ok(Ok(solution))
    }

    fn core(&mut self, limits: &Limits) -> Result<Result<Vec<usize>, Reason>, SolverError> {
        let answer = match self.ask("(get-unsat-assumptions)", limits)? {
            Ok(answer) => answer,
            Err(reason) => return Ok(Err(reason)),
        };
        let core = Sexprs::parse(&answer).and_then(|all| {
            all.list(all.only()?)?
                .into_iter()
                .map(|at| all.word(at)?.strip_prefix("!a")?.parse().ok())
                .collect::<Option<Vec<usize>>>()
        });
        match core {
            Some(core) => Ok(Ok(core)),
            None => {
                self.give_up();
                Err(self.protocol(&answer))
            }
        }
    }

    fn reason(&mut self, limits: &Limits) -> Result<Reason, SolverError> {
        let answer = match self.ask("(get-info :reason-unknown)", limits)? {
            Ok(answer) => answer,
            Err(reason) => return Ok(reason),
        };
        let text = info(&answer).unwrap_or(answer);
        Ok(classify(&text, limits))
    }

    fn decide(&mut self, query: Query<'_>) -> Result<BackendAnswer, SolverError> {
        // Z3 decides quantified arithmetic by looking at everything at once, which it does not do incrementally.
        let at_once = self.dialect == Dialect::Z3
            && (self.quantified.contains(&true)
                || query
                    .assumptions
                    .iter()
                    .any(|&assumption| query.terms.is_quantified(assumption)));
        let mut command = if at_once {
            "(check-sat-using default)".to_owned()
        } else {
            "(check-sat)".to_owned()
        };
        if !query.assumptions.is_empty() {
            self.pending.push_str("(push 1)\n");
            let mut assumed = "(check-sat-assuming (".to_owned();
            for (position, &assumption) in query.assumptions.iter().enumerate() {
                let written = self.writer.formula(query.terms, assumption);
                self.flush_declarations();
                let text = match written {
                    Ok(text) => text,
                    Err(reason) => return Ok(BackendAnswer::Unknown(reason)),
                };
                if position == self.assumptions_declared {
                    let _ = writeln!(self.pending, "(declare-fun !a{position} () Bool)");
                    self.assumptions_declared += 1;
                }
                if at_once {
                    let _ = writeln!(self.pending, "(assert {text})");
                    continue;
                }
                let _ = writeln!(self.pending, "(assert (=> !a{position} {text}))");
                let _ = write!(assumed, "!a{position} ");
            }
            assumed.push_str("))");
            if !at_once {
                command = assumed;
            }
        }
        let answer = match self.ask(&command, query.limits)? {
            Ok(answer) => answer,
            Err(reason) => return Ok(BackendAnswer::Unknown(reason)),
        };
        Ok(match &*answer {
            "sat" => match self.values(query.terms, query.variables, query.limits)? {
                Ok(solution) => BackendAnswer::Sat(solution),
                Err(reason) => BackendAnswer::Unknown(reason),
            },
            "unsat" if query.assumptions.is_empty() || at_once => {
                BackendAnswer::Unsat((0..query.assumptions.len()).collect())
            }
            "unsat" => match self.core(query.limits)? {
                Ok(core) => BackendAnswer::Unsat(core),
                Err(reason) => BackendAnswer::Unknown(reason),
            },
            "unknown" | "timeout" => BackendAnswer::Unknown(self.reason(query.limits)?),
            _ => {
                self.give_up();
                return Err(self.protocol(&answer));
            }
        })
    }
}

impl Backend for Pipe {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.pending.push_str("(push 1)\n");
        self.quantified.push(false);
        Ok(())
    }

    fn pop(&mut self, levels: usize) -> Result<(), SolverError> {
        let _ = writeln!(self.pending, "(pop {levels})");
        let kept = self.quantified.len().saturating_sub(levels);
        self.quantified.truncate(kept);
        Ok(())
    }

    fn assert(&mut self, terms: &Terms, formula: Term) -> Result<AssertResult, SolverError> {
        let written = self.writer.formula(terms, formula);
        self.flush_declarations();
        Ok(match written {
            Ok(text) => {
                let _ = writeln!(self.pending, "(assert {text})");
                if let Some(quantified) = self.quantified.last_mut() {
                    *quantified |= terms.is_quantified(formula);
                }
                AssertResult::Asserted
            }
            Err(reason) => AssertResult::Refused(reason),
        })
    }

    fn check(&mut self, query: Query<'_>) -> Result<BackendAnswer, SolverError> {
        let assumed = !query.assumptions.is_empty();
        let outcome = self.decide(query)?;
        if assumed && !self.lost {
            self.pending.push_str("(pop 1)\n");
        }
        Ok(outcome)
    }

    fn eliminate(
        &mut self,
        terms: &mut Terms,
        formula: Term,
        limits: &Limits,
    ) -> Result<Option<Term>, SolverError> {
        // A process of its own: tactics look at everything that is asserted.
        let limits = &limits.of_hint();
        let mut process = self.new_process(limits)?;
        let mut writer = Writer::default();
        let Ok(text) = writer.formula(terms, formula) else {
            return Ok(None);
        };
        let declarations = std::mem::take(&mut writer.commands);
        let command = match self.dialect {
            Dialect::Z3 => format!("{declarations}(assert {text})\n{APPLY_QE}\n"),
            Dialect::Cvc5 => format!("{declarations}(get-qe {text})\n"),
        };
        // Whatever goes wrong here, there is just no hint.
        let Ok(answers) = process.ask(&command, 1, limits) else {
            return Ok(None);
        };
        Ok(match self.dialect {
            Dialect::Z3 => goals(terms, &mut writer, &answers[0]),
            Dialect::Cvc5 => Sexprs::parse(&answers[0]).and_then(|sexprs| {
                Reader {
                    terms,
                    symbols: &mut writer.symbols,
                    sexprs: &sexprs,
                }
                .term(sexprs.only()?, Sort::BOOL)
            }),
        })
    }

    fn remembers(&mut self, limits: &Limits) -> bool {
        if self.bounds != bounds(limits) {
            self.give_up();
        }
        !std::mem::take(&mut self.lost)
    }
}

/// Z3's old elimination; never `qe2`, which on 5.4.0 turns `x >= 0` into *true* and hangs on strings.
pub(crate) const APPLY_QE: &str = "(apply (then simplify qe simplify))";

/// Reads `(goals (goal f … :precision precise :depth 3))`: one goal, the conjunction of its formulas.
pub(crate) fn goals(terms: &mut Terms, writer: &mut Writer, answer: &str) -> Option<Term> {
    let sexprs = Sexprs::parse(answer)?;
    let goals = sexprs.list(sexprs.only()?)?;
    let &[keyword, goal] = &goals[..] else {
        return None;
    };
    if sexprs.word(keyword) != Some("goals") {
        return None;
    }
    let parts = sexprs.list(goal)?;
    let formulas = parts
        .iter()
        .skip(1)
        .take_while(|&&at| !sexprs.word(at).is_some_and(|word| word.starts_with(':')));
    let mut reader = Reader {
        terms,
        symbols: &mut writer.symbols,
        sexprs: &sexprs,
    };
    let formulas = formulas
        .map(|&at| reader.term(at, Sort::BOOL))
        .collect::<Option<Vec<Term>>>()?;
    Some(terms.and(formulas))
}

/// What a solver means when it says *unknown*.
pub(crate) fn classify(text: &str, limits: &Limits) -> Reason {
    let lower = text.to_lowercase();
    match limits.milliseconds {
        Some(bound) if lower.contains("timeout") => Reason::Milliseconds(bound),
        _ if lower.contains("interrupted") => Reason::Cancelled,
        _ if lower.contains("resource") || lower.contains("canceled") => {
            Reason::Resources(limits.resources)
        }
        _ => Reason::GaveUp(text.to_owned()),
    }
}

fn bounds(limits: &Limits) -> (u64, Option<u64>) {
    (limits.resources, limits.milliseconds)
}

/// The value in `(:keyword value)`.
fn info(answer: &str) -> Option<String> {
    let all = Sexprs::parse(answer)?;
    let pair = all.list(all.only()?)?;
    let &value = pair.get(1)?;
    all.text(value)
        .or_else(|| all.word(value))
        .map(str::to_owned)
}
