//! Sentences as formulas of SocL.
//!
//! What each sentence means on runs, and why its formula says the same, is in the README.
//! The parts of a run that a sentence is about begin at the start or after a step, and end before a step or never, so
//! there are three kinds of ends, and each pattern has one formula for each.

use choros_base::Span;

use super::diagnostics::{nested_too_deeply, sentence_variable};
use super::formula::{Actions, Argument, Atom, NodeId, NodeKind, Quantifier, Until, Variable};
use super::parse::Parser;
use super::sentence::{Body, Event, Sentence};

/// What ends the part.
#[derive(Clone, Copy)]
enum Close<'s> {
    /// Nothing.
    Never,
    /// This, if it comes.
    Perhaps(&'s Event),
    /// This, and parts that it does not end do not count.
    Surely(&'s Event),
}

/// Adds the formula of a sentence; what it cannot say is among the diagnostics.
pub(super) fn translate(parser: &mut Parser<'_, '_, '_>, sentence: &Sentence) -> NodeId {
    let close = match &sentence.end {
        None => Close::Never,
        Some(end) if end.weak => Close::Perhaps(&end.event),
        Some(end) => Close::Surely(&end.event),
    };
    let opened: Vec<Variable> = sentence.opening.iter().flat_map(of_event).collect();
    let for_all = sentence.for_all(&opened, &close, parser);
    let mut builder = Builder {
        known: opened.iter().chain(&for_all).copied().collect(),
        own: sentence.variables.iter().map(|it| it.1).collect(),
        copies: 1,
        span: sentence.span,
        parser,
    };
    let mut formula = builder.body(&sentence.body, close);
    // The variables of an opening event have values in the events after it, and in the rest.
    builder.known = for_all.clone();
    let mut known = Vec::new();
    for event in &sentence.opening {
        known.push(builder.known.clone());
        builder.known.extend(of_event(event));
    }
    for (event, known) in sentence.opening.iter().zip(known).rev() {
        builder.known = known;
        let boxed = builder.boxed(event, formula);
        formula = builder.add(NodeKind::Always(Quantifier::All, boxed));
    }
    if !for_all.is_empty() {
        parser.quantified.push((formula, for_all, sentence.span));
    }
    formula
}

fn of_event(event: &Event) -> Vec<Variable> {
    let mut found = event.actions.uses();
    found.sort_unstable();
    found.dedup();
    found
}

impl Sentence {
    /// The variables that no step of the formula can bind before they are needed: the sentence is about each of their
    /// values.
    fn for_all(
        &self,
        opened: &[Variable],
        close: &Close<'_>,
        parser: &mut Parser<'_, '_, '_>,
    ) -> Vec<Variable> {
        // What happens, and what is asked for.
        let (mut given, wanted): (Vec<&Event>, Vec<&Event>) = match &self.body {
            Body::Never(event) => (vec![event], Vec::new()),
            Body::NeverBefore(event, needed) => (vec![event], needed.iter().collect()),
            Body::Eventually(events) => (Vec::new(), events.iter().collect()),
            Body::AtMost(_, event) => (vec![event, event], Vec::new()),
            Body::Always(_) => (Vec::new(), Vec::new()),
            Body::Response(trigger, events) => (vec![trigger], events.iter().collect()),
        };
        match close {
            // What need not come gives no value to what is asked for.
            Close::Perhaps(event) | Close::Surely(event) => given.push(event),
            Close::Never => {}
        }
        let binds = match (&self.body, close) {
            (Body::AtMost(..) | Body::Response(..), Close::Never) => given.first().copied(),
            _ => None,
        };
        let mut found = Vec::new();
        for &(name, variable) in &self.variables {
            let is_in = |event: &&&Event| of_event(event).contains(&variable);
            let (some, asked) = (given.iter().filter(is_in), wanted.iter().filter(is_in));
            let (some, asked) = (some.count(), asked.count());
            if opened.contains(&variable) || some + asked < 2 {
                continue;
            }
            if binds.is_some_and(|event| is_in(&&event)) {
                continue;
            }
            let only_the_end = match (close, &self.body) {
                (_, Body::NeverBefore(event, _) | Body::Response(event, _)) => {
                    asked > 0 && !is_in(&&event)
                }
                (Close::Perhaps(_), Body::Eventually(_)) => true,
                _ => false,
            };
            if some == 0 || only_the_end {
                let text = parser.names.text(name);
                let found = sentence_variable::diagnostic(self.span, text);
                parser.cursor.diagnostics.push(found);
                continue;
            }
            found.push(variable);
        }
        found
    }
}

struct Builder<'p, 'c, 't, 'n> {
    parser: &'p mut Parser<'c, 't, 'n>,
    /// Variables that have values here.
    known: Vec<Variable>,
    /// The variables of the sentence.
    own: Vec<Variable>,
    /// How often alternatives that bind variables repeat what follows them.
    copies: usize,
    span: Span,
}

/// Alternatives that bind variables repeat what follows them no more often.
const MAX_COPIES: usize = 16;

impl Builder<'_, '_, '_, '_> {
    fn add(&mut self, kind: NodeKind) -> NodeId {
        self.parser.add(kind, self.span)
    }

    /// Says that a part only forbids something: that it never happens is as it should be.
    fn forbid(&mut self, part: NodeId) -> NodeId {
        self.parser.forbidding.push(part);
        part
    }

    fn constant(&mut self, value: bool) -> NodeId {
        self.add(NodeKind::Constant(value))
    }

    fn body(&mut self, body: &Body, close: Close<'_>) -> NodeId {
        match close {
            Close::Never => self.open(body),
            Close::Perhaps(end) => self.until(body, end),
            Close::Surely(end) => {
                let end = self.among(end);
                let violation = self.violation(body, &end, true);
                self.add(NodeKind::Not(violation))
            }
        }
    }

    /// Of a part without an end.
    fn open(&mut self, body: &Body) -> NodeId {
        match body {
            Body::Never(event) => {
                let no = self.constant(false);
                let boxed = self.boxed(event, no);
                self.add(NodeKind::Always(Quantifier::All, boxed))
            }
            Body::NeverBefore(event, needed) => {
                let bad = self.among(event);
                let mut rest = self.constant(true);
                for (index, step) in needed.iter().enumerate().rev() {
                    let step = if index + 1 < needed.len() {
                        both([self.among(step), not(bad.clone())])
                    } else {
                        self.last(step)
                    };
                    rest = self.path(Quantifier::All, not(bad.clone()), true, step, rest);
                }
                rest
            }
            Body::Eventually(events) => self.each_in_turn(events),
            Body::AtMost(count, event) => {
                let mut rest = self.constant(false);
                let known = self.known.clone();
                for index in (0..=*count).rev() {
                    self.known.clone_from(&known);
                    if index > 0 {
                        self.known.extend(of_event(event));
                    }
                    let boxed = self.boxed(event, rest);
                    self.forbid(boxed);
                    rest = self.add(NodeKind::Always(Quantifier::All, boxed));
                }
                self.known = known;
                rest
            }
            Body::Always(state) => self.add(NodeKind::Always(Quantifier::All, *state)),
            Body::Response(trigger, events) => {
                let known = self.known.clone();
                self.known.extend(of_event(trigger));
                let then = self.each_in_turn(events);
                self.known = known;
                let boxed = self.boxed(trigger, then);
                self.add(NodeKind::Always(Quantifier::All, boxed))
            }
        }
    }

    fn each_in_turn(&mut self, events: &[Event]) -> NodeId {
        let mut rest = self.constant(true);
        for event in events.iter().rev() {
            let step = self.last(event);
            rest = self.add(NodeKind::Eventually(Quantifier::All, Some(step), rest));
        }
        rest
    }

    /// Of a part that ends with a step, or never.
    fn until(&mut self, body: &Body, end: &Event) -> NodeId {
        let last = self.last(end);
        let end = self.among(end);
        match body {
            Body::Never(event) => {
                let bad = self.among(event);
                let yes = self.constant(true);
                self.path(Quantifier::All, not(bad), true, last, yes)
            }
            Body::NeverBefore(event, needed) => match &needed[..] {
                [only] => {
                    let (bad, only) = (self.among(event), self.among(only));
                    let yes = self.constant(true);
                    let last = either([only, end]);
                    self.path(Quantifier::All, not(bad), true, last, yes)
                }
                _ => {
                    let violation = self.violation(body, &end, false);
                    self.add(NodeKind::Not(violation))
                }
            },
            Body::Eventually(events) => self.each_before(events, &end),
            Body::AtMost(count, event) => {
                let event = self.among(event);
                let yes = self.constant(true);
                let none = not(event.clone());
                let mut rest = self.path(Quantifier::All, none, true, last.clone(), yes);
                for _ in 0..*count {
                    let counted = both([event.clone(), not(end.clone())]);
                    let left = self.add(NodeKind::Box(counted, rest));
                    self.forbid(left);
                    rest = self.held(left, last.clone());
                }
                rest
            }
            Body::Always(state) => self.held(*state, last),
            Body::Response(trigger, events) => {
                let trigger = self.among(trigger);
                let then = self.each_before(events, &end);
                let counted = both([trigger, not(end)]);
                let left = self.add(NodeKind::Box(counted, then));
                self.held(left, last)
            }
        }
    }

    /// `A[φ {tt} W {R} true]`.
    fn held(&mut self, left: NodeId, last: Actions) -> NodeId {
        let right = self.constant(true);
        self.add(NodeKind::Until(Box::new(Until {
            quantifier: Quantifier::All,
            left,
            steps: Actions::Constant(true),
            weak: true,
            last: Some(last),
            right,
        })))
    }

    fn each_before(&mut self, events: &[Event], end: &Actions) -> NodeId {
        let mut rest = self.constant(true);
        for event in events.iter().rev() {
            let step = both([self.among(event), not(end.clone())]);
            rest = self.path(Quantifier::All, not(end.clone()), false, step, rest);
        }
        rest
    }

    /// Some run has a part that is not as it should be: up to what breaks the rule, and to the end of the part if it
    /// must come.
    fn violation(&mut self, body: &Body, end: &Actions, must_end: bool) -> NodeId {
        let no_end = not(end.clone());
        match body {
            Body::Never(event) => {
                let bad = both([self.among(event), no_end.clone()]);
                let tail = self.tail(end, must_end);
                let found = self.path(Quantifier::Some, no_end, false, bad, tail);
                self.forbid(found)
            }
            Body::NeverBefore(event, needed) => {
                let bad = self.among(event);
                let needed: Vec<Actions> = needed.iter().map(|it| self.among(it)).collect();
                let mut later: Option<NodeId> = None;
                for (index, step) in needed.iter().enumerate().rev() {
                    let before = both([not(step.clone()), no_end.clone()]);
                    let mut broken = vec![bad.clone()];
                    if index + 1 == needed.len() {
                        // What is needed last may come with it.
                        broken.push(not(step.clone()));
                    }
                    broken.push(no_end.clone());
                    let tail = self.tail(end, must_end);
                    let broken = both(broken);
                    let now = self.path(Quantifier::Some, before.clone(), false, broken, tail);
                    let now = self.forbid(now);
                    later = Some(match later {
                        None => now,
                        Some(later) => {
                            let on = both([step.clone(), not(bad.clone()), no_end.clone()]);
                            let on = self.path(Quantifier::Some, before, false, on, later);
                            let on = self.forbid(on);
                            self.add(NodeKind::Or(vec![now, on]))
                        }
                    });
                }
                later.unwrap_or_else(|| self.constant(false))
            }
            Body::Eventually(events) => self.missing(events, end),
            Body::AtMost(count, event) => {
                let step = both([self.among(event), no_end.clone()]);
                let mut rest = self.tail(end, must_end);
                for _ in 0..=*count {
                    rest = self.path(Quantifier::Some, no_end.clone(), false, step.clone(), rest);
                    rest = self.forbid(rest);
                }
                rest
            }
            Body::Always(state) => {
                let fails = self.add(NodeKind::Not(*state));
                let tail = self.tail(end, must_end);
                let right = self.add(NodeKind::And(vec![fails, tail]));
                let left = self.constant(true);
                self.add(NodeKind::Until(Box::new(Until {
                    quantifier: Quantifier::Some,
                    left,
                    steps: no_end,
                    weak: false,
                    last: None,
                    right,
                })))
            }
            Body::Response(trigger, events) => {
                let trigger = both([self.among(trigger), no_end.clone()]);
                let missing = self.missing(events, end);
                self.path(Quantifier::Some, no_end, false, trigger, missing)
            }
        }
    }

    /// The part ends before all of these came in turn.
    fn missing(&mut self, events: &[Event], end: &Actions) -> NodeId {
        let mut later: Option<NodeId> = None;
        for event in events.iter().rev() {
            let event = self.among(event);
            let yes = self.constant(true);
            let none = not(event.clone());
            let now = self.path(Quantifier::Some, none.clone(), false, end.clone(), yes);
            later = Some(match later {
                None => now,
                Some(later) => {
                    let before = both([none, not(end.clone())]);
                    let on = both([event, not(end.clone())]);
                    let on = self.path(Quantifier::Some, before, false, on, later);
                    self.add(NodeKind::Or(vec![now, on]))
                }
            });
        }
        later.unwrap_or_else(|| self.constant(false))
    }

    fn tail(&mut self, end: &Actions, must_end: bool) -> NodeId {
        let yes = self.constant(true);
        if !must_end {
            return yes;
        }
        self.add(NodeKind::Eventually(
            Quantifier::Some,
            Some(end.clone()),
            yes,
        ))
    }

    /// `E[true {χ} U {γ} φ]` and the like.
    fn path(
        &mut self,
        quantifier: Quantifier,
        steps: Actions,
        weak: bool,
        last: Actions,
        right: NodeId,
    ) -> NodeId {
        let left = self.constant(true);
        self.add(NodeKind::Until(Box::new(Until {
            quantifier,
            left,
            steps,
            weak,
            last: Some(last),
            right,
        })))
    }

    /// `[γ] φ`; of alternatives that bind variables there is one box for each.
    fn boxed(&mut self, event: &Event, then: NodeId) -> NodeId {
        let new = |it: &Variable| self.own.contains(it) && !self.known.contains(it);
        let bound: Vec<Variable> = of_event(event).into_iter().filter(new).collect();
        let Actions::Or(parts) = &event.actions else {
            let actions = self.last(event);
            return self.add(NodeKind::Box(actions, then));
        };
        let free = &self.parser.nodes[then.index()].free;
        let needed: Vec<Variable> = bound.into_iter().filter(|it| free.contains(it)).collect();
        if needed.is_empty() {
            let actions = self.among(event);
            return self.add(NodeKind::Box(actions, then));
        }
        self.copies = self.copies.saturating_mul(parts.len());
        if self.copies > MAX_COPIES {
            let found = nested_too_deeply::diagnostic(event.span, MAX_COPIES);
            self.parser.cursor.diagnostics.push(found);
            return then;
        }
        let mut boxes = Vec::new();
        for part in parts.clone() {
            let part = Event {
                actions: part,
                span: event.span,
            };
            let binds = of_event(&part);
            for &variable in &needed {
                if !binds.contains(&variable) || !matches!(part.actions, Actions::Atom(_)) {
                    let names = &self.parser.names;
                    let text = names.text(self.parser.variables[variable.index()]);
                    let found = sentence_variable::not_in_all(event.span, text);
                    self.parser.cursor.diagnostics.push(found);
                }
            }
            let actions = self.last(&part);
            boxes.push(self.add(NodeKind::Box(actions, then)));
        }
        self.add(NodeKind::And(boxes))
    }

    /// An event where it can bind: a single action does.
    fn last(&self, event: &Event) -> Actions {
        match &event.actions {
            Actions::Atom(atom) => {
                let arguments = atom.arguments.iter().map(|argument| match *argument {
                    Argument::Use(variable) if self.is_new(variable) => Argument::Binder(variable),
                    other => other,
                });
                Actions::Atom(Atom {
                    arguments: arguments.collect(),
                    ..atom.clone()
                })
            }
            _ => self.among(event),
        }
    }

    /// An event within a larger action formula, where nothing is bound for others.
    fn among(&self, event: &Event) -> Actions {
        self.anywhere(&event.actions)
    }

    fn anywhere(&self, actions: &Actions) -> Actions {
        let all = |parts: &[Actions]| parts.iter().map(|it| self.anywhere(it)).collect();
        match actions {
            Actions::Constant(_) | Actions::Silent => actions.clone(),
            Actions::Atom(atom) => {
                let conditions = &atom.conditions;
                let read = |it: Variable| conditions.iter().any(|one| one.uses().contains(&it));
                let arguments = atom.arguments.iter().map(|argument| match *argument {
                    Argument::Use(it) if self.is_new(it) && read(it) => Argument::Binder(it),
                    Argument::Use(it) if self.is_new(it) => Argument::Any,
                    other => other,
                });
                Actions::Atom(Atom {
                    arguments: arguments.collect(),
                    ..atom.clone()
                })
            }
            Actions::Not(part) => Actions::Not(Box::new(self.anywhere(part))),
            Actions::And(parts) => Actions::And(all(parts)),
            Actions::Or(parts) => Actions::Or(all(parts)),
        }
    }

    fn is_new(&self, variable: Variable) -> bool {
        self.own.contains(&variable) && !self.known.contains(&variable)
    }
}

fn not(actions: Actions) -> Actions {
    match actions {
        Actions::Constant(value) => Actions::Constant(!value),
        Actions::Not(inner) => *inner,
        other => Actions::Not(Box::new(other)),
    }
}

fn both(parts: impl IntoIterator<Item = Actions>) -> Actions {
    let mut all = Vec::new();
    for part in parts {
        match part {
            Actions::And(inner) => all.extend(inner),
            other => all.push(other),
        }
    }
    Actions::And(all)
}

fn either(parts: impl IntoIterator<Item = Actions>) -> Actions {
    let mut some = Vec::new();
    for part in parts {
        match part {
            Actions::Or(inner) => some.extend(inner),
            other => some.push(other),
        }
    }
    Actions::Or(some)
}
