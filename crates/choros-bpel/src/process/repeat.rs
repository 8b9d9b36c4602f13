//! Loops: while, repeatUntil, forEach.

use std::sync::Arc;

use choros_data::{Op, Sort, Term, Value};
use num_traits::ToPrimitive;

use super::expression::Condition;
use super::reader::{Reader, child, is_bpel};
use super::structure::is_activity;
use crate::calculus::{Activity, ActivityId};
use choros_xml::diagnostics::{misplaced_element, unsupported_construct};
use choros_xml::document::Element;
use choros_xml::xpath::{VariableType, WrittenExpression};

/// More branches of a parallel `forEach` are not written out.
const MAX_BRANCHES: i64 = 16;

impl Reader<'_, '_> {
    /// `while c {P}`, or `repeat {P} until c`, which is left when `c` holds.
    pub(super) fn repeat(&mut self, element: Element<'_>, until: bool) -> ActivityId {
        let condition = match child(element, "condition") {
            Some(condition) => self.condition(condition),
            None => {
                let finding =
                    misplaced_element::lacking(element.local(), "condition", element.span());
                self.library.report(finding);
                Condition::OPAQUE
            }
        };
        let outer = self.close_border();
        let body = self.inner(element);
        self.open_border(outer);
        let (enter, leave) = if until {
            (condition.fails, condition.holds)
        } else {
            (condition.holds, condition.fails)
        };
        self.add(
            Activity::Loop {
                enter,
                leave,
                body,
                body_first: until,
            },
            element,
        )
    }

    pub(super) fn for_each(&mut self, element: Element<'_>) -> ActivityId {
        let name: Arc<str> = element.attribute("counterName").unwrap_or("counter").into();
        let mut bound = |local: &str| match child(element, local) {
            Some(bound) => self.value(&WrittenExpression::text_of(bound), Sort::INT),
            None => {
                let finding = misplaced_element::lacking("forEach", local, element.span());
                self.library.report(finding);
                self.terms.int(1)
            }
        };
        let (start, last) = (bound("startCounterValue"), bound("finalCounterValue"));
        let Some(counter_type) = self.built_in("unsignedInt", element.span()) else {
            return self.add(Activity::Empty, element);
        };
        let holds = VariableType::Holds(counter_type);
        let outer = self.around.clone();
        let border = self.close_border();
        let activity = match element.attribute("parallel") {
            Some("yes") => self.parallel(element, &name, &holds, start, last),
            _ => self.one_by_one(element, &name, &holds, start, last),
        };
        self.open_border(border);
        self.around = outer;
        activity
    }

    /// `i := start, last := …; while i <= last { P; i := i + 1 }`, left early when enough rounds are done.
    fn one_by_one(
        &mut self,
        element: Element<'_>,
        name: &Arc<str>,
        holds: &VariableType,
        start: Term,
        last: Term,
    ) -> ActivityId {
        self.declare_typed(name, holds.clone(), element.span());
        let Some(counter) = self.around.variables.get(name).map(|it| it.var) else {
            return self.add(Activity::Empty, element);
        };
        let bound = self.new_variable(&format!("{name}_last"), Sort::INT);
        let done = self.new_variable(&format!("{name}_done"), Sort::INT);
        let enough = child(element, "completionCondition")
            .and_then(|it| child(it, "branches"))
            .map(|it| self.value(&WrittenExpression::text_of(it), Sort::INT));
        let (i, n, finished) = (
            self.terms.var(counter),
            self.terms.var(bound),
            self.terms.var(done),
        );
        let (zero, one) = (self.terms.int(0), self.terms.int(1));
        let mut begin = vec![self.set(counter, start), self.set(bound, last)];
        let next = self.terms.arithmetic(Op::Add, i, one);
        let mut step = vec![self.set(counter, next)];
        let mut enter = self.terms.compare(Op::LessEqual, i, n);
        if let Some(enough) = enough {
            begin.push(self.set(done, zero));
            let more = self.terms.arithmetic(Op::Add, finished, one);
            step.push(self.set(done, more));
            let wanted = self.terms.compare(Op::Less, finished, enough);
            enter = self.terms.and([enter, wanted]);
        }
        let leave = self.terms.complement(enter);
        let body = self.inner(element);
        let step = self.add(Activity::Assign(step), element);
        let body = self.add(Activity::Sequence(vec![body, step]), element);
        let rounds = self.add(
            Activity::Loop {
                enter,
                leave,
                body,
                body_first: false,
            },
            element,
        );
        let begin = self.add(Activity::Assign(begin), element);
        self.add(Activity::Sequence(vec![begin, rounds]), element)
    }

    /// One branch per value of the counter, each with variables of its own; the values must be known.
    fn parallel(
        &mut self,
        element: Element<'_>,
        name: &Arc<str>,
        holds: &VariableType,
        start: Term,
        last: Term,
    ) -> ActivityId {
        let mut number = |term: Term| {
            let term = self.terms.simplify(term);
            match self.terms.value(term) {
                Some(Value::Int(value)) => value.to_i64(),
                _ => None,
            }
        };
        let (from, to) = match (number(start), number(last)) {
            (Some(from), Some(to)) if to < from.saturating_add(MAX_BRANCHES) => (from, to),
            _ => {
                let what = "a parallel `forEach` of an unknown or large number of branches";
                let finding = unsupported_construct::diagnostic(
                    what,
                    "its branches are taken one by one",
                    element.span(),
                );
                self.library.report(finding);
                return self.one_by_one(element, name, holds, start, last);
            }
        };
        if let Some(condition) = child(element, "completionCondition") {
            let what = "completing a parallel `forEach` early";
            let instead = "all branches are waited for";
            let finding = unsupported_construct::diagnostic(what, instead, condition.span());
            self.library.report(finding);
        }
        let has_body = element
            .children()
            .any(|it| is_bpel(it) && is_activity(it.local()));
        let mut branches = Vec::new();
        for value in from..=to {
            let around = self.around.clone();
            self.declare_typed(name, holds.clone(), element.span());
            if let Some(counter) = self.around.variables.get(name).map(|it| it.var) {
                let value = self.terms.int(value);
                let known = self.library.diagnostics.len();
                let updates = vec![self.set(counter, value)];
                let body = self.in_parallel(|reader| reader.inner(element));
                // What is wrong with the body is said once, at the first branch.
                if !branches.is_empty() || !has_body {
                    self.library.diagnostics.truncate(known);
                }
                let set = self.add(Activity::Assign(updates), element);
                branches.push(self.add(Activity::Sequence(vec![set, body]), element));
            }
            self.around = around;
        }
        self.add(Activity::Flow(branches), element)
    }
}
