//! Flows and their links.
//!
//! A link is two variables: whether its status is known, and what it is.
//! An activity that is the target of links waits until all are known; one that is never carried out gives those that
//! leave it the status *false* (dead-path elimination).

use std::collections::BTreeMap;
use std::sync::Arc;

use choros_base::Span;
use choros_data::{Sort, Term, Var};
use choros_model::stg::Update;

use super::diagnostics::{link_over_border, unresolved_link};
use super::reader::{Reader, Variable, child, children, is_bpel};
use crate::calculus::{Activity, ActivityId, Arm, RaisedFault};
use choros_xml::document::Element;
use choros_xml::xpath::VariableType;

/// A link of a flow.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    known: Var,
    positive: Var,
    declared: Span,
    /// Position in `Reader::link_ends`.
    number: usize,
    /// Whether a border of a loop or handler lies between its flow and this place.
    barred: bool,
}

impl Reader<'_, '_> {
    pub(super) fn flow(&mut self, element: Element<'_>) -> ActivityId {
        let outer = self.around.links.clone();
        let mut begin = Vec::new();
        let mut own: Vec<(Arc<str>, Link)> = Vec::new();
        if let Some(links) = child(element, "links") {
            for link in children(links, "link") {
                let name: Arc<str> = link.attribute("name").unwrap_or("").into();
                let known = self.new_variable(&format!("link_{name}_known"), Sort::BOOL);
                let positive = self.new_variable(&format!("link_{name}"), Sort::BOOL);
                begin.push(self.set(known, Term::FALSE));
                let link = Link {
                    known,
                    positive,
                    declared: link.span(),
                    number: self.link_ends.len(),
                    barred: false,
                };
                self.link_ends.push((0, 0));
                own.push((name.clone(), link));
                self.around.links.insert(name, link);
            }
        }
        let branches = self.all(element, true);
        for (name, link) in own {
            let (sources, targets) = self.link_ends[link.number];
            for (end, found) in [("source", sources), ("target", targets)] {
                if found != 1 {
                    let finding = unresolved_link::ends(&name, end, found, link.declared);
                    self.library.report(finding);
                }
            }
        }
        self.around.links = outer;
        let body = self.add(Activity::Flow(branches), element);
        if begin.is_empty() {
            body
        } else {
            self.add(
                Activity::Begin {
                    updates: begin,
                    body,
                },
                element,
            )
        }
    }

    /// An activity between the links that it waits for and those that it sets.
    pub(super) fn linked(&mut self, element: Element<'_>) -> ActivityId {
        let mut activity = self.plain(element);
        if let Some(sources) = child(element, "sources") {
            let mut updates = Vec::new();
            for source in children(sources, "source") {
                let Some(link) = self.link(source, true) else {
                    continue;
                };
                let positive = match child(source, "transitionCondition") {
                    Some(condition) => self.status(condition),
                    None => Term::TRUE,
                };
                updates.push(self.set(link.positive, positive));
                updates.push(self.set(link.known, Term::TRUE));
            }
            let set = self.set_links(sources, updates);
            activity = self.add(Activity::Sequence(vec![activity, set]), element);
        }
        match child(element, "targets") {
            Some(targets) => self.join(element, targets, activity),
            None => activity,
        }
    }

    /// The status that a condition gives a link; of one that is not followed, nothing is known.
    fn status(&mut self, condition: Element<'_>) -> Term {
        let read = self.condition(condition);
        if read.holds == Term::TRUE && read.fails == Term::TRUE {
            return self.unknown_value(Sort::BOOL);
        }
        read.holds
    }

    /// The statuses of links; a condition without a value is a fault (11.6.1).
    fn set_links(&mut self, sources: Element<'_>, updates: Vec<Update>) -> ActivityId {
        let mut defined = Vec::new();
        for update in &updates {
            defined.push(self.terms.defined(update.value));
        }
        let defined = self.terms.and(defined);
        let defined = self.terms.simplify(defined);
        let set = self.add(Activity::Assign(updates), sources);
        if defined == Term::TRUE {
            return set;
        }
        let undefined = self.terms.complement(defined);
        let raise = self.raise("subLanguageExecutionFault", sources);
        let arm = |guard, body| Arm {
            guard,
            updates: Vec::new(),
            body,
        };
        let arms = vec![arm(defined, set), arm(undefined, raise)];
        self.add(Activity::Choice { arms, waits: false }, sources)
    }

    /// JOIN: waits for all links, then does the activity, or skips it, or raises `joinFailure`.
    fn join(
        &mut self,
        element: Element<'_>,
        targets: Element<'_>,
        activity: ActivityId,
    ) -> ActivityId {
        let mut links: BTreeMap<Arc<str>, Link> = BTreeMap::new();
        for target in children(targets, "target") {
            if let Some(link) = self.link(target, false) {
                links.insert(target.attribute("linkName").unwrap_or("").into(), link);
            }
        }
        let mut known = Vec::new();
        let mut positive = Vec::new();
        for link in links.values() {
            known.push(self.terms.var(link.known));
            positive.push(self.terms.var(link.positive));
        }
        let known = self.terms.and(known);
        let joins = match child(targets, "joinCondition") {
            Some(condition) => self.join_condition(condition, &links),
            None => self.terms.or(positive),
        };
        let fails = self.terms.complement(joins);
        let go = self.terms.and([known, joins]);
        let skip = self.terms.and([known, fails]);
        let (updates, body) = if self.around.suppress_join_failure {
            let updates = self.dead_links(element);
            (updates, self.add(Activity::Empty, element))
        } else {
            let fault = self.standard_fault("joinFailure");
            let raised = RaisedFault { fault, data: None };
            let raise = self.add(Activity::Throw(raised, Vec::new()), targets);
            (Vec::new(), raise)
        };
        let arms = vec![
            Arm {
                guard: go,
                updates: Vec::new(),
                body: activity,
            },
            Arm {
                guard: skip,
                updates,
                body,
            },
        ];
        self.add(Activity::Choice { arms, waits: true }, targets)
    }

    /// A join condition speaks of links as of variables.
    fn join_condition(&mut self, element: Element<'_>, links: &BTreeMap<Arc<str>, Link>) -> Term {
        let Some(boolean) = self.built_in("boolean", element.span()) else {
            return Term::TRUE;
        };
        let outer = self.around.variables.clone();
        self.around.variables = links
            .iter()
            .map(|(name, link)| {
                let variable = Variable {
                    holds: VariableType::Holds(boolean),
                    var: link.positive,
                    span: link.declared,
                };
                (name.clone(), variable)
            })
            .collect();
        let condition = self.condition(element);
        self.around.variables = outer;
        condition.holds
    }

    /// The link that a source or target names.
    fn link(&mut self, element: Element<'_>, is_source: bool) -> Option<Link> {
        let name = element.attribute("linkName").unwrap_or("");
        let span = element.attribute_span("linkName");
        let Some(link) = self.around.links.get(name).copied() else {
            let known = self.around.links.keys().map(|it| &**it);
            let finding = unresolved_link::diagnostic(name, known, span);
            self.library.report(finding);
            return None;
        };
        let ends = &mut self.link_ends[link.number];
        if is_source {
            ends.0 += 1
        } else {
            ends.1 += 1
        }
        if link.barred {
            let finding = link_over_border::diagnostic(name, link.declared, span);
            self.library.report(finding);
            return None;
        }
        Some(link)
    }

    /// The links that leave an element, each once.
    fn leaving(&self, element: Element<'_>) -> Vec<Link> {
        let mut found: Vec<Link> = Vec::new();
        let mut work = vec![element];
        while let Some(current) = work.pop() {
            if is_bpel(current)
                && current.local() == "source"
                && let Some(name) = current.attribute("linkName")
                && let Some(link) = self.around.links.get(name)
                && !declared_between(current, element, name)
            {
                found.push(*link);
            }
            work.extend(current.children());
        }
        found.sort_by_key(|link| link.number);
        found.dedup_by_key(|link| link.number);
        found
    }

    /// What gives the links of something that is not done the status *false*.
    pub(super) fn dead_links(&mut self, element: Element<'_>) -> Vec<Update> {
        let mut updates = Vec::new();
        for link in self.leaving(element) {
            updates.push(self.set(link.positive, Term::FALSE));
            updates.push(self.set(link.known, Term::TRUE));
        }
        updates
    }

    /// The same for something that is given up half-way: what is known stays.
    pub(super) fn abandoned_links(&mut self, element: Element<'_>) -> Vec<Update> {
        let mut updates = Vec::new();
        for link in self.leaving(element) {
            let (known, positive) = (self.terms.var(link.known), self.terms.var(link.positive));
            let status = self.terms.and([known, positive]);
            updates.push(self.set(link.positive, status));
            updates.push(self.set(link.known, Term::TRUE));
        }
        updates
    }

    /// Begins something that links must not cross; gives back what [`Reader::open_border`] restores.
    pub(super) fn close_border(&mut self) -> BTreeMap<Arc<str>, Link> {
        let outer = self.around.links.clone();
        for link in self.around.links.values_mut() {
            link.barred = true;
        }
        outer
    }

    pub(super) fn open_border(&mut self, outer: BTreeMap<Arc<str>, Link>) {
        self.around.links = outer;
    }
}

/// Whether a flow inside `whole` declares the link, so that it is not the one around.
fn declared_between(source: Element<'_>, whole: Element<'_>, name: &str) -> bool {
    let mut current = source;
    loop {
        let declares = current.local() == "flow"
            && child(current, "links").is_some_and(|links| {
                children(links, "link")
                    .iter()
                    .any(|link| link.attribute("name") == Some(name))
            });
        if declares {
            return true;
        }
        if current.id() == whole.id() {
            return false;
        }
        match current.parent() {
            Some(parent) => current = parent,
            None => return false,
        }
    }
}
