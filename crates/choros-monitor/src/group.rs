//! Properties that open the same windows.
//!
//! People write many properties about one message.
//! Those that agree on the log, the messages of the context and the correlation, and count the same (messages, those of
//! a session, or time) share their windows: one is opened for all of them, and only conditions and what is expected are
//! judged for each, once per distinct candidate event.
//! Where they wait for different lengths the window goes on to the next length when one is over, so that a window that
//! is answered early costs one deadline and not one per property.

use choros_data::Terms;
use choros_model::observation::{Correlation, Datum, Number, Observation};
use choros_query::property::{Properties, Property, Sense, Window};

use crate::code::Truth;
use crate::heads::Heads;
use crate::members::Members;
use crate::pattern::{Pattern, UnusableProperty, patterns};
use crate::verdict::Outcome;

/// Properties that open the same windows.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    pub(crate) service: Option<String>,
    pub(crate) context: Vec<Expected>,
    pub(crate) answers: Vec<Consequence>,
    pub(crate) correlation: Option<Correlation>,
    /// How long windows are, the shortest first; all in messages, or all in time.
    pub(crate) lengths: Vec<Length>,
    pub(crate) per_session: bool,
    pub(crate) members: Vec<Member>,
}

/// A length of windows.
#[derive(Debug, Clone)]
pub(crate) struct Length {
    pub(crate) window: Window,
    /// Whose it is.
    pub(crate) members: Members,
}

/// One of the properties.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member {
    /// Its position among all.
    pub(crate) property: usize,
    pub(crate) sense: Sense,
    /// How long its windows are.
    pub(crate) window: Window,
}

/// One event of the context: all members expect the same message there, perhaps under different conditions.
#[derive(Debug, Clone)]
pub(crate) struct Expected {
    pub(crate) head: usize,
    /// The distinct candidate events, and whose they are.
    pub(crate) patterns: Vec<(Pattern, Members)>,
}

/// A candidate event of consequences.
#[derive(Debug, Clone)]
pub(crate) struct Consequence {
    pub(crate) head: usize,
    pub(crate) pattern: Pattern,
    /// Whose consequence it is, or a part of it.
    pub(crate) members: Members,
}

/// How a window came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// A consequence was seen.
    Met,
    /// It is over, and none was seen.
    Unmet,
    /// The log ended, or there were too many windows.
    Cut,
}

impl Expected {
    /// Adds the members whose condition is true, or may be, of the values known before and those of this message.
    pub(crate) fn judge(
        &self,
        before: &[Datum<'static>],
        own: &[Datum<'static>],
        members: &mut Members,
        redacted: &mut Members,
    ) {
        for (pattern, of) in &self.patterns {
            match pattern.judge(before, own) {
                Truth::True => members.add(of),
                Truth::False => {}
                Truth::Redacted => {
                    members.add(of);
                    redacted.add(of);
                }
            }
        }
    }
}

impl Member {
    /// What the end of a window means for this property.
    pub(crate) fn outcome(self, end: End) -> Outcome {
        match (end, self.sense) {
            (End::Cut, _) => Outcome::Inconclusive,
            (End::Met, Sense::Expect) | (End::Unmet, Sense::Never) => Outcome::Pass,
            (End::Met, Sense::Never) | (End::Unmet, Sense::Expect) => Outcome::Fail,
        }
    }
}

/// Of each property its group, and its number there.
pub(crate) type Places = Vec<(usize, usize)>;

/// The groups of all properties.
pub(crate) fn groups(
    properties: &Properties,
    terms: &Terms,
    heads: &mut Heads,
) -> Result<(Vec<Group>, Places), UnusableProperty> {
    let mut groups: Vec<Group> = Vec::new();
    let mut places = Vec::new();
    for (number, property) in properties.local.iter().enumerate() {
        let (context, consequence) = patterns(property, terms)?;
        let mut numbered = |patterns: Vec<Pattern>| -> Vec<(usize, Pattern)> {
            let patterns = patterns.into_iter();
            patterns
                .map(|pattern| (heads.add(&pattern.head), pattern))
                .collect()
        };
        let (context, consequence) = (numbered(context), numbered(consequence));
        let known = groups.iter().position(|it| it.fits(property, &context));
        let place = known.unwrap_or_else(|| {
            groups.push(Group {
                service: property.service.clone(),
                context: context
                    .iter()
                    .map(|(head, _)| Expected {
                        head: *head,
                        patterns: Vec::new(),
                    })
                    .collect(),
                answers: Vec::new(),
                correlation: property.correlation.clone(),
                lengths: Vec::new(),
                per_session: property.per_session,
                members: Vec::new(),
            });
            groups.len() - 1
        });
        let member = Member {
            property: number,
            sense: property.sense,
            window: property.window,
        };
        let member = groups[place].add(member, context, consequence);
        places.push((place, member));
    }
    Ok((groups, places))
}

impl Group {
    fn fits(&self, property: &Property, context: &[(usize, Pattern)]) -> bool {
        self.service == property.service
            && self.needs_time() == matches!(property.window, Window::Milliseconds(_))
            && self.per_session == property.per_session
            && self.correlation == property.correlation
            && self.context.len() == context.len()
            && self
                .context
                .iter()
                .zip(context)
                .all(|(own, (head, _))| own.head == *head)
    }

    fn add(
        &mut self,
        made: Member,
        context: Vec<(usize, Pattern)>,
        consequence: Vec<(usize, Pattern)>,
    ) -> usize {
        let member = self.members.len();
        self.members.push(made);
        let place = self
            .lengths
            .partition_point(|it| amount(it.window) < amount(made.window));
        if self
            .lengths
            .get(place)
            .is_none_or(|it| it.window != made.window)
        {
            let members = Members::default();
            let window = made.window;
            self.lengths.insert(place, Length { window, members });
        }
        self.lengths[place].members.insert(member);
        for (expected, (_, pattern)) in self.context.iter_mut().zip(context) {
            let patterns = &mut expected.patterns;
            let known = patterns.iter().position(|(it, _)| *it == pattern);
            let known = known.unwrap_or_else(|| {
                patterns.push((pattern, Members::default()));
                patterns.len() - 1
            });
            patterns[known].1.insert(member);
        }
        for (head, pattern) in consequence {
            let known = self.answers.iter().position(|it| it.pattern == pattern);
            let answer = known.unwrap_or_else(|| {
                self.answers.push(Consequence {
                    head,
                    pattern,
                    members: Members::default(),
                });
                self.answers.len() - 1
            });
            self.answers[answer].members.insert(member);
        }
        member
    }

    pub(crate) fn heads(&self) -> impl Iterator<Item = usize> {
        let context = self.context.iter().map(|expected| expected.head);
        context.chain(self.answers.iter().map(|answer| answer.head))
    }

    /// Whether some property of the group names the message.
    pub(crate) fn names(&self, seen: &Observation<'_>, heads: &Heads) -> bool {
        self.heads().any(|head| heads.names(head, seen))
    }

    /// The operations of the messages that it must be told of; none where it must be told of all.
    pub(crate) fn operations<'h>(&self, heads: &'h Heads) -> Option<Vec<&'h str>> {
        let counts_all = self.per_session || self.needs_time() || self.context.len() > 1;
        if counts_all {
            None
        } else {
            self.heads().map(|head| heads.operation(head)).collect()
        }
    }

    pub(crate) fn needs_time(&self) -> bool {
        let first = self.lengths.first();
        first.is_some_and(|it| matches!(it.window, Window::Milliseconds(_)))
    }

    /// How many messages of the log the longest window holds, where that is known.
    pub(crate) fn size(&self) -> Option<usize> {
        match self.lengths.last()?.window {
            // Messages of other sessions lie between.
            _ if self.per_session => None,
            Window::Messages(count) => usize::try_from(count).ok()?.checked_add(self.context.len()),
            Window::Milliseconds(_) => None,
        }
    }
}

fn amount(window: Window) -> u64 {
    match window {
        Window::Messages(amount) | Window::Milliseconds(amount) => amount,
    }
}

pub(crate) fn milliseconds(length: u64) -> Number {
    Number::from(i64::try_from(length).unwrap_or(i64::MAX))
}
