//! Scopes in loops: each round is undone with the data that it had when it completed (12.4.2).
//!
//! What matters to the compensation of a round is appended to a list when the round completes, together with what the
//! variables for the round before say; undoing the round takes it from there.
//! So the entries are a chain: `completed` is the place of the last one that is not undone, counted from 1, and each
//! entry has the place of the one before it.
//! Nothing is ever taken from a list, since a scope around may need an entry again: its own entries have the places of
//! those of the scopes inside.

use choros_data::{Op, Sort, Term, Var};
use choros_model::stg::Update;

use super::compensate::ChildScope;
use super::reader::{Reader, child, children};
use crate::static_rules::scopes_inside;
use choros_xml::document::Element;

/// What a scope was like each time it completed.
#[derive(Debug)]
pub(super) struct History {
    /// How many entries there are.
    size: Var,
    /// What is kept, each with its list; the place of the entry before comes last.
    kept: Vec<(Var, Var)>,
}

impl Reader<'_, '_> {
    /// The history of a scope, if it may complete several times and that makes a difference.
    ///
    /// `own` are the variables for the order of its last round and the place of its entry.
    pub(super) fn history(
        &mut self,
        element: Element<'_>,
        stem: &str,
        inner: &[ChildScope],
        own: [Var; 2],
    ) -> Option<History> {
        if !self.is_repeated(element) {
            return None;
        }
        let mut kept = self.needed_to_undo(element);
        kept.extend(inner.iter().flat_map(|it| [it.completed, it.order]));
        if kept.is_empty() && !has_peers(element) {
            return None;
        }
        kept.extend(own);
        let size = self.new_variable(&format!("rounds_{stem}"), Sort::INT);
        let zero = self.terms.int(0);
        let mut begin = vec![self.set(size, zero)];
        let mut lists = Vec::new();
        for variable in kept {
            let name = self.terms.names.text(self.terms.variable_name(variable));
            let name = format!("each_{name}");
            let sort = self.terms.variable_sort(variable);
            let sort = self.terms.list_sort(sort);
            let list = self.new_variable(&name, sort);
            let nothing = self.terms.list(sort, &[]);
            begin.push(self.set(list, nothing));
            lists.push((variable, list));
        }
        self.kept.extend(lists.iter().copied());
        self.histories.extend(begin);
        Some(History { size, kept: lists })
    }

    /// What a round that completes assigns.
    pub(super) fn remember(&mut self, history: &History, completed: Var) -> Vec<Update> {
        let mut updates = Vec::new();
        for &(variable, list) in &history.kept {
            let value = self.terms.var(variable);
            let entries = self.terms.var(list);
            let sort = self.terms.variable_sort(list);
            let last = self.terms.list(sort, &[value]);
            let longer = self.terms.concat(&[entries, last]);
            updates.push(self.set(list, longer));
        }
        let (size, one) = (self.terms.var(history.size), self.terms.int(1));
        let more = self.terms.arithmetic(Op::Add, size, one);
        updates.push(self.set(history.size, more));
        updates.push(self.set(completed, size));
        updates
    }

    /// What undoing the last round assigns first.
    pub(super) fn recall(&mut self, history: &History, completed: Var) -> Vec<Update> {
        let (last, one) = (self.terms.var(completed), self.terms.int(1));
        let place = self.terms.arithmetic(Op::Subtract, last, one);
        let mut updates = Vec::new();
        for &(variable, list) in &history.kept {
            let entries = self.terms.var(list);
            let value: Term = self.terms.index(entries, place);
            updates.push(self.set(variable, value));
        }
        updates
    }

    /// Whether a scope may complete several times in one process: it is in a loop, or in a handler of events.
    fn is_repeated(&self, element: Element<'_>) -> bool {
        let mut inside = element;
        while let Some(around) = inside.parent() {
            let is_loop = match around.local() {
                "while" | "repeatUntil" | "onEvent" | "onAlarm" => true,
                "forEach" => !self.rounds.iter().any(|it| it.0 == around.id()),
                _ => false,
            };
            if is_loop {
                return true;
            }
            inside = around;
        }
        false
    }

    /// What belongs to a scope and a compensation handler in it may need.
    fn needed_to_undo(&self, element: Element<'_>) -> Vec<Var> {
        let mut names = Vec::new();
        let named = |list: &str, of: &str| -> Vec<&str> {
            let list = child(element, list).map(|it| children(it, of));
            let named = list.unwrap_or_default().into_iter();
            named.filter_map(|it| it.attribute("name")).collect()
        };
        names.extend(named("variables", "variable"));
        // The counter of a loop and the message of an event belong to the scope in it.
        if let Some(around) = element.parent() {
            names.extend(match around.local() {
                "forEach" => around.attribute("counterName"),
                "onEvent" => around.attribute("variable"),
                _ => None,
            });
            for part in child(around, "fromParts")
                .into_iter()
                .filter(|_| around.local() == "onEvent")
            {
                let parts = children(part, "fromPart").into_iter();
                names.extend(parts.filter_map(|it| it.attribute("toVariable")));
            }
        }
        names.retain(|it| is_needed(element, it));
        let variables = names.iter().filter_map(|it| self.around.variables.get(*it));
        let mut found: Vec<Var> = variables.map(|it| it.var).collect();
        for name in named("correlationSets", "correlationSet") {
            let set = self.around.correlation_sets.get(name);
            found.extend(
                set.filter(|_| is_needed(element, name))
                    .into_iter()
                    .flat_map(|it| it.variables()),
            );
        }
        for name in named("partnerLinks", "partnerLink") {
            let callee = self.around.callees.get(name);
            found.extend(
                callee
                    .filter(|_| is_needed(element, name))
                    .map(|it| it.variable()),
            );
        }
        found
    }
}

/// Whether a compensation handler in a scope says a name.
fn is_needed(scope: Element<'_>, name: &str) -> bool {
    let mut work: Vec<(Element<'_>, bool)> = vec![(scope, false)];
    while let Some((element, in_handler)) = work.pop() {
        let in_handler = in_handler || element.local() == "compensationHandler";
        let says = || {
            element.text().contains(name)
                || element.attributes().iter().any(|it| &*it.value == name)
        };
        if in_handler && says() {
            return true;
        }
        work.extend(element.children().map(|it| (it, in_handler)));
    }
    false
}

/// Whether there are other scopes directly inside the scope around one.
fn has_peers(element: Element<'_>) -> bool {
    let mut inside = element;
    while let Some(around) = inside.parent() {
        if matches!(around.local(), "scope" | "process") {
            return scopes_inside(around).len() > 1;
        }
        // Its rounds are written out.
        if around.local() == "forEach" && around.attribute("parallel") == Some("yes") {
            return true;
        }
        inside = around;
    }
    false
}
