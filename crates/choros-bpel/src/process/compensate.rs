//! Compensation: undoing what scopes have completed.
//!
//! A scope that can be compensated counts in a variable how often it has completed and notes in another when it last
//! did; `compensate` undoes those directly inside, the last completed first.

use std::sync::Arc;

use choros_base::Span;
use choros_data::{Op, Sort, Term, Var};
use choros_model::stg::Update;

use super::diagnostics::misplaced_activity;
use super::reader::Reader;
use crate::calculus::{Activity, ActivityId, Arm};
use choros_xml::document::Element;

/// A scope that can be compensated.
#[derive(Debug, Clone)]
pub(super) struct ChildScope {
    name: Option<Arc<str>>,
    /// How often it has completed and was not compensated.
    pub(super) completed: Var,
    /// When it last did.
    order: Var,
    /// What undoes it.
    handler: ActivityId,
}

impl Reader<'_, '_> {
    /// Makes a scope one that can be compensated; what its completion assigns.
    pub(super) fn compensable(&mut self, element: Element<'_>, handler: ActivityId) -> Vec<Update> {
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
        let more = self.terms.arithmetic(Op::Add, often, one);
        let next = self.terms.arithmetic(Op::Add, all, one);
        if let Some(outer) = self.children.last_mut() {
            outer.push(ChildScope {
                name,
                completed,
                order,
                handler,
            });
        }
        vec![
            self.set(completed, more),
            self.set(completions, next),
            self.set(order, all),
        ]
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

    /// While one of the scopes has completed, undoes the one that did so last.
    ///
    /// What no one wrote has no place.
    pub(super) fn undo(&mut self, scopes: &[ChildScope], place: Option<Span>) -> ActivityId {
        if scopes.is_empty() {
            return self.process.add(Activity::Empty, place);
        }
        let zero = self.terms.int(0);
        let one = self.terms.int(1);
        let mut installed = Vec::new();
        for scope in scopes {
            let often = self.terms.var(scope.completed);
            installed.push(self.terms.compare(Op::Greater, often, zero));
        }
        let mut arms = Vec::new();
        for (position, scope) in scopes.iter().enumerate() {
            let own = self.terms.var(scope.order);
            let mut guard = vec![installed[position]];
            for (other, rival) in scopes.iter().enumerate().filter(|it| it.0 != position) {
                let order = self.terms.var(rival.order);
                let later = self.terms.compare(Op::Greater, own, order);
                guard.push(self.terms.implies(installed[other], later));
            }
            let often = self.terms.var(scope.completed);
            let less = self.terms.arithmetic(Op::Subtract, often, one);
            arms.push(Arm {
                guard: self.terms.and(guard),
                updates: vec![self.set(scope.completed, less)],
                body: scope.handler,
            });
        }
        let choice = Activity::Choice { arms, waits: false };
        let body = self.process.add(choice, place);
        let enter = self.terms.or(installed);
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
}
