//! What one message does to the windows of a group.

use std::sync::Arc;

use choros_model::observation::{Number, Observation};
use choros_query::property::Window;

use crate::agreement::{Captures, agree, key};
use crate::code::Truth;
use crate::group::{End, Group};
use crate::heads::Heads;
use crate::open::{Open, Standing};
use crate::pattern::Match;
use crate::recent::Kept;
use crate::windows::{Effects, Windows, hash};

/// One message of a log.
#[derive(Clone, Copy)]
pub(crate) struct Message<'m> {
    pub(crate) seen: &'m Observation<'m>,
    /// Its position in the log.
    pub(crate) position: u64,
    /// When it was, as far as the log says.
    pub(crate) now: Option<&'m Number>,
    /// What is kept of it for evidence.
    pub(crate) kept: Option<&'m Arc<Kept>>,
    /// What correlates it, where that is asked.
    key: Option<Option<&'m str>>,
}

impl<'m> Message<'m> {
    pub(crate) fn new(
        seen: &'m Observation<'m>,
        position: u64,
        now: Option<&'m Number>,
        kept: Option<&'m Arc<Kept>>,
    ) -> Message<'m> {
        Message {
            seen,
            position,
            now,
            kept,
            key: None,
        }
    }

    /// Whether it belongs to a window, where that is asked.
    fn agrees(&self, window: &Open) -> Truth {
        match self.key {
            None => Truth::True,
            Some(key) => agree(key, window.key.as_deref()),
        }
    }
}

impl Windows {
    /// One message.
    pub(crate) fn observe(
        &mut self,
        group: &Group,
        heads: &mut Heads,
        message: Message<'_>,
        most_windows: usize,
        effects: &mut Effects,
    ) {
        let key = group
            .correlation
            .as_ref()
            .map(|correlation| key(correlation, message.seen));
        let message = Message {
            key: key.as_ref().map(Option::as_deref),
            ..message
        };
        let session = message.seen.session.as_deref();
        let session = session.filter(|_| group.per_session);
        if self.live == 0 {
            self.captures = Captures::default();
        }
        for key in message.key.flatten().into_iter().chain(session) {
            self.captures.add(key);
        }
        if self.live > 0 {
            if group.per_session {
                self.session_message(group, heads, message, effects)
            } else {
                self.answers(group, heads, message, effects);
                if !self.young.is_empty() {
                    self.go_on(group, heads, message, effects);
                }
            }
        }
        self.open(group, heads, message, most_windows, effects);
    }

    /// Whether this message answers windows that wait for an answer.
    fn answers(
        &mut self,
        group: &Group,
        heads: &mut Heads,
        message: Message<'_>,
        effects: &mut Effects,
    ) {
        let first = match message.key {
            None if self.mature.is_empty() => return,
            None | Some(None) => None,
            Some(Some(key)) => self.by_key.get(&hash(key)).copied(),
        };
        let are_several = message.key.is_some() && self.captures.are_several();
        if message.key.is_some() && first.is_none() && !are_several {
            return;
        }
        for (number, answer) in group.answers.iter().enumerate() {
            let (compared, own) = heads.compare(answer.head, message.seen);
            match compared {
                Match::No => continue,
                Match::WrongKind(part, kind) => {
                    effects.wrong_kind(heads.part(answer.head, part), kind);
                    continue;
                }
                Match::Values => {}
            }
            let mut consider = |place: u32| {
                let window = &self.windows[place as usize];
                // Different keys may have one hash.
                let agrees = message.agrees(window);
                if agrees != Truth::False && window.undecided.meets(&answer.members) {
                    match (agrees, answer.pattern.judge(&window.values, own)) {
                        (_, Truth::False) => {}
                        (Truth::True, Truth::True) => {
                            effects.answered.push(((place, window.generation), number));
                        }
                        _ => effects.maybe_answered.push((place, number)),
                    }
                }
                match window.standing {
                    Standing::Keyed(_, next) => next,
                    _ => None,
                }
            };
            match message.key {
                None => self.mature.iter().for_each(|place| {
                    consider(*place);
                }),
                Some(_) if are_several => {
                    for place in 0..self.windows.len() as u32 {
                        let window = &self.windows[place as usize];
                        if window.is_live && matches!(window.standing, Standing::Keyed(..)) {
                            consider(place);
                        }
                    }
                }
                Some(_) => {
                    let mut next = first;
                    while let Some(place) = next {
                        next = consider(place);
                    }
                }
            }
        }
        for (place, number) in effects.maybe_answered.drain(..) {
            let members = &group.answers[number].members;
            self.windows[place as usize].redacted_answer.add(members);
        }
        if effects.answered.is_empty() {
            return;
        }
        let mut answered = std::mem::take(&mut effects.answered);
        for (ticket, number) in answered.drain(..) {
            let members = &group.answers[number].members;
            self.decide(group, ticket, Some(members), End::Met, effects);
        }
        effects.answered = answered;
    }

    /// Windows whose context is not complete continue with this message or are given up.
    fn go_on(
        &mut self,
        group: &Group,
        heads: &mut Heads,
        message: Message<'_>,
        effects: &mut Effects,
    ) {
        let mut kept = 0;
        for number in 0..self.young.len() {
            let place = self.young[number];
            if !self.step(group, heads, place, message, effects) {
                self.drop_window(place);
            } else if self.windows[place as usize].matched == group.context.len() {
                self.ripen(group, place, message);
            } else {
                self.young[kept] = place;
                kept += 1;
            }
        }
        self.young.truncate(kept);
    }

    /// Whether the context of a window continues with this message.
    fn step(
        &mut self,
        group: &Group,
        heads: &mut Heads,
        place: u32,
        message: Message<'_>,
        effects: &mut Effects,
    ) -> bool {
        let window = &mut self.windows[place as usize];
        let agrees = message.agrees(window);
        if agrees == Truth::False {
            return false;
        }
        let Some(expected) = group.context.get(window.matched) else {
            return false;
        };
        let (compared, own) = heads.compare(expected.head, message.seen);
        match compared {
            Match::No => return false,
            Match::WrongKind(part, kind) => {
                effects.wrong_kind(heads.part(expected.head, part), kind);
                return false;
            }
            Match::Values => {}
        }
        effects.members.clear();
        effects.redacted.clear();
        let (members, redacted) = (&mut effects.members, &mut effects.redacted);
        expected.judge(&window.values, own, members, redacted);
        if agrees == Truth::Redacted {
            effects.redacted.clone_from(&effects.members);
        }
        window.redacted_context.add(&effects.redacted);
        let open = &mut self.open;
        window
            .undecided
            .take_others(&effects.members, |number| open[number] -= 1);
        if window.undecided.is_empty() {
            return false;
        }
        window.values.extend_from_slice(own);
        window.context.push(message.kept);
        window.matched += 1;
        true
    }

    /// A message of a session, where windows count the messages of their session.
    fn session_message(
        &mut self,
        group: &Group,
        heads: &mut Heads,
        message: Message<'_>,
        effects: &mut Effects,
    ) {
        let mut places = std::mem::take(&mut effects.places);
        places.clear();
        match &message.seen.session {
            None => places.extend_from_slice(&self.keyless),
            Some(session) => {
                let mut next = self.by_key.get(&hash(session)).copied();
                while let Some(place) = next {
                    places.push(place);
                    next = match self.windows[place as usize].standing {
                        Standing::Keyed(_, next) => next,
                        _ => None,
                    };
                }
            }
        }
        let session = message.seen.session.as_deref();
        for &place in &places {
            // Different sessions may have one hash.
            if self.windows[place as usize].session.as_deref() == session {
                self.session_step(group, heads, place, message, effects);
            }
        }
        effects.places = places;
        if self.captures.are_several() {
            // What may be of a session may be what it waits for, and is counted or not.
            for place in 0..self.windows.len() as u32 {
                let window = &mut self.windows[place as usize];
                if window.is_live && agree(session, window.session.as_deref()) == Truth::Redacted {
                    window.matched = group.context.len();
                    window.redacted_context.clone_from(&window.undecided);
                    let ticket = (place, window.generation);
                    self.decide(group, ticket, None, End::Cut, effects);
                }
            }
        }
    }

    fn session_step(
        &mut self,
        group: &Group,
        heads: &mut Heads,
        place: u32,
        message: Message<'_>,
        effects: &mut Effects,
    ) {
        let window = &mut self.windows[place as usize];
        if window.matched < group.context.len() {
            if !self.step(group, heads, place, message, effects) {
                self.drop_window(place);
            } else if self.windows[place as usize].matched == group.context.len() {
                self.begin_to_wait(group, place, message);
            }
            return;
        }
        window.counted += 1;
        let counted = Window::Messages(window.counted);
        let over = group.lengths.iter().find(|it| it.window == counted);
        let ticket = (place, window.generation);
        let agrees = message.agrees(window);
        if agrees != Truth::False {
            for answer in &group.answers {
                let (compared, own) = heads.compare(answer.head, message.seen);
                match compared {
                    Match::No => {}
                    Match::WrongKind(part, kind) => {
                        effects.wrong_kind(heads.part(answer.head, part), kind);
                    }
                    Match::Values => {
                        let window = &mut self.windows[place as usize];
                        if !window.undecided.meets(&answer.members) {
                            continue;
                        }
                        match (agrees, answer.pattern.judge(&window.values, own)) {
                            (_, Truth::False) => {}
                            (Truth::True, Truth::True) => {
                                let members = Some(&answer.members);
                                self.decide(group, ticket, members, End::Met, effects);
                            }
                            _ => window.redacted_answer.add(&answer.members),
                        }
                    }
                }
            }
        }
        if let Some(over) = over {
            self.decide(group, ticket, Some(&over.members), End::Unmet, effects);
        }
    }

    /// Opens a window if this message validates the first event of the context.
    fn open(
        &mut self,
        group: &Group,
        heads: &mut Heads,
        message: Message<'_>,
        most_windows: usize,
        effects: &mut Effects,
    ) {
        let Some(expected) = group.context.first() else {
            return;
        };
        let seen = message.seen;
        let (compared, own) = heads.compare(expected.head, seen);
        match compared {
            Match::No => return,
            Match::WrongKind(part, kind) => {
                effects.wrong_kind(heads.part(expected.head, part), kind);
                return;
            }
            Match::Values => {}
        }
        effects.members.clear();
        effects.redacted.clear();
        expected.judge(&[], own, &mut effects.members, &mut effects.redacted);
        if effects.members.is_empty() {
            return;
        }
        if message.key == Some(None) {
            effects.uncorrelated = true;
            return;
        }
        let place = self.place();
        let window = &mut self.windows[place as usize];
        window.values.clear();
        window.values.extend_from_slice(own);
        window.is_live = true;
        window.standing = Standing::Young;
        window.opened.line = seen.line;
        window.opened.at.clone_from(&seen.at);
        window.position = message.position;
        window.context.begin(message.kept);
        window.matched = 1;
        window.counted = 0;
        window.ripened = 0;
        window.begun = None;
        window.undecided.clone_from(&effects.members);
        window.redacted_context.clone_from(&effects.redacted);
        window.redacted_answer.clear();
        window.key = message.key.flatten().map(Arc::from);
        let session = seen.session.as_deref().filter(|_| group.per_session);
        window.session = session.map(Arc::from);
        self.live += 1;
        self.open.resize(group.members.len(), 0);
        for member in window.undecided.iter() {
            self.open[member] += 1;
        }
        if group.per_session {
            match &seen.session {
                Some(session) => self.index(hash(session), place),
                None => self.stand(place, Standing::Keyless),
            }
            if group.context.len() == 1 {
                self.begin_to_wait(group, place, message);
            }
        } else if group.context.len() == 1 {
            self.ripen(group, place, message);
        } else {
            self.stand(place, Standing::Young);
        }
        self.tidy();
        if self.live > most_windows {
            self.give_up(group, most_windows, effects);
        }
    }

    /// The context is complete: from the next message on, answers are looked for.
    fn ripen(&mut self, group: &Group, place: u32, message: Message<'_>) {
        match &self.windows[place as usize].key {
            Some(key) => self.index(hash(key), place),
            None => self.stand(place, Standing::Mature),
        }
        self.begin_to_wait(group, place, message);
    }

    /// The context is complete with this message.
    fn begin_to_wait(&mut self, group: &Group, place: u32, message: Message<'_>) {
        let window = &mut self.windows[place as usize];
        if group.needs_time() {
            window.begun = message.now.cloned();
        } else if !group.per_session {
            window.ripened = message.position;
        }
        self.wait(group, place);
    }
}
