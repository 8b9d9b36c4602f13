//! What roles do when messages are lost, doubled or overtake each other, and when roles crash.
//!
//! It *holds* if every run of the roles under the faults, fault steps hidden, is the beginning of an allowed run; and,
//! where that is asked, if they can always still end without further faults.
//! A run is what is sent, as in the mode `sender`; allowed are the runs of the choreography, or, where there is none,
//! those of the roles without faults.

mod leaves;
mod recovery;
mod run;
mod search;

use choros_base::Budget;
use choros_data::{Term, Terms};
use choros_model::evidence::{Trace, Tree};
use choros_model::faults::{FaultMistake, FaultModel, FaultyComposition, faulty_queues};
use choros_model::stg::{
    Direction, Edge, Event, Message, NodeId, Role, Stg, StgCounts, rename, sent_view,
};
use choros_model::{Bound, Evidence, Unknown, Verdict};
use choros_smt::Solver;

use self::leaves::Open;
use self::recovery::{Recovery, recovery, region};
use self::search::{Excess, Search};
use crate::composition::parts;
use crate::diagnostics::no_choreography;
use crate::shared::Shared;
use crate::tools::Tools;
use crate::{AnalysisStop, Closing, Effort, Mode, project, without_dead};

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultQuestion {
    /// What may go wrong.
    pub faults: FaultModel,
    /// Whether the roles must also be able to end, whatever has happened.
    pub recovers: bool,
    /// How far the composition is followed.
    pub effort: Effort,
}

/// What is known of roles under faults.
#[derive(Debug, Clone)]
pub struct Survival {
    pub verdict: Verdict,
    /// In a sentence.
    pub reason: String,
    /// The size of the roles put together under the faults.
    pub counts: StgCounts,
}

/// The roles that are put together.
#[derive(Debug, Clone)]
pub struct Cast {
    /// What they are, together.
    pub name: String,
    /// Each role and what it does.
    pub roles: Vec<(Role, Stg)>,
    /// The allowed runs; those of the roles without faults if nothing else says them.
    pub allowed: Option<Stg>,
}

impl Cast {
    /// The roles of a choreography, each with its ending.
    pub fn of_choreography(
        stg: &Stg,
        closing: &Closing,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> Result<Cast, AnalysisStop> {
        no_choreography::refuse(stg, terms)?;
        let (reachable, _) = without_dead(stg, terms, solver, budget)?;
        let projections = project(&reachable, Mode::Sender, terms, solver, budget)?;
        let (roles, parts) = parts(&projections, closing, terms);
        let graphs = parts.into_iter().map(|it| it.stg);
        Ok(Cast {
            name: stg.name().to_owned(),
            roles: roles.into_iter().zip(graphs).collect(),
            allowed: Some(sent_view(&reachable, terms)),
        })
    }

    /// The names of their messages and of the roles, each once.
    pub fn names(&self, terms: &Terms) -> (Vec<String>, Vec<String>) {
        let mut messages = Vec::new();
        for message in self.roles.iter().flat_map(|it| it.1.messages()) {
            let name = terms.names.text(message.operation.0).to_owned();
            if !messages.contains(&name) {
                messages.push(name);
            }
        }
        let roles = self
            .roles
            .iter()
            .map(|it| terms.names.text(it.0.0).to_owned());
        (messages, roles.collect())
    }

    /// Whether the messages and roles that a fault model names exist.
    pub fn fits(&self, faults: &FaultModel, terms: &Terms) -> Result<(), FaultMistake> {
        let (messages, roles) = self.names(terms);
        faults.fits(&messages, &roles)
    }

    /// The roles put together under faults; every step is an event of its own.
    pub fn composed(
        &self,
        faults: &FaultModel,
        effort: Effort,
        budget: &Budget,
        terms: &mut Terms,
    ) -> Result<FaultyComposition, AnalysisStop> {
        let roles: Vec<(Role, &Stg)> = self.roles.iter().map(|it| (it.0, &it.1)).collect();
        let states = budget.part(effort.states);
        Ok(faulty_queues(
            &self.name,
            &roles,
            faults,
            effort.bound,
            &states,
            terms,
        )?)
    }

    /// Whether the roles survive the faults.
    pub fn survives(
        &self,
        asked: &FaultQuestion,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> Result<Survival, AnalysisStop> {
        let mut tools = Tools {
            terms,
            solver,
            budget,
        };
        let composed = match self.composed(&asked.faults, asked.effort, budget, tools.terms) {
            Ok(composed) => composed,
            Err(stop) => return too_large(stop, StgCounts::default()),
        };
        let counts = composed.stg.counts();
        let (allowed, cut) = match &self.allowed {
            Some(allowed) => (allowed.clone(), false),
            None => {
                let none = FaultModel::default();
                match self.composed(&none, asked.effort, budget, tools.terms) {
                    Ok(plain) => (plain.stg, !plain.refused.is_empty()),
                    Err(stop) => return too_large(stop, counts),
                }
            }
        };
        let shared = match Shared::of(&allowed, &composed.stg, tools.terms) {
            Ok(shared) => shared,
            Err(reason) => return Ok(Survival::unknown(reason.to_owned(), None, counts)),
        };
        let roles = rename(&composed.stg, &shared.renaming, tools.terms);
        let judge = Judge {
            asked,
            composed: &composed,
            cast: self,
            roles: &roles,
            allowed: &allowed,
            cut,
            counts,
        };
        judge.judge(&mut tools)
    }
}

/// A graph of [`Cast::composed`] as formulas see it: a message happens when it is sent, receptions are silent.
pub fn as_seen(composed: &Stg, terms: &mut Terms) -> Stg {
    let seen = |_: &mut Terms, edge: &Edge| Edge {
        event: match &edge.event {
            Event::Message(message) => match message.direction {
                Direction::Receive => Event::Silent,
                Direction::Send | Direction::Interaction => Event::Message(Message {
                    direction: Direction::Interaction,
                    ..message.clone()
                }),
            },
            other => other.clone(),
        },
        ..edge.clone()
    };
    composed.map(terms, seen, |_, guard| guard)
}

struct Judge<'a> {
    asked: &'a FaultQuestion,
    composed: &'a FaultyComposition,
    cast: &'a Cast,
    roles: &'a Stg,
    allowed: &'a Stg,
    /// Whether a queue was full without faults, where that says what is allowed.
    cut: bool,
    counts: StgCounts,
}

impl Judge<'_> {
    fn judge(&self, tools: &mut Tools<'_>) -> Result<Survival, AnalysisStop> {
        let states = tools
            .budget
            .part(self.asked.effort.states.saturating_mul(8));
        let found = {
            let mut tools = Tools {
                terms: &mut *tools.terms,
                solver: &mut *tools.solver,
                budget: &states,
            };
            Search::run(self.roles, self.allowed, &mut tools)
        };
        let search = match found {
            Ok(search) => search,
            Err(Open::Stopped(stop)) => return too_large(stop, self.counts),
            Err(Open::Unsettled(reason)) => return Ok(self.unknown(reason, None)),
            Err(Open::Split(_)) => {
                return Ok(self.unknown("the data decide too many cases".to_owned(), None));
            }
        };
        if let Some(excess) = &search.excess {
            return self.refuted(&search, excess, tools);
        }
        if self.asked.recovers {
            match recovery(&search, self.roles) {
                Recovery::Never(state) => return self.stuck(&search, state, tools),
                Recovery::Open => {
                    let reason = "whether the roles can always end depends on data".to_owned();
                    return Ok(self.unknown(reason, None));
                }
                Recovery::Always => {}
            }
        }
        if !self.composed.refused.is_empty() {
            return Ok(self.full());
        }
        let reason = self.holds();
        let tree = Tree {
            claim: format!("{reason} ({} states examined)", search.states.len()),
            origin: None,
            evidence: None,
            because: Vec::new(),
        };
        Ok(Survival {
            verdict: Verdict::Holds(Evidence::Tree(tree)),
            reason,
            counts: self.counts,
        })
    }

    /// What holds, with the bounds that are part of it.
    fn holds(&self) -> String {
        let within = match self.asked.faults.bounds() {
            Some(bounds) => format!("with {bounds}"),
            None => "with any number of these faults".to_owned(),
        };
        let ends = if self.asked.recovers {
            ", and the roles can always still end"
        } else {
            ""
        };
        format!("{within}, every run is the beginning of an allowed run{ends}")
    }

    fn refuted(
        &self,
        search: &Search<'_>,
        excess: &Excess,
        tools: &mut Tools<'_>,
    ) -> Result<Survival, AnalysisStop> {
        if self.cut {
            return Ok(self.full());
        }
        let event = self.roles.edge(excess.edge).event.clone();
        let event = match event {
            Event::Message(message) => Event::Message(Message {
                direction: Direction::Interaction,
                ..message
            }),
            other => other,
        };
        let event = event.shown(tools.terms);
        let Some(mut run) = run::run(search, self.roles, excess.state, Some(excess), tools)? else {
            let reason =
                format!("no values were found for a run in which `{event}` is not allowed");
            return Ok(self.unknown(reason, None));
        };
        run.trace.departure = run::departure(search, self.allowed, excess, tools);
        run.trace.conclusion = format!("`{event}` is not allowed here");
        let reason = format!("{}, `{event}` is sent where it is not allowed", run.after());
        Ok(self.fails(reason, run.trace))
    }

    fn stuck(
        &self,
        search: &Search<'_>,
        state: usize,
        tools: &mut Tools<'_>,
    ) -> Result<Survival, AnalysisStop> {
        let nodes: Vec<NodeId> = region(search, state)
            .into_iter()
            .map(|it| search.states[it].node)
            .collect();
        if nodes.iter().any(|it| self.composed.refused.contains(it)) {
            return Ok(self.full());
        }
        let Some(mut run) = run::run(search, self.roles, state, None, tools)? else {
            let reason = "no values were found for a run after which the roles cannot end";
            return Ok(self.unknown(reason.to_owned(), None));
        };
        let waits = self.waits(search.states[state].node, tools.terms);
        run.trace.conclusion = match &waits[..] {
            [] => "from here the roles cannot end".to_owned(),
            waits => format!("from here the roles cannot end: {}", waits.join("; ")),
        };
        let reason = format!(
            "{}, the roles can no longer end{}",
            run.after(),
            match waits.first() {
                Some(first) => format!(": {first}"),
                None => String::new(),
            }
        );
        Ok(self.fails(reason, run.trace))
    }

    /// Who waits for what, and what no one takes.
    fn waits(&self, node: NodeId, terms: &mut Terms) -> Vec<String> {
        let here = &self.composed.configurations[node.index()];
        let mut found = Vec::new();
        for (index, (role, stg)) in self.cast.roles.iter().enumerate() {
            let place = here.places[index];
            if here.crashed[index] || stg.termination(place, terms) == Term::TRUE {
                continue;
            }
            let mut awaited: Vec<String> = Vec::new();
            for (_, edge) in stg.outgoing(place) {
                if let Some(message) = edge.event.message()
                    && message.direction == Direction::Receive
                {
                    let name = terms.names.text(message.operation.0).to_owned();
                    if !awaited.contains(&name) {
                        awaited.push(name);
                    }
                }
            }
            if !awaited.is_empty() {
                let role = terms.names.text(role.0);
                found.push(format!("{role} waits for {}", awaited.join(" or ")));
            }
        }
        for (queue, (from, to)) in here.queues.iter().zip(&self.composed.channels) {
            if let Some(head) = queue.first() {
                let operation = self.composed.kinds[head.kind];
                let [operation, from, to] =
                    [operation.0, from.0, to.0].map(|it| terms.names.text(it).to_owned());
                found.push(format!("{from} -> {to}: {operation} is in the queue"));
            }
        }
        found
    }

    fn fails(&self, reason: String, trace: Trace) -> Survival {
        Survival {
            verdict: Verdict::Fails(Evidence::Trace(trace)),
            reason,
            counts: self.counts,
        }
    }

    fn full(&self) -> Survival {
        let reason = format!("a queue was full with {} messages", self.asked.effort.bound);
        self.unknown(reason, Some(Bound::Places(None)))
    }

    fn unknown(&self, reason: String, bound: Option<Bound>) -> Survival {
        Survival::unknown(reason, bound, self.counts)
    }
}

impl Survival {
    fn unknown(reason: String, bound: Option<Bound>, counts: StgCounts) -> Survival {
        Survival {
            verdict: Verdict::Unknown(Unknown {
                reason: reason.clone(),
                help: bound.into(),
                evidence: None,
            }),
            reason,
            counts,
        }
    }
}

fn too_large(stop: AnalysisStop, counts: StgCounts) -> Result<Survival, AnalysisStop> {
    match stop {
        AnalysisStop::Spent(spent) => Ok(Survival::unknown(
            format!("the roles under faults are too large: {spent}"),
            Some(Bound::States(None)),
            counts,
        )),
        other => Err(other),
    }
}
