//! Loops: while, repeatUntil, forEach.

use std::sync::Arc;

use choros_base::Name;
use choros_data::{Op, Sort, Term, Value};
use choros_model::stg::Update;
use num_traits::ToPrimitive;

use super::expression::Condition;
use super::reader::{Reader, child, is_bpel};
use super::structure::is_activity;
use crate::calculus::{Activity, ActivityId, Arm, Handling, RaisedFault, Scope};
use choros_xml::diagnostics::misplaced_element;
use choros_xml::document::Element;
use choros_xml::xpath::VariableType;

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
        let undefined = condition
            .undefined
            .map(|it| (it, self.raise("subLanguageExecutionFault", element)));
        self.add(
            Activity::Loop {
                enter,
                leave,
                body,
                body_first: until,
                undefined,
            },
            element,
        )
    }

    pub(super) fn for_each(&mut self, element: Element<'_>) -> ActivityId {
        let name: Arc<str> = element.attribute("counterName").unwrap_or("counter").into();
        let mut bound = |local: &str| match child(element, local) {
            Some(bound) => self.value_in(bound, Sort::INT),
            None => {
                let finding = misplaced_element::lacking("forEach", local, element.span());
                self.library.report(finding);
                self.terms.int(1)
            }
        };
        let (start, last) = (bound("startCounterValue"), bound("finalCounterValue"));
        let branches = child(element, "completionCondition").and_then(|it| child(it, "branches"));
        let enough = branches.map(|it| Enough {
            count: self.value_in(it, Sort::INT),
            only_successful: it.attribute("successfulBranchesOnly") == Some("yes"),
        });
        let Some(counter_type) = self.built_in("unsignedInt", element.span()) else {
            return self.add(Activity::Empty, element);
        };
        let rounds = Rounds {
            name,
            holds: VariableType::Holds(counter_type),
            start,
            last,
            enough,
        };
        let outer = self.around.clone();
        let border = self.close_border();
        let activity = match element.attribute("parallel") {
            Some("yes") => self.parallel(element, &rounds),
            _ => self.one_by_one(element, &rounds),
        };
        self.open_border(border);
        self.around = outer;
        self.with_bounds(element, &rounds, activity)
    }

    /// Bounds that are not unsigned numbers, or a count above the number of branches, are faults (11.7).
    fn with_bounds(
        &mut self,
        element: Element<'_>,
        rounds: &Rounds,
        activity: ActivityId,
    ) -> ActivityId {
        let (zero, one) = (self.terms.int(0), self.terms.int(1));
        let mut numbers = vec![rounds.start, rounds.last];
        numbers.extend(rounds.enough.map(|it| it.count));
        let defined: Vec<Term> = numbers.iter().map(|&it| self.terms.defined(it)).collect();
        let defined = self.terms.and(defined);
        let mut fine = vec![defined];
        for number in numbers {
            fine.push(self.terms.compare(Op::GreaterEqual, number, zero));
        }
        let fine = self.terms.and(fine);
        let fine = self.terms.simplify(fine);
        let mut checks = vec![(fine, "invalidExpressionValue")];
        if let Some(enough) = rounds.enough {
            let span = self
                .terms
                .arithmetic(Op::Subtract, rounds.last, rounds.start);
            let all = self.terms.arithmetic(Op::Add, span, one);
            let some = self.terms.compare(Op::Greater, all, zero);
            let all = self.terms.if_then_else(some, all, zero);
            let few = self.terms.compare(Op::LessEqual, enough.count, all);
            checks.push((self.terms.simplify(few), "invalidBranchCondition"));
        }
        checks.retain(|it| it.0 != Term::TRUE);
        let mut whole = activity;
        for (condition, fault) in checks.into_iter().rev() {
            let raise = self.raise(fault, element);
            let opposite = self.terms.complement(condition);
            let arms = vec![arm(condition, whole), arm(opposite, raise)];
            whole = self.add(Activity::Choice { arms, waits: false }, element);
        }
        whole
    }

    /// `i := start, last := …; while i <= last { P; i := i + 1 }`, left early when enough rounds are done.
    fn one_by_one(&mut self, element: Element<'_>, rounds: &Rounds) -> ActivityId {
        let Rounds {
            name, start, last, ..
        } = rounds;
        self.declare_typed(name, rounds.holds.clone(), element.span());
        let Some(counter) = self.around.variables.get(name).map(|it| it.var) else {
            return self.add(Activity::Empty, element);
        };
        let bound = self.new_variable(&format!("{name}_last"), Sort::INT);
        // What a round does to its counter concerns no other round (11.7).
        let own = is_written(element, name);
        let round = if own {
            self.new_variable(&format!("{name}_round"), Sort::INT)
        } else {
            counter
        };
        let (i, n) = (self.terms.var(round), self.terms.var(bound));
        let (zero, one) = (self.terms.int(0), self.terms.int(1));
        let mut begin = vec![self.set(round, *start), self.set(bound, *last)];
        let next = self.terms.arithmetic(Op::Add, i, one);
        let mut step = vec![self.set(round, next)];
        if own {
            begin.push(self.set(counter, i));
            step.push(self.set(counter, i));
        }
        let mut enter = self.terms.compare(Op::LessEqual, i, n);
        let mut check = None;
        if let Some(enough) = rounds.enough {
            let done = self.new_variable(&format!("{name}_done"), Sort::INT);
            let wanted = self.new_variable(&format!("{name}_wanted"), Sort::INT);
            begin.extend([self.set(done, zero), self.set(wanted, enough.count)]);
            let (finished, wanted) = (self.terms.var(done), self.terms.var(wanted));
            let more = self.terms.arithmetic(Op::Add, finished, one);
            let count = self.set(done, more);
            if enough.only_successful {
                self.on_success = vec![count];
            } else {
                step.push(count);
            }
            let open = self.terms.compare(Op::Less, finished, wanted);
            enter = self.terms.and([enter, open]);
            // The rounds that are left cannot make up for those that failed.
            let left = self.terms.arithmetic(Op::Subtract, n, i);
            let left = self.terms.arithmetic(Op::Add, left, one);
            let best = self.terms.arithmetic(Op::Add, finished, left);
            check = enough
                .only_successful
                .then(|| self.terms.compare(Op::Less, best, wanted));
        }
        let leave = self.terms.complement(enter);
        let body = self.inner(element);
        self.on_success.clear();
        let step = self.add(Activity::Assign(step), element);
        let mut parts = vec![body, step];
        if let Some(hopeless) = check {
            let raise = self.raise("completionConditionFailure", element);
            let fine = self.add(Activity::Empty, element);
            let opposite = self.terms.complement(hopeless);
            let arms = vec![arm(opposite, fine), arm(hopeless, raise)];
            parts.push(self.add(Activity::Choice { arms, waits: false }, element));
        }
        let body = self.add(Activity::Sequence(parts), element);
        let rounds = self.add(
            Activity::Loop {
                enter,
                leave,
                body,
                body_first: false,
                undefined: None,
            },
            element,
        );
        let begin = self.add(Activity::Assign(begin), element);
        self.add(Activity::Sequence(vec![begin, rounds]), element)
    }

    /// One branch per value of the counter, each with variables of its own; the values must be known.
    fn parallel(&mut self, element: Element<'_>, rounds: &Rounds) -> ActivityId {
        let mut number = |term: Term| {
            let term = self.terms.simplify(term);
            match self.terms.value(term) {
                Some(Value::Int(value)) => value.to_i64(),
                _ => None,
            }
        };
        let (from, to) = match (number(rounds.start), number(rounds.last)) {
            (Some(from), Some(to)) if to < from.saturating_add(MAX_BRANCHES) => (from, to),
            _ => {
                let what = "a parallel `forEach` of an unknown or large number of branches";
                let instead = "its branches are taken one by one";
                self.not_followed(what, instead, element.span());
                return self.one_by_one(element, rounds);
            }
        };
        let ending = rounds
            .enough
            .map(|enough| self.early_end(element, rounds, enough, to.saturating_sub(from) + 1));
        let has_body = element
            .children()
            .any(|it| is_bpel(it) && is_activity(it.local()));
        let mut branches = Vec::new();
        for value in from..=to {
            self.rounds.push((element.id(), branches.len()));
            let around = self.around.clone();
            self.declare_typed(&rounds.name, rounds.holds.clone(), element.span());
            if let Some(counter) = self.around.variables.get(&rounds.name).map(|it| it.var) {
                let value = self.terms.int(value);
                let known = self.library.diagnostics.len();
                let updates = vec![self.set(counter, value)];
                if let Some(ending) = &ending {
                    self.on_success = ending.on_success.clone();
                }
                let body = self.in_parallel(|reader| reader.inner(element));
                self.on_success.clear();
                // What is wrong with the body is said once, at the first branch.
                if !branches.is_empty() || !has_body {
                    self.library.diagnostics.truncate(known);
                }
                let set = self.add(Activity::Assign(updates), element);
                let mut parts = vec![set, body];
                if let Some(ending) = &ending {
                    parts.push(self.add(Activity::Assign(ending.count.clone()), element));
                    parts.push(ending.check);
                }
                branches.push(self.add(Activity::Sequence(parts), element));
            }
            self.around = around;
            self.rounds.pop();
        }
        let flow = self.add(Activity::Flow(branches), element);
        match ending {
            Some(ending) => self.ended_early(element, flow, ending),
            None => flow,
        }
    }

    /// What each branch of a parallel `forEach` does at its end, where some of them are enough.
    fn early_end(
        &mut self,
        element: Element<'_>,
        rounds: &Rounds,
        enough: Enough,
        branches: i64,
    ) -> EarlyEnd {
        let name = &rounds.name;
        let done = self.new_variable(&format!("{name}_done"), Sort::INT);
        let ended = self.new_variable(&format!("{name}_ended"), Sort::INT);
        let (zero, one) = (self.terms.int(0), self.terms.int(1));
        let begin = vec![self.set(done, zero), self.set(ended, zero)];
        let (is_done, has_ended) = (self.terms.var(done), self.terms.var(ended));
        let more = self.terms.arithmetic(Op::Add, is_done, one);
        let next = self.terms.arithmetic(Op::Add, has_ended, one);
        let success = self.set(done, more);
        let mut count = vec![self.set(ended, next)];
        let mut on_success = Vec::new();
        if enough.only_successful {
            on_success.push(success);
        } else {
            count.push(success);
        }
        let reached = self.terms.compare(Op::GreaterEqual, is_done, enough.count);
        let all = self.terms.int(branches);
        let left = self.terms.arithmetic(Op::Subtract, all, has_ended);
        let best = self.terms.arithmetic(Op::Add, is_done, left);
        let hopeless = self.terms.compare(Op::Less, best, enough.count);
        let open = self.terms.or([reached, hopeless]);
        let open = self.terms.complement(open);
        let fault = self.terms.names.intern(&format!("{name}_complete"));
        let raised = RaisedFault { fault, data: None };
        let complete = self.add(Activity::Throw(raised, Vec::new()), element);
        let fails = self.raise("completionConditionFailure", element);
        let fine = self.add(Activity::Empty, element);
        let arms = vec![
            arm(reached, complete),
            arm(hopeless, fails),
            arm(open, fine),
        ];
        let check = self.add(Activity::Choice { arms, waits: false }, element);
        EarlyEnd {
            begin,
            count,
            on_success,
            check,
            fault,
        }
    }

    /// Enough branches end the others: a fault that no one else sees, and that is caught at once.
    fn ended_early(
        &mut self,
        element: Element<'_>,
        flow: ActivityId,
        ending: EarlyEnd,
    ) -> ActivityId {
        let nothing = self.add(Activity::Empty, element);
        let mut scope = Scope::around(flow);
        scope.handlers.push(Handling {
            fault: Some(ending.fault),
            variable: None,
            body: nothing,
            rethrows: false,
        });
        let scope = self.add(Activity::Scope(scope), element);
        let begin = self.add(Activity::Assign(ending.begin), element);
        self.add(Activity::Sequence(vec![begin, scope]), element)
    }
}

/// The rounds of a `forEach`.
struct Rounds {
    name: Arc<str>,
    holds: VariableType,
    start: Term,
    last: Term,
    enough: Option<Enough>,
}

/// How many branches complete the whole.
#[derive(Clone, Copy)]
struct Enough {
    count: Term,
    /// Whether those that handled a fault do not count.
    only_successful: bool,
}

/// How a parallel `forEach` ends before all its branches have.
struct EarlyEnd {
    begin: Vec<Update>,
    /// What the end of each branch assigns.
    count: Vec<Update>,
    /// What its success assigns.
    on_success: Vec<Update>,
    check: ActivityId,
    fault: Name,
}

/// Whether an activity in an element may write this variable.
fn is_written(element: Element<'_>, name: &str) -> bool {
    let mut work: Vec<Element<'_>> = element.children().collect();
    while let Some(element) = work.pop() {
        let attributes = ["variable", "outputVariable", "toVariable"];
        let is_named = attributes
            .iter()
            .any(|it| element.attribute(it) == Some(name));
        let text = element.text();
        let path = text.trim().strip_prefix('$');
        let is_target = path.is_some_and(|it| it.starts_with(name));
        if is_named && element.local() != "from" || element.local() == "to" && is_target {
            return true;
        }
        work.extend(element.children());
    }
    false
}

fn arm(guard: Term, body: ActivityId) -> Arm {
    Arm {
        guard,
        updates: Vec::new(),
        body,
    }
}
