//! Compensation: undoing what scopes have completed.
//!
//! A scope that can be compensated counts in a variable how often it has completed and notes in another when it last
//! did; `compensate` undoes those directly inside.
//! What depends on another scope is undone before it, and what ran side by side may be undone side by side (12.5.2).

use std::sync::Arc;

use choros_base::Span;
use choros_data::{Op, Sort, Term, Var};
use choros_model::stg::Update;

use super::diagnostics::misplaced_activity;
use super::history::History;
use super::peers::{Place, Undone};
use super::reader::Reader;
use crate::calculus::{Activity, ActivityId, Arm};
use choros_xml::document::Element;

/// A scope that can be compensated.
#[derive(Debug, Clone)]
pub(super) struct ChildScope {
    name: Option<Arc<str>>,
    /// Positive if it has completed and was not compensated: how often, or where its history has the last time.
    pub(super) completed: Var,
    /// When it last did.
    pub(super) order: Var,
    /// What undoes it.
    handler: ActivityId,
    /// Where it is.
    pub(super) place: Place,
    /// What it was like each time it completed, if it may do so several times.
    pub(super) history: Option<Arc<History>>,
}

impl Reader<'_, '_> {
    /// Makes a scope one that can be compensated; what its completion assigns.
    pub(super) fn compensable(
        &mut self,
        element: Element<'_>,
        handler: ActivityId,
        inner: &[ChildScope],
    ) -> Vec<Update> {
        let name = element.attribute("name").map(Arc::<str>::from);
        let stem = name.as_deref().unwrap_or("scope").to_owned();
        let completed = self.new_variable(&format!("completed_{stem}"), Sort::INT);
        let order = self.new_variable(&format!("order_{stem}"), Sort::INT);
        let completions = match self.completions {
            Some(known) => known,
            None => {
                let new = self.new_variable("completions", Sort::INT);
                self.completions = Some(new);
                new
            }
        };
        let (one, often, all) = (
            self.terms.int(1),
            self.terms.var(completed),
            self.terms.var(completions),
        );
        let history = self.history(element, &stem, inner, [order, completed]);
        let next = self.terms.arithmetic(Op::Add, all, one);
        let mut updates = match &history {
            Some(history) => self.remember(history, completed),
            None => {
                let more = self.terms.arithmetic(Op::Add, often, one);
                vec![self.set(completed, more)]
            }
        };
        updates.extend([self.set(completions, next), self.set(order, all)]);
        let place = self.place(element);
        if let Some(outer) = self.children.last_mut() {
            outer.push(ChildScope {
                name,
                completed,
                order,
                handler,
                place,
                history: history.map(Arc::new),
            });
        }
        updates
    }

    /// The scopes inside one have not completed when it begins.
    pub(super) fn nothing_completed(&mut self, inner: &[ChildScope]) -> Vec<Update> {
        let zero = self.terms.int(0);
        let mut begin = Vec::new();
        for one in inner {
            begin.push(self.set(one.completed, zero));
            if one.history.is_some() {
                begin.push(self.set(one.order, zero));
            }
            if let Some(&undoing) = self.undoing.get(&one.completed) {
                begin.push(self.set(undoing, Term::FALSE));
            }
        }
        begin
    }

    pub(super) fn compensate(&mut self, element: Element<'_>) -> ActivityId {
        match self.around.compensable.clone() {
            Some(scopes) => self.undo(&scopes, Some(element.span())),
            None => self.no_handler(element),
        }
    }

    pub(super) fn compensate_scope(&mut self, element: Element<'_>) -> ActivityId {
        let Some(scopes) = self.around.compensable.clone() else {
            return self.no_handler(element);
        };
        let target = element.attribute("target").unwrap_or("");
        let found: Vec<ChildScope> = scopes
            .iter()
            .filter(|it| it.name.as_deref() == Some(target))
            .cloned()
            .collect();
        // A name that no scope here has is a finding of the static rules; one without handlers has nothing to undo.
        self.undo(&found, Some(element.span()))
    }

    fn no_handler(&mut self, element: Element<'_>) -> ActivityId {
        self.library.report(misplaced_activity::diagnostic(
            format!("`{}` is outside all handlers", element.local()),
            "nothing to compensate here",
            element.span(),
        ));
        self.add(Activity::Empty, element)
    }

    /// Undoes what has completed of these scopes.
    ///
    /// What no one wrote has no place.
    pub(super) fn undo(&mut self, scopes: &[ChildScope], place: Option<Span>) -> ActivityId {
        if scopes.is_empty() {
            return self.process.add(Activity::Empty, place);
        }
        let mut orders = vec![vec![Undone::InTurn; scopes.len()]; scopes.len()];
        for (one, first) in scopes.iter().enumerate() {
            for (other, second) in scopes.iter().enumerate().skip(one + 1) {
                let order = self.undone(&first.place, &second.place);
                orders[one][other] = order;
                orders[other][one] = order.turned();
            }
        }
        if orders.iter().flatten().all(|it| *it == Undone::InTurn) {
            return self.undo_in_turn(scopes, place);
        }
        for scope in scopes {
            if !self.undoing.contains_key(&scope.completed) {
                let stem = scope.name.as_deref().unwrap_or("scope").to_owned();
                let new = self.new_variable(&format!("undoing_{stem}"), Sort::BOOL);
                self.undoing.insert(scope.completed, new);
            }
        }
        let mut branches = Vec::new();
        for (own, orders) in orders.iter().enumerate() {
            branches.push(self.undo_beside(scopes, own, orders, place));
        }
        self.process.add(Activity::Flow(branches), place)
    }

    /// While one of the scopes has completed, undoes the one that did so last.
    fn undo_in_turn(&mut self, scopes: &[ChildScope], place: Option<Span>) -> ActivityId {
        let mut arms = Vec::new();
        let everyone = vec![Undone::InTurn; scopes.len()];
        for (position, scope) in scopes.iter().enumerate() {
            arms.push(Arm {
                guard: self.is_last(scopes, position, &everyone),
                updates: self.taken_back(scope),
                body: scope.handler,
            });
        }
        let mut installed = Vec::new();
        for scope in scopes {
            installed.push(self.has_completed(scope));
        }
        let choice = Activity::Choice { arms, waits: false };
        let body = self.process.add(choice, place);
        let enter = self.terms.or(installed);
        self.while_there_is(enter, body, place)
    }

    /// Undoes one of several scopes, some of which may be undone at the same time.
    fn undo_beside(
        &mut self,
        scopes: &[ChildScope],
        own: usize,
        orders: &[Undone],
        place: Option<Span>,
    ) -> ActivityId {
        let scope = &scopes[own];
        let mut guard = vec![self.is_last(scopes, own, orders)];
        for (other, rival) in scopes.iter().enumerate().filter(|it| it.0 != own) {
            let waits = matches!(orders[other], Undone::InTurn | Undone::Waits);
            if let (true, Some(&undoing)) = (waits, self.undoing.get(&rival.completed)) {
                let undoing = self.terms.var(undoing);
                guard.push(self.terms.complement(undoing));
            }
        }
        let guard = self.terms.and(guard);
        let mut updates = self.taken_back(scope);
        let mut done = Vec::new();
        if let Some(&undoing) = self.undoing.get(&scope.completed) {
            updates.push(self.set(undoing, Term::TRUE));
            done.push(self.set(undoing, Term::FALSE));
        }
        let done = self.process.add(Activity::Assign(done), place);
        let body = Activity::Sequence(vec![scope.handler, done]);
        let body = self.process.add(body, place);
        let arm = Arm {
            guard,
            updates,
            body,
        };
        let choice = Activity::Choice {
            arms: vec![arm],
            waits: true,
        };
        let body = self.process.add(choice, place);
        let enter = self.has_completed(scope);
        self.while_there_is(enter, body, place)
    }

    fn while_there_is(&mut self, enter: Term, body: ActivityId, place: Option<Span>) -> ActivityId {
        let leave: Term = self.terms.complement(enter);
        let repeat = Activity::Loop {
            enter,
            leave,
            body,
            body_first: false,
            undefined: None,
        };
        self.process.add(repeat, place)
    }

    fn has_completed(&mut self, scope: &ChildScope) -> Term {
        let often = self.terms.var(scope.completed);
        let zero = self.terms.int(0);
        self.terms.compare(Op::Greater, often, zero)
    }

    /// When a scope has completed, and no other is to be undone before it.
    fn is_last(&mut self, scopes: &[ChildScope], own: usize, orders: &[Undone]) -> Term {
        let order = self.terms.var(scopes[own].order);
        let mut guard = vec![self.has_completed(&scopes[own])];
        for (other, rival) in scopes.iter().enumerate() {
            if other == own || matches!(orders[other], Undone::Apart | Undone::First) {
                continue;
            }
            let installed = self.has_completed(rival);
            if orders[other] == Undone::Waits {
                guard.push(self.terms.complement(installed));
                continue;
            }
            let before = self.terms.var(rival.order);
            let later = self.terms.compare(Op::Greater, order, before);
            guard.push(self.terms.implies(installed, later));
        }
        self.terms.and(guard)
    }

    /// What undoing a scope assigns before its handler begins.
    fn taken_back(&mut self, scope: &ChildScope) -> Vec<Update> {
        match &scope.history {
            Some(history) => self.recall(history, scope.completed),
            None => {
                let often = self.terms.var(scope.completed);
                let one = self.terms.int(1);
                let less = self.terms.arithmetic(Op::Subtract, often, one);
                vec![self.set(scope.completed, less)]
            }
        }
    }
}
