//! The activities by their names, and the structured ones that need no page of their own.

use choros_data::{Term, Value};
use choros_model::stg::Update;

use super::diagnostics::{misplaced_activity, unknown_activity, unusable_duration};
use super::duration::{self, Time};
use super::expression::{Condition, is_opaque};
use super::reader::{Reader, child, children, is_bpel};
use crate::calculus::{Activity, ActivityId, Arm, OnAlarm, OnMessage, RaisedFault, Scope, Style};
pub(super) use crate::vocabulary::{ACTIVITIES, is_activity};
use choros_xml::diagnostics::{misplaced_element, unsupported_construct};
use choros_xml::document::Element;
use choros_xml::xpath::{ExpressionPurpose, WrittenExpression};

/// Elements that stand beside an activity without being one.
const PARTS: &[&str] = &[
    "catch",
    "catchAll",
    "compensationHandler",
    "completionCondition",
    "condition",
    "correlationSets",
    "correlations",
    "documentation",
    "else",
    "elseif",
    "eventHandlers",
    "extensions",
    "faultHandlers",
    "finalCounterValue",
    "for",
    "fromParts",
    "import",
    "links",
    "messageExchanges",
    "onAlarm",
    "onMessage",
    "partnerLinks",
    "repeatEvery",
    "sources",
    "startCounterValue",
    "targets",
    "terminationHandler",
    "toParts",
    "until",
    "variables",
];

pub(super) fn is_part(local: &str) -> bool {
    PARTS.contains(&local)
}

impl Reader<'_, '_> {
    /// An activity, with the links that it waits for and sets.
    pub(super) fn activity(&mut self, element: Element<'_>) -> ActivityId {
        let outer = self.around.suppress_join_failure;
        if let Some(suppress) = element.attribute("suppressJoinFailure") {
            self.around.suppress_join_failure = suppress == "yes";
        }
        let activity = self.linked(element);
        self.around.suppress_join_failure = outer;
        activity
    }

    /// What an activity does, apart from its links.
    pub(super) fn plain(&mut self, element: Element<'_>) -> ActivityId {
        match element.local() {
            "receive" => self.receive(element),
            "reply" => self.reply(element),
            "invoke" => self.invoke(element),
            "assign" => self.assign(element),
            "validate" => self.validate(element),
            "empty" => self.add(Activity::Empty, element),
            "opaqueActivity" => self.add(Activity::Assign(Vec::new()), element),
            "exit" => self.add(Activity::Exit, element),
            "throw" => self.throw(element),
            "rethrow" => self.rethrow(element),
            "wait" => self.wait(element),
            "sequence" => self.sequence(element),
            "if" => self.choice(element),
            "while" => self.repeat(element, false),
            "repeatUntil" => self.repeat(element, true),
            "forEach" => self.for_each(element),
            "flow" => self.flow(element),
            "pick" => self.pick(element),
            "scope" => self.scope(element, false),
            "compensate" => self.compensate(element),
            "compensateScope" => self.compensate_scope(element),
            other => {
                let what = format!("`{other}`");
                let finding = unsupported_construct::diagnostic(
                    &what,
                    "taken to be one silent step",
                    element.span(),
                );
                self.library.report(finding);
                self.doubt(what, element.span());
                self.add(Activity::Assign(Vec::new()), element)
            }
        }
    }

    /// The activities inside an element, one after the other or side by side.
    pub(super) fn all(&mut self, element: Element<'_>, side_by_side: bool) -> Vec<ActivityId> {
        let mut found = Vec::new();
        for part in element.children().filter(|it| is_bpel(*it)) {
            if is_activity(part.local()) {
                // What is around waits for all branches, so the first may use its variables.
                found.push(if side_by_side && !found.is_empty() {
                    self.in_parallel(|reader| reader.activity(part))
                } else {
                    self.activity(part)
                });
            } else if !is_part(part.local()) {
                let finding = unknown_activity::diagnostic(part.local(), ACTIVITIES, part.span());
                self.library.report(finding);
            }
        }
        found
    }

    fn sequence(&mut self, element: Element<'_>) -> ActivityId {
        let parts = self.all(element, false);
        self.add(Activity::Sequence(parts), element)
    }

    fn throw(&mut self, element: Element<'_>) -> ActivityId {
        let Some(name) = self.library.name_in_attribute(element, "faultName") else {
            if element.attribute("faultName").is_none() {
                let finding = misplaced_element::lacking("throw", "faultName", element.span());
                self.library.report(finding);
            }
            return self.add(Activity::Empty, element);
        };
        let fault = self.fault_name(&name);
        let mut updates = Vec::new();
        let mut data = None;
        if let Some(variable) = self.variable_of(element, "faultVariable") {
            let kept = self.fault_variable(fault, &variable);
            let value = self.terms.var(variable.var);
            updates.push(self.set(kept, value));
            data = Some(kept);
        }
        self.add(
            Activity::Throw(RaisedFault { fault, data }, updates),
            element,
        )
    }

    fn rethrow(&mut self, element: Element<'_>) -> ActivityId {
        if !self.around.in_fault_handler {
            self.library.report(misplaced_activity::diagnostic(
                "`rethrow` is outside all fault handlers",
                "no fault is being handled here",
                element.span(),
            ));
        }
        let inside = std::iter::successors(element.parent(), |it| it.parent())
            .take_while(|it| !matches!(it.local(), "catch" | "catchAll"))
            .find(|it| child(*it, "faultHandlers").is_some());
        if self.around.in_fault_handler && inside.is_some() {
            let what = "`rethrow` in a scope with handlers of its own";
            let instead = "these handlers do not see the fault";
            self.not_followed(what, instead, element.span());
        }
        self.add(Activity::Rethrow, element)
    }

    /// Ticks that `for`, `until` or `repeatEvery` stands for; `None` if it is not a time (8.3.2, 8.3.3).
    fn ticks(&mut self, element: Element<'_>) -> Option<u32> {
        let text = element.text();
        let length = match self.time(element) {
            Time::After(length) => length,
            Time::Invalid => return None,
            Time::Unknown => {
                let finding = unusable_duration::diagnostic(text, element.text_span());
                self.library.report(finding);
                let what = format!("the time `{}`", text.trim());
                self.doubt(what, element.text_span());
                return Some(1);
            }
        };
        let date = text.split('T').next().unwrap_or("");
        let uneven = |letter: char| {
            let number = date.split(letter).next().unwrap_or("");
            date.contains(letter) && !number.ends_with('0')
        };
        if element.local() != "until" && (uneven('Y') || uneven('M')) {
            let finding = unusable_duration::uneven(text, element.text_span());
            self.library.report(finding);
        }
        // A duration of nothing leaves no unit to count in.
        Some(self.unit.map_or(0, |unit| length.in_units(unit)))
    }

    fn time(&mut self, element: Element<'_>) -> Time {
        let is_deadline = element.local() == "until";
        let text = element.text();
        if let Some(length) = duration::literal(text).filter(|_| !is_deadline) {
            return Time::After(length);
        }
        if let Some(text) = duration::quoted(text) {
            return Time::of(text, is_deadline);
        }
        if is_opaque(element) || !self.is_xpath(element) {
            return Time::Unknown;
        }
        let known = self.library.diagnostics.len();
        let written = WrittenExpression::text_of(element);
        let Some(xpath) = self.xpath(&written, ExpressionPurpose::Value) else {
            // That it is not known is said in any case.
            self.library.diagnostics.truncate(known);
            return Time::Unknown;
        };
        let values = self.values();
        match xpath.text(self.terms, &values) {
            Ok(None) => Time::Invalid,
            Ok(Some(text)) => {
                let text = self.terms.simplify(text);
                match self.terms.value(text) {
                    Some(Value::String(text)) => Time::of(text, is_deadline),
                    _ => Time::Unknown,
                }
            }
            Err(_) => Time::Unknown,
        }
    }

    /// `wait d = scope(time, [{}, (d, empty), {}])`.
    fn wait(&mut self, element: Element<'_>) -> ActivityId {
        let Some(limit) = child(element, "for").or_else(|| child(element, "until")) else {
            let finding = misplaced_element::lacking("wait", "for", element.span());
            self.library.report(finding);
            return self.add(Activity::Empty, element);
        };
        let Some(after) = self.ticks(limit) else {
            return self.raise("invalidExpressionValue", element);
        };
        let then = self.add(Activity::Empty, element);
        if after == 0 {
            return then;
        }
        let body = self.add(Activity::Time, element);
        let mut scope = Scope::around(body);
        scope.style = Style::Disabling;
        scope.alarms.push(OnAlarm {
            after,
            every: None,
            body: then,
        });
        self.add(Activity::Scope(scope), element)
    }

    /// `if`: each branch has its condition and the opposite of those before it.
    fn choice(&mut self, element: Element<'_>) -> ActivityId {
        let mut branches = Vec::new();
        for branch in [element].into_iter().chain(children(element, "elseif")) {
            let condition = match child(branch, "condition") {
                Some(condition) => self.condition(condition),
                None => {
                    let finding =
                        misplaced_element::lacking(branch.local(), "condition", branch.span());
                    self.library.report(finding);
                    Condition::OPAQUE
                }
            };
            // What an `if` does itself is the activity directly in it.
            let own = match branch.local() {
                "if" => branch
                    .children()
                    .find(|it| is_bpel(*it) && is_activity(it.local()))
                    .unwrap_or(branch),
                _ => branch,
            };
            let body = self.inner(branch);
            branches.push((branch, own, condition, body));
        }
        let otherwise = child(element, "else");
        let mut whole = match otherwise {
            Some(otherwise) => self.inner(otherwise),
            None => self.add(Activity::Empty, element),
        };
        // From the last branch to the first: an `elseif` is an `if` in the `else` of what is before it.
        let mut rest: Vec<Element<'_>> = otherwise.into_iter().collect();
        for (branch, own, condition, body) in branches.into_iter().rev() {
            let mut skipped = Vec::new();
            for other in &rest {
                skipped.extend(self.dead_links(*other));
            }
            let not_taken = self.dead_links(own);
            whole = self.decide(condition, (skipped, body), (not_taken, whole), branch);
            rest.push(own);
        }
        whole
    }

    /// A choice of two by a condition; where it has no value, a fault is raised.
    pub(super) fn decide(
        &mut self,
        condition: Condition,
        yes: (Vec<Update>, ActivityId),
        no: (Vec<Update>, ActivityId),
        element: Element<'_>,
    ) -> ActivityId {
        let arm = |guard: Term, (updates, body): (Vec<Update>, ActivityId)| Arm {
            guard,
            updates,
            body,
        };
        let mut arms = vec![arm(condition.holds, yes), arm(condition.fails, no)];
        if let Some(undefined) = condition.undefined {
            let fault = self.standard_fault("subLanguageExecutionFault");
            let raised = RaisedFault { fault, data: None };
            let raise = self.add(Activity::Throw(raised, Vec::new()), element);
            arms.push(arm(undefined, (Vec::new(), raise)));
        }
        self.add(Activity::Choice { arms, waits: false }, element)
    }

    /// `pick(EH) = scope(time, EH)`: the first event takes the place of waiting.
    fn pick(&mut self, element: Element<'_>) -> ActivityId {
        self.starts |= element.attribute("createInstance") == Some("yes");
        let body = self.add(Activity::Time, element);
        let mut scope = Scope::around(body);
        scope.style = Style::Disabling;
        let branches: Vec<Element<'_>> = element
            .children()
            .filter(|it| is_bpel(*it) && matches!(it.local(), "onMessage" | "onAlarm"))
            .collect();
        let mut invalid = false;
        for &branch in &branches {
            let mut skipped = Vec::new();
            for &other in branches.iter().filter(|it| it.id() != branch.id()) {
                skipped.extend(self.dead_links(other));
            }
            match branch.local() {
                "onMessage" => {
                    let Some(mut reception) = self.reception(branch) else {
                        self.inner(branch);
                        continue;
                    };
                    reception.store.extend(skipped);
                    let reception = self.add(Activity::Receive(reception), branch);
                    let body = self.inner(branch);
                    scope.events.push(OnMessage { reception, body });
                }
                _ => match self.alarm(branch) {
                    Alarm::Missing => {}
                    Alarm::Invalid => invalid = true,
                    Alarm::Set(mut alarm) => {
                        if !skipped.is_empty() {
                            let skip = self.add(Activity::Assign(skipped), branch);
                            let parts = vec![skip, alarm.body];
                            alarm.body = self.add(Activity::Sequence(parts), branch);
                        }
                        scope.alarms.push(alarm);
                    }
                },
            }
        }
        if invalid {
            return self.raise("invalidExpressionValue", element);
        }
        self.add(Activity::Scope(scope), element)
    }

    /// `onAlarm`, in a pick or beside a body.
    pub(super) fn alarm(&mut self, element: Element<'_>) -> Alarm {
        let every = child(element, "repeatEvery").map(|it| self.ticks(it).filter(|it| *it > 0));
        let first = child(element, "for").or_else(|| child(element, "until"));
        let after = match (first, every) {
            (Some(first), _) => self.ticks(first),
            (None, Some(every)) => every,
            (None, None) => {
                let finding = misplaced_element::lacking("onAlarm", "for", element.span());
                self.library.report(finding);
                return Alarm::Missing;
            }
        };
        let body = self.inner(element);
        match (after, every) {
            (None, _) | (_, Some(None)) => Alarm::Invalid,
            (Some(after), every) => Alarm::Set(OnAlarm {
                after,
                every: every.flatten(),
                body,
            }),
        }
    }
}

/// What `onAlarm` is.
pub(super) enum Alarm {
    Set(OnAlarm),
    /// Its time is not one: a fault where it would begin to count.
    Invalid,
    Missing,
}
