//! Z3 in our own process, its library loaded at run time.

mod context;
mod expressions;
mod library;
mod object;
mod solving;
mod translate;
mod watch;

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use choros_data::{Assignment, Sort, SortKind, Term, Terms, Value, Var};
use num_bigint::BigInt;
use num_rational::BigRational;

use crate::pipe::{APPLY_QE, classify, goals};
use crate::read::Reader;
use crate::sexpr::Sexprs;
use crate::write::Writer;
use crate::{AssertResult, Backend, BackendAnswer, Limits, Query, Reason, SolverError};
use context::Context;
use expressions::{BasicSort, Binary};
use object::Object;
use solving::Satisfiable;
use translate::{Failure, Translation};
use watch::Watch;

/// Z3 as a library.
pub struct InProcess {
    path: PathBuf,
    // Dropped in this order: the watch looks into the context, which goes last.
    watch: Watch,
    solver: Object,
    translation: Translation,
    /// Constants that stand for assumptions.
    proxies: Vec<Object>,
    context: Rc<Context>,
    bound: Option<u32>,
    /// Everything asserted, for a look at all at once, and where each level begins.
    asserted: Vec<Asserted>,
    levels: Vec<usize>,
    lost: bool,
    used: Cell<Used>,
}

/// Resource units.
#[derive(Debug, Clone, Copy, Default)]
struct Used {
    /// All, also of contexts that are gone.
    total: u64,
    /// What the context said last; it counts in 32 bits.
    said: u32,
}

struct Asserted {
    object: Rc<Object>,
    quantified: bool,
}

impl std::fmt::Debug for InProcess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InProcess")
            .field("name", &self.context.name)
            .field("asserted", &self.asserted.len())
            .finish_non_exhaustive()
    }
}

impl InProcess {
    /// Loads the library at `path`, or of that name from where the system looks.
    pub fn load(path: &Path) -> Result<InProcess, SolverError> {
        let context = Context::new(path)?;
        let mut translation = Translation::new(&context);
        translation.symbols.raw_backslashes = context.prints_raw_backslashes()?;
        Ok(InProcess {
            path: path.to_owned(),
            watch: Watch::new(&context),
            solver: context.solver(true)?,
            translation,
            proxies: Vec::new(),
            context,
            bound: None,
            asserted: Vec::new(),
            levels: Vec::new(),
            lost: false,
            used: Cell::default(),
        })
    }

    /// The resource units that were used so far.
    fn used(&self) -> u64 {
        let mut used = self.used.get();
        if let Ok(said) = self.solver.used() {
            used.total += u64::from(said.wrapping_sub(used.said));
            used.said = said;
            self.used.set(used);
        }
        used.total
    }

    /// Starts again: what an interruption leaves behind is not to be relied on.
    ///
    /// What had to be stopped counts as what it was allowed to use: it may not have counted.
    fn start_anew(&mut self, limits: &Limits) -> Result<(), SolverError> {
        let total = self.used().saturating_add(limits.resources);
        *self = InProcess::load(&self.path)?;
        self.used.set(Used { total, said: 0 });
        self.lost = true;
        Ok(())
    }

    fn set_limits(&mut self, limits: &Limits) -> Result<(), SolverError> {
        let bound = bound(limits);
        if self.bound != Some(bound) {
            self.solver.set_bound(bound)?;
            self.bound = Some(bound);
        }
        Ok(())
    }

    /// Decides and reads what there is to read.
    fn decide(
        &mut self,
        query: &mut Query<'_>,
        assumed: &[Rc<Object>],
    ) -> Result<BackendAnswer, Failure> {
        let quantified = self.asserted.iter().any(|formula| formula.quantified)
            || query
                .assumptions
                .iter()
                .any(|&assumption| query.terms.is_quantified(assumption));
        // Quantified arithmetic is decided by strategies that the incremental solver does not have; everything else
        // is faster with what the incremental one has learnt.
        let strategies = self.context.has_safe_timers;
        let first = if quantified && strategies {
            self.at_once(query, assumed)?
        } else {
            self.incrementally(query, assumed)?
        };
        if !strategies || !matches!(first, BackendAnswer::Unknown(Reason::GaveUp(_))) {
            return Ok(first);
        }
        let second = if quantified {
            self.incrementally(query, assumed)?
        } else {
            self.at_once(query, assumed)?
        };
        Ok(match second {
            BackendAnswer::Unknown(Reason::GaveUp(_)) => first,
            _ => second,
        })
    }

    fn incrementally(
        &mut self,
        query: &mut Query<'_>,
        assumed: &[Rc<Object>],
    ) -> Result<BackendAnswer, Failure> {
        for (position, assumption) in assumed.iter().enumerate() {
            if position == self.proxies.len() {
                let bool = self.context.basic_sort(BasicSort::Bool)?;
                let proxy = self.context.constant(&format!("!a{position}"), &bool)?;
                self.proxies.push(proxy);
            }
            let proxy = &self.proxies[position];
            let conditional = self.context.binary(Binary::Implies, proxy, assumption)?;
            self.solver.assert(&conditional)?;
        }
        let proxies: Vec<&Object> = self.proxies.iter().take(assumed.len()).collect();
        let (answer, stopped) = self
            .watch
            .during(&self.context, query.limits, || self.solver.check(&proxies));
        if let Some(reason) = stopped {
            return Ok(BackendAnswer::Unknown(reason));
        }
        Ok(match answer? {
            Satisfiable::Yes => {
                let model = self.solver.model()?;
                self.solution(query, &model)?
            }
            Satisfiable::No if assumed.is_empty() => BackendAnswer::Unsat(Vec::new()),
            Satisfiable::No => {
                let core = self.solver.unsat_core()?;
                let position = |member: &Object| proxies.iter().position(|proxy| proxy.is(member));
                BackendAnswer::Unsat(core.iter().filter_map(position).collect())
            }
            Satisfiable::Unknown => {
                BackendAnswer::Unknown(classify(&self.solver.reason_unknown()?, query.limits))
            }
        })
    }

    /// With a solver that sees everything together and chooses a strategy for it.
    fn at_once(
        &mut self,
        query: &mut Query<'_>,
        assumed: &[Rc<Object>],
    ) -> Result<BackendAnswer, Failure> {
        let solver = self.context.solver(false)?;
        solver.set_bound(bound(query.limits))?;
        for formula in &self.asserted {
            solver.assert(&formula.object)?;
        }
        for assumption in assumed {
            solver.assert(assumption)?;
        }
        let (answer, stopped) = self
            .watch
            .during(&self.context, query.limits, || solver.check(&[]));
        if let Some(reason) = stopped {
            return Ok(BackendAnswer::Unknown(reason));
        }
        Ok(match answer? {
            Satisfiable::Yes => {
                let model = solver.model()?;
                self.solution(query, &model)?
            }
            // Which of them were needed is not known here.
            Satisfiable::No => BackendAnswer::Unsat((0..assumed.len()).collect()),
            Satisfiable::Unknown => {
                BackendAnswer::Unknown(classify(&solver.reason_unknown()?, query.limits))
            }
        })
    }

    fn solution(
        &mut self,
        query: &mut Query<'_>,
        model: &Object,
    ) -> Result<BackendAnswer, Failure> {
        Ok(match self.values(query.terms, query.variables, model)? {
            Ok(solution) => BackendAnswer::Sat(solution),
            Err(reason) => BackendAnswer::Unknown(reason),
        })
    }

    fn values(
        &mut self,
        terms: &mut Terms,
        variables: &[Var],
        model: &Object,
    ) -> Result<Result<Assignment, Reason>, Failure> {
        let mut solution = Assignment::default();
        for &variable in variables {
            let constant = match self.translation.variable(terms, variable) {
                Ok(constant) => constant,
                // It occurs only in formulas that were refused.
                Err(Failure::Refused(_)) => continue,
                Err(broken) => return Err(broken),
            };
            let sort = terms.variable_sort(variable);
            let stored = match model.stored(&constant.function)? {
                Some(object) => self.value(terms, &object, sort)?,
                None => None,
            };
            if let Some(value) = stored {
                solution.insert(variable, value);
                continue;
            }
            let object = model.evaluate(&constant.expression)?;
            match self.value(terms, &object, sort)? {
                Some(value) => solution.insert(variable, value),
                None => {
                    let text = format!("{} = {}", terms.variable_text(variable), object.text()?);
                    return Ok(Err(Reason::NoSuchValue(text)));
                }
            };
        }
        Ok(Ok(solution))
    }

    fn value(
        &mut self,
        terms: &mut Terms,
        object: &Object,
        sort: Sort,
    ) -> Result<Option<Value>, SolverError> {
        // Most values are truth values and numbers: no text need be made and read for these.
        match terms.sort_kind(sort) {
            SortKind::Bool => return Ok(object.as_truth().map(Value::Bool)),
            SortKind::Int => {
                let number = object.as_numeral().and_then(|text| text.parse().ok());
                return Ok(number.map(Value::Int));
            }
            SortKind::Real => {
                let number = object.as_numeral();
                let number = number.and_then(|text| text.parse::<BigRational>().ok());
                return Ok(number.map(Value::Real));
            }
            SortKind::Uninterpreted(_) => {
                let number = object.as_numeral();
                let number = number.and_then(|text| text.parse::<BigInt>().ok());
                let symbols = &mut self.translation.symbols;
                return Ok(number.map(|number| symbols.atom(terms, sort, &number)));
            }
            _ => {}
        }
        let text = object.text()?;
        let Some(sexprs) = Sexprs::parse(&text) else {
            return Ok(None);
        };
        let mut reader = Reader {
            terms,
            symbols: &mut self.translation.symbols,
            sexprs: &sexprs,
        };
        Ok(sexprs.only().and_then(|at| reader.value(at, sort)))
    }
}

impl Backend for InProcess {
    fn name(&self) -> String {
        self.context.name.clone()
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.levels.push(self.asserted.len());
        self.solver.push()
    }

    fn pop(&mut self, levels: usize) -> Result<(), SolverError> {
        let kept = self.levels.len().saturating_sub(levels);
        let formulas = self.levels.get(kept).copied().unwrap_or(0);
        self.levels.truncate(kept);
        self.asserted.truncate(formulas);
        self.solver.pop(levels)
    }

    fn assert(&mut self, terms: &Terms, formula: Term) -> Result<AssertResult, SolverError> {
        match self.translation.term(terms, formula) {
            Ok(object) => {
                self.solver.assert(&object)?;
                let quantified = terms.is_quantified(formula);
                self.asserted.push(Asserted { object, quantified });
                Ok(AssertResult::Asserted)
            }
            Err(Failure::Refused(reason)) => Ok(AssertResult::Refused(reason)),
            Err(Failure::Broken(error)) => Err(error),
        }
    }

    fn check(&mut self, mut query: Query<'_>) -> Result<BackendAnswer, SolverError> {
        let limits = query.limits;
        self.set_limits(limits)?;
        let assumed = query
            .assumptions
            .iter()
            .map(|&assumption| self.translation.term(query.terms, assumption))
            .collect::<Result<Vec<_>, Failure>>();
        let outcome = assumed.and_then(|assumed| {
            if assumed.is_empty() {
                return self.decide(&mut query, &assumed);
            }
            self.solver.push()?;
            let outcome = self.decide(&mut query, &assumed)?;
            if !was_stopped(&outcome) {
                self.solver.pop(1)?;
            }
            Ok(outcome)
        });
        match outcome {
            Ok(outcome) => {
                if was_stopped(&outcome) {
                    self.start_anew(limits)?;
                }
                Ok(outcome)
            }
            Err(Failure::Refused(reason)) => Ok(BackendAnswer::Unknown(reason)),
            Err(Failure::Broken(error)) => Err(error),
        }
    }

    fn eliminate(
        &mut self,
        terms: &mut Terms,
        formula: Term,
        limits: &Limits,
    ) -> Result<Option<Term>, SolverError> {
        // As text, because only there a tactic can be bounded in resource units.
        let mut writer = Writer::default();
        let Ok(text) = writer.formula(terms, formula) else {
            return Ok(None);
        };
        let declarations = std::mem::take(&mut writer.commands);
        let limits = &limits.of_hint();
        let resources = bound(limits);
        let script = format!(
            "(reset)\n(set-option :rlimit {resources})\n{declarations}(assert {text})\n{APPLY_QE}\n"
        );
        let (answer, stopped) = self
            .watch
            .during(&self.context, limits, || self.context.script(&script));
        if stopped.is_some() {
            self.start_anew(limits)?;
            return Ok(None);
        }
        Ok(answer
            .ok()
            .and_then(|answer| goals(terms, &mut writer, &answer)))
    }

    fn remembers(&mut self, _limits: &Limits) -> bool {
        !std::mem::take(&mut self.lost)
    }

    fn spent(&self) -> Option<u64> {
        Some(self.used())
    }
}

fn was_stopped(outcome: &BackendAnswer) -> bool {
    matches!(
        outcome,
        BackendAnswer::Unknown(Reason::Cancelled | Reason::Milliseconds(_))
    )
}

/// Z3 counts in 32 bits; its 0 means no bound.
fn bound(limits: &Limits) -> u32 {
    u32::try_from(limits.resources).unwrap_or(u32::MAX).max(1)
}
