//! Scopes and the process itself.

use std::sync::Arc;

use choros_model::stg::Update;

use super::compensate::ChildScope;
use super::reader::{Reader, child, children, is_bpel};
use super::reading::Reading;
use super::structure::is_activity;

use crate::calculus::{Activity, ActivityId, Arm, Handling, Scope, Style};
use choros_data::{Term, Var};
use choros_xml::document::Element;

/// A scope inside the process, with what is its own each time it begins.
#[derive(Debug, Clone)]
pub(super) struct OpenedScope {
    /// The whole of it.
    pub(super) activity: ActivityId,
    /// What it does, without its handlers.
    pub(super) body: ActivityId,
    /// What it declares; each time it begins, these have no values.
    pub(super) variables: Vec<Var>,
    /// Its partner links and message exchanges, unless its handlers of events may still answer after its body.
    pub(super) links: Vec<Arc<str>>,
    pub(super) exchanges: Vec<Arc<str>>,
}

impl Reader<'_, '_> {
    /// A scope, or the process, which is one.
    pub(super) fn scope(&mut self, element: Element<'_>, is_process: bool) -> ActivityId {
        let outer = self.around.clone();
        if is_process {
            self.around.suppress_join_failure =
                element.attribute("suppressJoinFailure") == Some("yes");
        }
        let exits = match element.attribute("exitOnStandardFault") {
            Some(given) => given == "yes",
            None => outer.exits.0,
        };
        self.around.exits = (exits, outer.exits.0);
        let locks = self.isolation(element);
        let success = std::mem::take(&mut self.on_success);
        let known = self.declared.len();
        let mut begin = self.declare(element);
        let variables = self.declared[known..].to_vec();
        self.children.push(Vec::new());
        let body = self.inner(element);
        if is_process {
            self.process_body = Some(body);
        }
        // The scopes of handlers of events are compensated with those of the body (SA00078).
        let mut handlers = Scope::around(body);
        if let Some(events) = child(element, "eventHandlers") {
            self.event_handlers(events, &mut handlers);
        }
        let inner = Arc::new(self.children.pop().unwrap_or_default());
        let faults = child(element, "faultHandlers");
        let opening = self.initializes(&begin);
        let initial = self.initial_values(&mut begin);
        let around = (begin, success);
        let mut activity = self.scope_around(element, handlers, around, &inner, faults, is_process);
        if !initial.is_empty() {
            let body = self.process.add(Activity::Assign(Vec::new()), None);
            let updates = initial;
            let first = self.add(Activity::Begin { updates, body }, element);
            activity = self.add(Activity::Sequence(vec![first, activity]), element);
        }
        self.around = outer;
        if !is_process {
            let answers = child(element, "eventHandlers").is_none();
            let names = |list: &str, of: &str| {
                let list = child(element, list).filter(|_| answers);
                let list = list.map(|it| children(it, of)).unwrap_or_default();
                let names = list.iter().filter_map(|it| it.attribute("name"));
                names.map(Arc::from).collect()
            };
            self.scopes.push(OpenedScope {
                activity,
                body,
                variables,
                links: names("partnerLinks", "partnerLink"),
                exchanges: names("messageExchanges", "messageExchange"),
            });
        }
        let activity = self.opened(element, opening, activity);
        if locks {
            self.locked(element, activity)
        } else {
            activity
        }
    }

    /// The values with which a scope begins, if what they are depends on when that is: others may change what they
    /// read between the beginning and the first step (12.1).
    fn initial_values(&mut self, begin: &mut Vec<Update>) -> Vec<Update> {
        let reads = begin.iter().any(|it| self.terms.has_variables(it.value));
        match self.options.reading {
            Reading::Standard if reads => std::mem::take(begin),
            _ => Vec::new(),
        }
    }

    /// When the values with which a scope begins are all there.
    fn initializes(&mut self, begin: &[Update]) -> Term {
        let mut now = rustc_hash::FxHashMap::default();
        let mut defined = Vec::new();
        for update in begin {
            let value = self.terms.substitute(update.value, &now);
            defined.push(self.terms.defined(value));
            now.insert(update.variable, value);
        }
        let defined = self.terms.and(defined);
        self.terms.simplify(defined)
    }

    /// A scope whose variables cannot get their values raises a fault in the scope around it (12.1).
    fn opened(&mut self, element: Element<'_>, opening: Term, scope: ActivityId) -> ActivityId {
        if opening == Term::TRUE {
            return scope;
        }
        let fault = self.raise("scopeInitializationFailure", element);
        let failing = self.terms.complement(opening);
        let arm = |guard, body| Arm {
            guard,
            updates: Vec::new(),
            body,
        };
        let arms = vec![arm(opening, scope), arm(failing, fault)];
        self.add(Activity::Choice { arms, waits: false }, element)
    }

    /// `invoke` with handlers of its own.
    pub(super) fn invoke_scope(&mut self, element: Element<'_>) -> ActivityId {
        let outer = self.around.clone();
        self.around.exits.1 = self.around.exits.0;
        let body = self.invoke_only(element);
        let inner = Arc::new(Vec::new());
        let around = (Vec::new(), Vec::new());
        let body = Scope::around(body);
        let scope = self.scope_around(element, body, around, &inner, Some(element), false);
        self.around = outer;
        scope
    }

    /// Puts the handlers of an element around a body with its handlers of events.
    fn scope_around(
        &mut self,
        element: Element<'_>,
        mut scope: Scope,
        (mut begin, success): (Vec<Update>, Vec<Update>),
        inner: &Arc<Vec<ChildScope>>,
        faults: Option<Element<'_>>,
        is_process: bool,
    ) -> ActivityId {
        let body = scope.body;
        scope.completed = success;
        scope.style = self.options.events;
        if let Some(faults) = faults {
            self.fault_handlers(faults, inner, &mut scope);
        }
        if !inner.is_empty() {
            self.default_handlers(element, inner, &mut scope);
        }
        if !scope.handlers.is_empty() {
            // Links that leave the body are dead once it is given up, to a handler that says nothing too.
            for part in element.children() {
                if is_bpel(part) && is_activity(part.local()) {
                    let updates = self.abandoned_links(part);
                    scope.abandoned.extend(updates);
                }
            }
        }
        if !is_process {
            if let Some(termination) = child(element, "terminationHandler") {
                let handler = self.handler(termination, inner, false);
                scope.termination = Some(self.silenced(handler, termination));
            }
            let compensation = child(element, "compensationHandler");
            let handler = match compensation {
                Some(compensation) => {
                    // Two of them may run at the same time.
                    let read = |reader: &mut Self| reader.handler(compensation, inner, false);
                    Some(self.in_parallel(read))
                }
                None if !inner.is_empty() => Some(self.undo(inner, None)),
                None => None,
            };
            if let Some(handler) = handler {
                let completed = self.compensable(element, handler, inner);
                scope.completed.extend(completed);
            }
        }
        let nothing = self.nothing_completed(inner);
        begin.extend(nothing);
        if let (true, Some(completions)) = (is_process, self.completions) {
            let zero = self.terms.int(0);
            begin.push(self.set(completions, zero));
        }
        if is_process {
            begin.append(&mut self.histories);
        }
        scope.starts_dormant = is_process && scope.style == Style::Concurrent;
        // A scope whose handlers cannot catch the fault leaves it to the one around.
        let (exits, around) = self.around.exits;
        scope.exits = exits && (!around || !scope.handlers.is_empty());
        let activity = if scope.is_plain() {
            body
        } else {
            self.add(Activity::Scope(scope), element)
        };
        if begin.is_empty() {
            activity
        } else {
            self.add(
                Activity::Begin {
                    updates: begin,
                    body: activity,
                },
                element,
            )
        }
    }

    /// What a scope does that says nothing: undoes what is completed inside before a fault continues, and when it is
    /// ended from outside.
    fn default_handlers(
        &mut self,
        element: Element<'_>,
        inner: &Arc<Vec<ChildScope>>,
        scope: &mut Scope,
    ) {
        let catches_all = scope
            .handlers
            .iter()
            .any(|it| it.fault.is_none() && it.variable.is_none());
        if !catches_all {
            let undo = self.undo(inner, None);
            let again = self.process.add(Activity::Rethrow, None);
            let body = Activity::Sequence(vec![undo, again]);
            let body = self.process.add(body, None);
            scope.handlers.push(Handling {
                fault: None,
                variable: None,
                body,
                rethrows: true,
            });
        }
        if child(element, "terminationHandler").is_none() {
            let undo = self.undo(inner, None);
            scope.termination = Some(self.silenced(undo, element));
        }
    }

    /// A handler whose own faults go nowhere.
    fn silenced(&mut self, handler: ActivityId, element: Element<'_>) -> ActivityId {
        let nothing = self.add(Activity::Empty, element);
        let mut scope = Scope::around(handler);
        scope.handlers.push(Handling {
            fault: None,
            variable: None,
            body: nothing,
            rethrows: false,
        });
        self.add(Activity::Scope(scope), element)
    }
}
