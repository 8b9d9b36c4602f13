//! Sessions without what they share, where one role keeps that and decides by it.
//!
//! If what a message does to the shared variables, and when, depends on nothing but which message it is, all sessions
//! are sessions that share nothing, in step with a *store*: it knows the variables, lets a message pass or not, and
//! changes them.
//! If one role takes part in all these messages and sends those that may not pass, it can keep the store.
//! The README has the argument that then one session without the store says what any number with it do.

use choros_data::{Op, Term, TermKind, Terms, Var};
use choros_model::stg::{
    Edge, FieldValue, NodeId, Operation, Role, Sessions, Stg, StgBuilder, Update,
};
use choros_smt::{Satisfiability, Solver, SolverError};

use crate::formulas::has_cycle;

/// Who may keep the store, and with which messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeper {
    /// Who sends all messages that touch it.
    Sender,
    /// Who takes part in all of them, and sends those that may not pass.
    EitherEnd,
}

/// What a message does to the store.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Touch {
    message: (Operation, Role, Role),
    passes: Vec<Term>,
    updates: Vec<Update>,
}

/// One session without what all share; or why it does not say what they do.
pub fn without_store(
    stg: &Stg,
    sessions: &Sessions,
    keeper: Keeper,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Result<Stg, String>, SolverError> {
    let mut shared = sessions.shared_variables(stg, terms);
    shared.retain(|&variable| {
        let mut edges = stg.edges().iter();
        edges.any(|edge| {
            let mut updates = edge.updates.iter();
            updates.any(|it| it.variable == variable)
                || edge.event.bound_variables().any(|it| it == variable)
        })
    });
    let own = sessions.own_variables(stg, terms);
    let store = Store { shared, own };
    let mut touches: Vec<Touch> = Vec::new();
    for edge in stg.edges() {
        if let Err(reason) = store.note(edge, &mut touches, terms) {
            return Ok(Err(reason));
        }
    }
    let mut ends = stg.nodes().iter().flat_map(|it| &it.terminations);
    if ends.any(|it| store.reads(it.guard, terms)) {
        return Ok(Err(
            "the end of a session depends on what all share".to_owned()
        ));
    }
    if let Some(reason) = no_keeper(&touches, keeper, terms) {
        return Ok(Err(reason));
    }
    if has_cycle(stg) {
        return Ok(Err(
            "a session may go round, and wait for what all share forever".to_owned(),
        ));
    }
    if let Some(node) = store.blocked(stg, terms, solver)? {
        let label = &stg.node(node).label;
        return Ok(Err(format!(
            "a session may have to wait for what all share, in state {label}"
        )));
    }
    Ok(Ok(store.removed(stg, terms)))
}

struct Store {
    /// What some step writes and all sessions share.
    shared: Vec<Var>,
    /// What each session has for itself.
    own: Vec<Var>,
}

impl Store {
    fn reads(&self, term: Term, terms: &Terms) -> bool {
        let variables = terms.free_variables(term);
        variables.iter().any(|it| self.shared.contains(it))
    }

    fn reads_own(&self, term: Term, terms: &Terms) -> bool {
        let variables = terms.free_variables(term);
        variables.iter().any(|it| self.own.contains(it))
    }

    /// The conditions on the store, and the others.
    fn split(&self, guard: Term, terms: &Terms) -> (Vec<Term>, Vec<Term>) {
        let conjuncts = match terms.kind(guard) {
            TermKind::Apply(Op::And, parts) => parts.to_vec(),
            _ if guard == Term::TRUE => Vec::new(),
            _ => vec![guard],
        };
        conjuncts.into_iter().partition(|&it| self.reads(it, terms))
    }

    /// Remembers what an edge does to the store, which has to be what others of its message do.
    fn note(&self, edge: &Edge, touches: &mut Vec<Touch>, terms: &Terms) -> Result<(), String> {
        let (passes, _) = self.split(edge.guard, terms);
        let of_store = |it: &&Update| self.shared.contains(&it.variable);
        let updates: Vec<Update> = edge.updates.iter().filter(of_store).copied().collect();
        let Some(message) = edge.event.message() else {
            let mut others = edge.updates.iter();
            let touches = !passes.is_empty()
                || !updates.is_empty()
                || others.any(|it| self.reads(it.value, terms))
                || edge
                    .event
                    .bound_variables()
                    .any(|it| self.shared.contains(&it));
            return if touches {
                Err("a step without a message touches what all share".to_owned())
            } else {
                Ok(())
            };
        };
        let name = terms.names.text(message.operation.0);
        let carries = message.fields.iter().any(|it| match it.value {
            FieldValue::Free(term) => self.reads(term, terms),
            FieldValue::Bind(variable) => self.shared.contains(&variable),
        });
        let mut others = edge.updates.iter().filter(|it| !of_store(it));
        if carries || others.any(|it| self.reads(it.value, terms)) {
            return Err(format!("`{name}` tells a session what all share"));
        }
        let read = passes
            .iter()
            .copied()
            .chain(updates.iter().map(|it| it.value));
        if read.into_iter().any(|it| self.reads_own(it, terms)) {
            return Err(format!(
                "what `{name}` does to what all share depends on data of its session"
            ));
        }
        let touch = Touch {
            message: (message.operation, message.from, message.to),
            passes,
            updates,
        };
        match touches.iter().find(|it| it.message == touch.message) {
            None => touches.push(touch),
            Some(known) if *known == touch => {}
            Some(_) => {
                return Err(format!(
                    "`{name}` does not always do the same to what all share"
                ));
            }
        }
        Ok(())
    }

    /// A node where a session could go on but for the store.
    fn blocked(
        &self,
        stg: &Stg,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<Option<NodeId>, SolverError> {
        for node in stg.node_ids() {
            let guards: Vec<Term> = stg.outgoing(node).map(|(_, it)| it.guard).collect();
            let mut free = Vec::with_capacity(guards.len());
            for &guard in &guards {
                let (_, others) = self.split(guard, terms);
                free.push(terms.and(others));
            }
            if free == guards {
                continue;
            }
            let (could, can) = (terms.or(free), terms.or(guards));
            let cannot = terms.not(can);
            let answer = solver.check_assuming(terms, &[could, cannot])?;
            if answer != Satisfiability::Unsat {
                return Ok(Some(node));
            }
        }
        Ok(None)
    }

    /// The graph of a session for which every message passes.
    fn removed(&self, stg: &Stg, terms: &mut Terms) -> Stg {
        let mut builder = StgBuilder::new(stg.name(), stg.ending());
        for node in stg.node_ids() {
            let new = builder.node(stg.node(node).label.clone());
            for end in &stg.node(node).terminations {
                builder.terminate(terms, new, end.guard, end.origin);
            }
        }
        for edge in stg.edges() {
            let mut edge = edge.clone();
            let (_, others) = self.split(edge.guard, terms);
            edge.guard = terms.and(others);
            edge.updates
                .retain(|it| !self.shared.contains(&it.variable));
            builder.edge(terms, edge);
        }
        builder.finish_as_built(stg.initial())
    }
}

/// Why no role can keep the store.
fn no_keeper(touches: &[Touch], keeper: Keeper, terms: &Terms) -> Option<String> {
    let touching = touches
        .iter()
        .filter(|it| !it.passes.is_empty() || !it.updates.is_empty());
    let touching: Vec<&Touch> = touching.collect();
    let may_keep = |role: Role, touch: &Touch| {
        let (_, from, to) = touch.message;
        role == from || (keeper == Keeper::EitherEnd && role == to && touch.passes.is_empty())
    };
    let first = touching.first()?;
    let (_, from, to) = first.message;
    let mut roles = [from, to].into_iter();
    if roles.any(|role| touching.iter().all(|it| may_keep(role, it))) {
        return None;
    }
    let names: Vec<String> = touching
        .iter()
        .map(|it| format!("`{}`", terms.names.text(it.message.0.0)))
        .collect();
    Some(format!(
        "no role can keep what {} look at or change",
        names.join(", ")
    ))
}
