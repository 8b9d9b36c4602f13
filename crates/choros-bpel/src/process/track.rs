//! Faults that depend on what happened before: variables that have no value yet, calls that were answered or not.
//!
//! Whether one of them can be raised is a question about the graph, so the process is unfolded once without them; only
//! variables and calls for which something may be wrong there get a variable of their own that remembers.

use std::collections::BTreeMap;

use choros_base::Budget;
use choros_data::{Sort, Term, TermKind, Terms, Var};
use choros_model::stg::{Direction, Event, NodeId, Operation, Role, Stg, Update};
use rustc_hash::FxHashMap;

use super::parts::{self, Read, Sizes};
use super::reader::Reader;
use crate::calculus::{Activity, ActivityId, Arm, Delivery, Exchange, RaisedFault, unfold};

/// A graph with more states is not examined; what it may raise is left open then.
const MAX_STATES: u64 = 20_000;

impl Reader<'_, '_> {
    /// Adds what remembers, where it may matter.
    pub(super) fn track(&mut self, name: &str) {
        let Some(graph) = self.settled_graph(name) else {
            return;
        };
        let unset: Vec<Var> = graph
            .parameters(self.terms)
            .into_iter()
            .filter(|it| self.declared.contains(it))
            .collect();
        let exchanges: Vec<Exchange> = self.doubtful_exchanges(&graph);
        let mut begin = Vec::new();
        let flags = self.flags(&graph, &unset, &mut begin);
        if !flags.is_empty() {
            self.track_variables(&flags);
        }
        if !exchanges.is_empty() {
            self.track_exchanges(&exchanges, &mut begin);
        }
        if !begin.is_empty() {
            let body = self.process.root;
            let origin = self.process.origin(body);
            let updates = begin;
            self.process.root = self.process.add(Activity::Begin { updates, body }, origin);
        }
    }

    /// Unfolds the process until it is known which receptions may wait for the same messages at the same time: the
    /// handlers of the faults that follow may wait for some, too.
    fn settled_graph(&mut self, name: &str) -> Option<Stg> {
        loop {
            let budget = Budget::steps(MAX_STATES);
            let unfolded = unfold(self.terms, &self.process, name, &budget).ok()?;
            let mut is_known = true;
            for id in unfolded.rivals.iter().flat_map(|it| [it.0, it.1]) {
                if let Activity::Receive(reception) = self.process.activity_mut(id)
                    && let Some(contest) = &mut reception.contest
                {
                    is_known &= contest.is_open;
                    contest.is_open = true;
                }
            }
            if is_known {
                for handler in unfolded.skipped {
                    self.skipped_alarm(handler);
                }
                return Some(unfolded.graph);
            }
            if self.process.apart.is_none() {
                self.process.apart = Some(self.new_variable("apart", Sort::BOOL));
            }
        }
    }

    /// An alarm that comes again while its handler waits for something starts another handler (12.7), of which we have
    /// one at a time.
    fn skipped_alarm(&mut self, handler: ActivityId) {
        let mut work = vec![handler];
        while let Some(id) = work.pop() {
            let waits = match self.process.activity(id) {
                Activity::Time | Activity::Receive(_) => true,
                Activity::Choice { waits, .. } => *waits,
                _ => false,
            };
            if let (true, Some(place)) = (waits, self.process.origin(handler)) {
                let what = "an alarm that comes again before its handler has ended";
                self.not_followed(what, "it is skipped", place);
                return;
            }
            work.extend(self.process.parts(id));
        }
    }

    fn text(&self, variable: Var) -> String {
        self.terms
            .names
            .text(self.terms.variable_name(variable))
            .to_owned()
    }

    fn flag(&mut self, name: &str, begin: &mut Vec<Update>) -> Var {
        let flag = self.new_variable(name, Sort::BOOL);
        begin.push(self.set(flag, Term::FALSE));
        flag
    }

    fn throw_at(&mut self, local: &str, at: ActivityId) -> ActivityId {
        let fault = self.standard_fault(local);
        let raised = RaisedFault { fault, data: None };
        let origin = self.process.origin(at);
        self.process
            .add(Activity::Throw(raised, Vec::new()), origin)
    }

    /// Puts a choice in place of an activity: it happens if a condition holds, and otherwise a fault.
    fn guarded(&mut self, id: ActivityId, condition: Term, fault: &str) {
        let origin = self.process.origin(id);
        let activity = self.process.activity(id).clone();
        let moved = self.process.add(activity, origin);
        let raise = self.throw_at(fault, id);
        let opposite = self.terms.complement(condition);
        let arm = |guard, body| Arm {
            guard,
            updates: Vec::new(),
            body,
        };
        *self.process.activity_mut(id) = Activity::Choice {
            arms: vec![arm(condition, moved), arm(opposite, raise)],
            waits: false,
        };
    }

    /// What remembers whether variables, or parts of messages, have values: where they may be read without one.
    fn flags(&mut self, graph: &Stg, unset: &[Var], begin: &mut Vec<Update>) -> Flags {
        let mut flags = Flags::default();
        let in_parts = self.in_parts.iter().copied();
        let sizes: Sizes = in_parts.filter(|it| unset.contains(&it.0)).collect();
        let (doubtful, copies) = parts::doubtful(self.terms, graph, &sizes, &self.declared);
        for &variable in unset {
            let name = format!("{}_set", self.text(variable));
            let size = sizes.iter().find(|it| it.0 == variable);
            let Some(&(_, size)) = size else {
                flags.insert(variable, vec![(None, self.flag(&name, begin))]);
                continue;
            };
            let mut own = Vec::new();
            for part in (0..size).filter(|it| doubtful.contains(&(variable, *it))) {
                own.push((Some(part), self.flag(&name, begin)));
            }
            if !own.is_empty() {
                flags.insert(variable, own);
            }
        }
        for place in copies {
            let what = "a copy of a message of which only some parts have values";
            let instead = "a part without a value is a fault";
            self.not_followed(what, instead, place);
        }
        flags
    }

    /// `uninitializedVariable`: something reads a variable that nothing has written (8.1).
    fn track_variables(&mut self, flags: &Flags) {
        for id in self.process.ids().collect::<Vec<_>>() {
            note_writes(self.terms, self.process.activity_mut(id), flags);
            let read = self.reads(id, flags);
            if read.is_empty() {
                continue;
            }
            let conditions: Vec<Term> = read.iter().map(|&it| self.terms.var(it)).collect();
            let set = self.terms.and(conditions);
            let is_choice = matches!(
                self.process.activity(id),
                Activity::Choice { .. } | Activity::Loop { .. }
            );
            if !is_choice {
                // What a variable begins with cannot be had from one without a value (12.1).
                let fault = match self.process.activity(id) {
                    Activity::Begin { .. } => "scopeInitializationFailure",
                    _ => "uninitializedVariable",
                };
                self.guarded(id, set, fault);
                continue;
            }
            let unset = self.terms.complement(set);
            let raise = self.throw_at("uninitializedVariable", id);
            let terms = &mut *self.terms;
            match self.process.activity_mut(id) {
                Activity::Choice { arms, .. } => {
                    for arm in arms.iter_mut() {
                        arm.guard = terms.and([set, arm.guard]);
                    }
                    arms.push(Arm {
                        guard: unset,
                        updates: Vec::new(),
                        body: raise,
                    });
                }
                Activity::Loop {
                    enter,
                    leave,
                    undefined,
                    ..
                } => {
                    *enter = terms.and([set, *enter]);
                    *leave = terms.and([set, *leave]);
                    *undefined = Some(match *undefined {
                        Some((guard, body)) => (terms.or([unset, guard]), body),
                        None => (unset, raise),
                    });
                }
                _ => {}
            }
        }
        self.forget_variables(flags);
        self.recall_flags(flags);
    }

    /// What a round of a loop keeps to be undone says whether it had values, too.
    fn recall_flags(&mut self, flags: &Flags) {
        for (variable, list) in self.kept.clone() {
            for &(_, flag) in flags.get(&variable).into_iter().flatten() {
                let name = format!("each_{}", self.text(flag));
                let sort = self.terms.list_sort(Sort::BOOL);
                let each = self.new_variable(&name, sort);
                let nothing = self.terms.list(sort, &[]);
                let value = self.terms.var(flag);
                let last = self.terms.list(sort, &[value]);
                let entries = self.terms.var(each);
                let longer = self.terms.concat(&[entries, last]);
                for id in self.process.ids().collect::<Vec<_>>() {
                    let terms = &mut *self.terms;
                    for updates in self.process.updates_mut(id) {
                        let Some(at) = updates.iter().position(|it| {
                            it.variable == list
                                || it.variable == variable
                                    && terms.free_variables(it.value).contains(&list)
                        }) else {
                            continue;
                        };
                        let found = updates[at];
                        let (variable, value) = match terms.kind(found.value) {
                            _ if found.variable == variable => {
                                let place = terms.arguments(found.value)[1];
                                (flag, terms.index(entries, place))
                            }
                            TermKind::Constant(_) => (each, nothing),
                            _ => (each, longer),
                        };
                        // Before the place of the entry changes, and after it is noted that the variable has a value.
                        updates.retain(|it| it.variable != flag);
                        updates.insert(at, Update { variable, value });
                    }
                }
            }
        }
    }

    /// Each time a scope begins, its variables are new and have no values (8.1).
    fn forget_variables(&mut self, flags: &Flags) {
        for scope in self.scopes.clone() {
            let own = scope.variables.iter().filter_map(|it| flags.get(it));
            let own: Vec<Var> = own.flatten().map(|it| it.1).collect();
            self.forget_at(scope.activity, &own);
        }
    }

    /// Lets an activity begin without what some flags stand for.
    fn forget_at(&mut self, id: ActivityId, flags: &[Var]) {
        if flags.is_empty() {
            return;
        }
        let forgotten = flags.iter().map(|&variable| Update {
            variable,
            value: Term::FALSE,
        });
        let mut begin: Vec<Update> = forgotten.collect();
        if let Activity::Begin { updates, .. } = self.process.activity_mut(id) {
            begin.append(updates);
            *updates = begin;
            return;
        }
        let moved = self.process.activity(id).clone();
        let body = self.process.add(moved, self.process.origin(id));
        let updates = begin;
        *self.process.activity_mut(id) = Activity::Begin { updates, body };
    }

    /// What remembers the variables that an activity reads before it writes them.
    fn reads(&self, id: ActivityId, flags: &Flags) -> Vec<Var> {
        let mut found: Vec<Var> = Vec::new();
        let mut written: Vec<Var> = Vec::new();
        let mut read = |read: Vec<Read>, written: &[Var]| {
            for (variable, part) in read {
                for flag in flags_of(flags, variable, part) {
                    if !written.contains(&flag) && !found.contains(&flag) {
                        found.push(flag);
                    }
                }
            }
        };
        match self.process.activity(id) {
            Activity::Assign(updates)
            | Activity::Throw(_, updates)
            | Activity::Begin { updates, .. } => {
                for update in updates {
                    let touched = parts::touched(self.terms, update);
                    read(touched.read, &written);
                    for part in touched.written {
                        written.extend(flags_of(flags, update.variable, part));
                    }
                }
            }
            Activity::Send(sending) => {
                for update in &sending.prepare {
                    read(parts::read_in(self.terms, update.value), &written);
                }
            }
            Activity::Choice { arms, .. } => {
                for arm in arms {
                    read(parts::read_in(self.terms, arm.guard), &written);
                }
            }
            Activity::Loop { enter, leave, .. } => {
                read(parts::read_in(self.terms, *enter), &written);
                read(parts::read_in(self.terms, *leave), &written);
            }
            _ => {}
        }
        found
    }

    /// The calls that may come too often, or be answered too often or never.
    fn doubtful_exchanges(&self, graph: &Stg) -> Vec<Exchange> {
        let same = |it: &(Role, Operation, String), other: &(Role, Operation, String)| {
            (it.0, it.1) == (other.0, other.1)
        };
        let mut found = Vec::new();
        for (number, one) in self.exchanges.iter().enumerate() {
            // Message exchanges of one operation do not differ in what is sent.
            let several = self.exchanges.iter().filter(|it| same(it, one)).count() > 1;
            if several || is_doubtful(graph, one.0, one.1) {
                found.push(Exchange(number as u32));
            }
        }
        found
    }

    /// `conflictingRequest`, `missingRequest`, `missingReply` (10.4).
    fn track_exchanges(&mut self, exchanges: &[Exchange], begin: &mut Vec<Update>) {
        let mut open: BTreeMap<Exchange, Var> = BTreeMap::new();
        for (number, key) in self.exchanges.clone().into_iter().enumerate() {
            let exchange = Exchange(number as u32);
            if exchanges.contains(&exchange) {
                let operation = self.terms.names.text(key.1.0).to_owned();
                let name = format!("open_{operation}_{}", key.2);
                let name = name.trim_end_matches('_').to_owned();
                open.insert(exchange, self.flag(&name, begin));
            }
        }
        let conflict = self.standard_fault("conflictingRequest");
        for id in self.process.ids().collect::<Vec<_>>() {
            match self.process.activity(id).clone() {
                Activity::Receive(reception) => {
                    let Some(&flag) = reception.opens.and_then(|it| open.get(&it)) else {
                        continue;
                    };
                    let is_open = self.terms.var(flag);
                    let opened = self.set(flag, Term::TRUE);
                    if let Activity::Receive(reception) = self.process.activity_mut(id) {
                        let delivery = reception.delivery.get_or_insert(Delivery {
                            unready: Term::FALSE,
                            refused: Vec::new(),
                            matches: Term::TRUE,
                            updates: Vec::new(),
                            is_correlated: false,
                        });
                        delivery.refused.push((is_open, conflict));
                        delivery.updates.push(opened);
                    }
                }
                Activity::Send(sending) => {
                    let Some(&flag) = sending.closes.and_then(|it| open.get(&it)) else {
                        continue;
                    };
                    let is_open = self.terms.var(flag);
                    let closed = self.set(flag, Term::FALSE);
                    if let Activity::Send(sending) = self.process.activity_mut(id) {
                        sending.prepare.push(closed);
                    }
                    self.guarded(id, is_open, "missingRequest");
                }
                _ => {}
            }
        }
        let mut outer: Vec<Var> = open.values().copied().collect();
        for scope in self.scopes.clone() {
            let is_own = |(exchange, _): &(&Exchange, &Var)| {
                let (partner, _, name) = &self.exchanges[exchange.0 as usize];
                let partner = self.terms.names.text(partner.0);
                scope.links.iter().any(|it| &**it == partner)
                    || scope.exchanges.iter().any(|it| **it == **name)
            };
            let own: Vec<Var> = open.iter().filter(is_own).map(|it| *it.1).collect();
            outer.retain(|it| !own.contains(it));
            self.answered_by(scope.body, &own);
            self.forget_at(scope.activity, &own);
        }
        if let Some(body) = self.process_body {
            self.answered_by(body, &outer);
        }
    }

    /// Raises `missingReply` when a body completes while one of its calls waits for an answer.
    fn answered_by(&mut self, body: ActivityId, flags: &[Var]) {
        if flags.is_empty() {
            return;
        }
        let open: Vec<Term> = flags.iter().map(|&it| self.terms.var(it)).collect();
        let missing = self.terms.or(open);
        let answered = self.terms.complement(missing);
        let origin = self.process.origin(body);
        let check = self.process.add(Activity::Empty, origin);
        self.guarded(check, answered, "missingReply");
        let moved = self.process.activity(body).clone();
        let moved = self.process.add(moved, origin);
        *self.process.activity_mut(body) = Activity::Sequence(vec![moved, check]);
    }
}

/// For each variable what remembers whether it, or one of its parts, has a value.
type Flags = FxHashMap<Var, Vec<(Option<usize>, Var)>>;

/// The flags of a part of a variable, or of all of it.
fn flags_of(flags: &Flags, variable: Var, part: Option<usize>) -> impl Iterator<Item = Var> {
    let own = flags.get(&variable).into_iter().flatten();
    let meant = own.filter(move |it| part.is_none() || it.0.is_none() || it.0 == part);
    meant.map(|it| it.1)
}

/// Adds to everything that writes a tracked variable that it has a value.
fn note_writes(terms: &Terms, activity: &mut Activity, flags: &Flags) {
    let note = |updates: &mut Vec<Update>| {
        let mut written: Vec<Update> = Vec::new();
        for update in updates.iter() {
            for part in parts::touched(terms, update).written {
                for variable in flags_of(flags, update.variable, part) {
                    let value = Term::TRUE;
                    if !written.iter().any(|it| it.variable == variable) {
                        written.push(Update { variable, value });
                    }
                }
            }
        }
        updates.extend(written);
    };
    match activity {
        Activity::Assign(updates) | Activity::Begin { updates, .. } => note(updates),
        Activity::Receive(reception) => note(&mut reception.store),
        Activity::Choice { arms, .. } => arms.iter_mut().for_each(|it| note(&mut it.updates)),
        _ => {}
    }
}

/// Whether some path calls twice without an answer, answers twice, or ends without an answer.
fn is_doubtful(graph: &Stg, partner: Role, operation: Operation) -> bool {
    // Bit 0: nothing waits for an answer; bit 1: a call does.
    let mut known: Vec<u8> = vec![0; graph.nodes().len()];
    known[graph.initial().index()] = 1;
    let mut work: Vec<NodeId> = vec![graph.initial()];
    while let Some(node) = work.pop() {
        let here = known[node.index()];
        let ends = !graph.node(node).terminations.is_empty();
        if ends && here & 2 != 0 {
            return true;
        }
        for (_, edge) in graph.outgoing(node) {
            let after = match &edge.event {
                Event::Message(message) if message.operation == operation => {
                    match message.direction {
                        Direction::Receive if message.from == partner => match here {
                            1 => 2,
                            _ => return true,
                        },
                        Direction::Receive => here,
                        _ if message.to == partner => match here {
                            2 => 1,
                            _ => return true,
                        },
                        _ => here,
                    }
                }
                _ => here,
            };
            let there = &mut known[edge.target.index()];
            if *there | after != *there {
                *there |= after;
                work.push(edge.target);
            }
        }
    }
    false
}
