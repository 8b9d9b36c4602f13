//! One property over one log: its open windows.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::hash::{Hash, Hasher};

use choros_model::observation::{Datum, Number, Observation};
use choros_query::property::Window;
use rustc_hash::{FxHashMap, FxHasher};

use crate::heads::Heads;
use crate::pattern::Match;
use crate::verdict::{Mark, Outcome};
use crate::watch::Watch;

/// An open window.
#[derive(Debug, Clone, Default)]
pub(crate) struct Open {
    /// Changes when the place is used again.
    pub(crate) generation: u32,
    pub(crate) is_live: bool,
    pub(crate) opened: Mark,
    /// The position of its first message in the log.
    pub(crate) position: u64,
    /// How many events of the context were seen.
    pub(crate) matched: usize,
    /// The values that the context bound.
    pub(crate) values: Vec<Datum<'static>>,
    /// What correlates it.
    pub(crate) key: Option<String>,
    pub(crate) session: Option<String>,
    /// Messages of its session since the context.
    pub(crate) counted: u64,
    /// Where it ends: a position, for windows in messages that are not per session.
    pub(crate) last_position: u64,
    /// Where it ends: a time.
    pub(crate) last_time: Option<Number>,
}

/// A window that has been decided.
#[derive(Debug, Clone)]
pub(crate) struct Decided {
    pub(crate) opened: Mark,
    /// The position of its first message.
    pub(crate) position: u64,
    /// What correlates it, or its session where that counts.
    pub(crate) key: Option<String>,
    /// Only messages of this session belong to it.
    pub(crate) session: Option<Option<String>>,
    pub(crate) outcome: Outcome,
}

/// Places of windows that wait for something, with the generation they belong to.
type Ticket = (u32, u32);

/// The windows of one property over one log.
#[derive(Debug, Clone, Default)]
pub(crate) struct Watching {
    windows: Vec<Open>,
    free: Vec<u32>,
    live: usize,
    /// Windows whose context is not complete; they must go on with every message.
    young: Vec<u32>,
    /// Windows that any message may answer.
    mature: Vec<u32>,
    /// Windows that only messages with their key may answer.
    by_key: FxHashMap<u64, Vec<u32>>,
    /// Windows without a session, where windows are counted per session.
    keyless: Vec<u32>,
    /// By position.
    deadlines: VecDeque<(u64, Ticket)>,
    /// By time.
    times: BinaryHeap<Reverse<(Number, u64, Ticket)>>,
}

/// What came of one message.
#[derive(Debug, Clone, Default)]
pub(crate) struct Effects {
    pub(crate) decided: Vec<Decided>,
    /// A value had the wrong kind: the part.
    pub(crate) wrong_kind: Option<String>,
    /// It would have opened a window but has no key.
    pub(crate) uncorrelated: bool,
    /// Room for the windows that one message answers.
    answered: Vec<Ticket>,
}

impl Watching {
    /// Whether the end of some window was reached before this message.
    pub(crate) fn expire_by_time(&mut self, watch: &Watch, now: &Number, effects: &mut Effects) {
        while let Some(Reverse((time, _, ticket))) = self.times.peek() {
            if time >= now {
                return;
            }
            let ticket = *ticket;
            self.times.pop();
            self.decide(watch, ticket, watch.unmet(), effects);
        }
    }

    /// Windows whose last message this was.
    pub(crate) fn expire_by_position(
        &mut self,
        watch: &Watch,
        position: u64,
        effects: &mut Effects,
    ) {
        while let Some(&(last, ticket)) = self.deadlines.front() {
            if last > position {
                return;
            }
            self.deadlines.pop_front();
            self.decide(watch, ticket, watch.unmet(), effects);
        }
    }

    /// One message.
    #[allow(clippy::too_many_arguments)] // They are what one message is, in parts.
    pub(crate) fn observe(
        &mut self,
        watch: &Watch,
        heads: &mut Heads,
        seen: &Observation<'_>,
        position: u64,
        clock: Option<&Number>,
        most_windows: usize,
        effects: &mut Effects,
    ) {
        let key = watch
            .correlation
            .as_ref()
            .map(|correlation| correlation.key(seen));
        let key = key.as_ref().map(Option::as_deref);
        match watch.per_session {
            true => self.session_message(watch, heads, seen, key, clock, effects),
            false => {
                if self.live > 0 {
                    self.answers(watch, heads, seen, key, effects);
                    if !self.young.is_empty() {
                        self.go_on(watch, heads, seen, key, position, clock, effects);
                    }
                }
            }
        }
        self.open(
            watch,
            heads,
            seen,
            key,
            position,
            clock,
            most_windows,
            effects,
        );
        if !watch.per_session {
            self.expire_by_position(watch, position, effects);
        }
    }

    /// Whether this message answers windows that wait for an answer.
    fn answers(
        &mut self,
        watch: &Watch,
        heads: &mut Heads,
        seen: &Observation<'_>,
        key: Option<Option<&str>>,
        effects: &mut Effects,
    ) {
        let candidates = match key {
            None => &self.mature,
            Some(None) => return,
            Some(Some(key)) => match self.by_key.get(&hash(key)) {
                Some(windows) => windows,
                None => return,
            },
        };
        if candidates.is_empty() {
            return;
        }
        let mut met = std::mem::take(&mut effects.answered);
        for (head, pattern) in &watch.consequence {
            let (compared, own) = heads.compare(*head, seen);
            match compared {
                Match::No => continue,
                Match::WrongKind(part) => {
                    effects.wrong_kind = Some(heads.part(*head, part));
                    continue;
                }
                Match::Values => {}
            }
            for &place in candidates {
                let window = &self.windows[place as usize];
                let ticket = (place, window.generation);
                // Different keys may have one hash.
                let agrees = key.is_none_or(|key| key == window.key.as_deref());
                if agrees && !met.contains(&ticket) && pattern.holds(&window.values, own) {
                    met.push(ticket);
                }
            }
        }
        for ticket in met.drain(..) {
            self.decide(watch, ticket, watch.met(), effects);
        }
        effects.answered = met;
    }

    /// Windows whose context is not complete go on with this message or are given up.
    #[allow(clippy::too_many_arguments)] // They are what one message is, in parts.
    fn go_on(
        &mut self,
        watch: &Watch,
        heads: &mut Heads,
        seen: &Observation<'_>,
        key: Option<Option<&str>>,
        position: u64,
        clock: Option<&Number>,
        effects: &mut Effects,
    ) {
        for place in std::mem::take(&mut self.young) {
            match self.step(watch, heads, place, seen, key, effects) {
                false => self.drop_window(place),
                true if self.windows[place as usize].matched == watch.context.len() => {
                    self.ripen(watch, place, seen, position, clock);
                }
                true => self.young.push(place),
            }
        }
    }

    /// Whether the context of a window goes on with this message.
    fn step(
        &mut self,
        watch: &Watch,
        heads: &mut Heads,
        place: u32,
        seen: &Observation<'_>,
        key: Option<Option<&str>>,
        effects: &mut Effects,
    ) -> bool {
        let window = &mut self.windows[place as usize];
        if let Some(key) = key
            && key != window.key.as_deref()
        {
            return false;
        }
        let Some((head, pattern)) = watch.context.get(window.matched) else {
            return false;
        };
        let (compared, own) = heads.compare(*head, seen);
        match compared {
            Match::No => return false,
            Match::WrongKind(part) => {
                effects.wrong_kind = Some(heads.part(*head, part));
                return false;
            }
            Match::Values => {}
        }
        if !pattern.holds(&window.values, own) {
            return false;
        }
        window.values.extend_from_slice(own);
        window.matched += 1;
        true
    }

    /// A message of a session, where windows count the messages of their session.
    fn session_message(
        &mut self,
        watch: &Watch,
        heads: &mut Heads,
        seen: &Observation<'_>,
        key: Option<Option<&str>>,
        clock: Option<&Number>,
        effects: &mut Effects,
    ) {
        let places = match &seen.session {
            Some(session) => self.by_key.get(&hash(session)),
            None => Some(&self.keyless),
        };
        let Some(places) = places.filter(|places| !places.is_empty()).cloned() else {
            return;
        };
        for place in places {
            let window = &self.windows[place as usize];
            // Different sessions may have one hash.
            if window.session.as_deref() != seen.session.as_deref() {
                continue;
            }
            let ticket = (place, window.generation);
            if window.matched < watch.context.len() {
                match self.step(watch, heads, place, seen, key, effects) {
                    false => self.drop_window(place),
                    true if self.windows[place as usize].matched == watch.context.len() => {
                        self.start_time(watch, place, seen, clock);
                    }
                    true => {}
                }
                continue;
            }
            let agrees = key.is_none_or(|key| key == window.key.as_deref());
            let mut is_met = false;
            for (head, pattern) in &watch.consequence {
                if !agrees {
                    break;
                }
                let (compared, own) = heads.compare(*head, seen);
                match compared {
                    Match::No => {}
                    Match::WrongKind(part) => {
                        effects.wrong_kind = Some(heads.part(*head, part));
                    }
                    Match::Values => is_met |= pattern.holds(&window.values, own),
                }
            }
            let window = &mut self.windows[place as usize];
            window.counted += 1;
            let is_over = watch.window == Window::Messages(window.counted);
            if is_met {
                self.decide(watch, ticket, watch.met(), effects);
            } else if is_over {
                self.decide(watch, ticket, watch.unmet(), effects);
            }
        }
    }

    /// Opens a window if this message validates the first event of the context.
    #[allow(clippy::too_many_arguments)] // They are what one message is, in parts.
    fn open(
        &mut self,
        watch: &Watch,
        heads: &mut Heads,
        seen: &Observation<'_>,
        key: Option<Option<&str>>,
        position: u64,
        clock: Option<&Number>,
        most_windows: usize,
        effects: &mut Effects,
    ) {
        let Some((head, pattern)) = watch.context.first() else {
            return;
        };
        let (compared, own) = heads.compare(*head, seen);
        match compared {
            Match::No => return,
            Match::WrongKind(part) => {
                effects.wrong_kind = Some(heads.part(*head, part));
                return;
            }
            Match::Values => {}
        }
        if !pattern.holds(&[], own) {
            return;
        }
        if key == Some(None) {
            effects.uncorrelated = true;
            return;
        }
        let place = self.place();
        let window = &mut self.windows[place as usize];
        window.values.clear();
        window.values.extend_from_slice(own);
        window.is_live = true;
        window.opened.line = seen.line;
        window.opened.at.clone_from(&seen.at);
        window.position = position;
        window.matched = 1;
        window.counted = 0;
        window.last_time = None;
        set(&mut window.key, key.flatten());
        let session = seen.session.as_deref().filter(|_| watch.per_session);
        set(&mut window.session, session);
        self.live += 1;
        if watch.per_session {
            match &seen.session {
                Some(session) => index(&mut self.by_key, session, place),
                None => self.keyless.push(place),
            }
            if watch.context.len() == 1 {
                self.start_time(watch, place, seen, clock);
            }
        } else if watch.context.len() == 1 {
            self.ripen(watch, place, seen, position, clock);
        } else {
            self.young.push(place);
        }
        self.tidy();
        if self.live > most_windows {
            // Several at once, so that looking for the oldest does not cost every message.
            let surplus = (most_windows / 8).max(1);
            for (_, oldest) in self.by_age().into_iter().take(surplus) {
                self.decide(watch, oldest, Outcome::Inconclusive, effects);
            }
        }
    }

    /// The context is complete: from the next message on, answers are looked for.
    fn ripen(
        &mut self,
        watch: &Watch,
        place: u32,
        seen: &Observation<'_>,
        position: u64,
        clock: Option<&Number>,
    ) {
        match &self.windows[place as usize].key {
            Some(key) => index(&mut self.by_key, key, place),
            None => self.mature.push(place),
        }
        match watch.window {
            Window::Messages(count) => {
                let window = &mut self.windows[place as usize];
                window.last_position = position.saturating_add(count);
                self.deadlines
                    .push_back((window.last_position, (place, window.generation)));
            }
            Window::Milliseconds(_) => self.start_time(watch, place, seen, clock),
        }
    }

    fn start_time(
        &mut self,
        watch: &Watch,
        place: u32,
        seen: &Observation<'_>,
        clock: Option<&Number>,
    ) {
        let (Window::Milliseconds(length), Some(begun)) =
            (watch.window, seen.at.as_ref().or(clock))
        else {
            return;
        };
        let length = Number::from(i64::try_from(length).unwrap_or(i64::MAX));
        let window = &mut self.windows[place as usize];
        let last = begun.plus(&length);
        window.last_time = Some(last.clone());
        let ticket = (place, window.generation);
        self.times.push(Reverse((last, window.position, ticket)));
    }

    fn decide(&mut self, watch: &Watch, ticket: Ticket, outcome: Outcome, effects: &mut Effects) {
        let (place, generation) = ticket;
        let window = &self.windows[place as usize];
        if !window.is_live || window.generation != generation {
            return;
        }
        // An incomplete context is no window.
        if window.matched == watch.context.len() {
            let session = window.session.as_ref().filter(|_| watch.per_session);
            effects.decided.push(Decided {
                opened: window.opened.clone(),
                position: window.position,
                key: window.key.as_ref().or(session).cloned(),
                session: watch.per_session.then(|| window.session.clone()),
                outcome,
            });
        }
        self.drop_window(place);
    }

    fn drop_window(&mut self, place: u32) {
        let window = &mut self.windows[place as usize];
        if !window.is_live {
            return;
        }
        window.is_live = false;
        window.generation = window.generation.wrapping_add(1);
        self.live -= 1;
        let window = &self.windows[place as usize];
        let mut unlink = |key: &Option<String>| {
            if let Some(key) = key
                && let Some(places) = self.by_key.get_mut(&hash(key))
            {
                places.retain(|&known| known != place);
                if places.is_empty() {
                    self.by_key.remove(&hash(key));
                }
            }
        };
        unlink(&window.key);
        if window.session != window.key {
            unlink(&window.session);
        }
        self.mature.retain(|&known| known != place);
        self.keyless.retain(|&known| known != place);
        self.free.push(place);
    }

    /// A free place.
    fn place(&mut self) -> u32 {
        match self.free.pop() {
            Some(place) => place,
            None => {
                self.windows.push(Open::default());
                (self.windows.len() - 1) as u32
            }
        }
    }

    /// Forgets tickets of windows that are gone, once they outnumber the others.
    fn tidy(&mut self) {
        let windows = &self.windows;
        let is_live = |ticket: &Ticket| {
            let window = &windows[ticket.0 as usize];
            window.is_live && window.generation == ticket.1
        };
        let most = 2 * self.live + 64;
        if self.deadlines.len() > most {
            self.deadlines.retain(|(_, ticket)| is_live(ticket));
        }
        if self.times.len() > most {
            self.times.retain(|Reverse((_, _, ticket))| is_live(ticket));
        }
    }

    /// The open windows, the oldest first.
    fn by_age(&self) -> Vec<(u64, Ticket)> {
        let mut open: Vec<(u64, Ticket)> = (0..self.windows.len() as u32)
            .map(|place| (place, &self.windows[place as usize]))
            .filter(|(_, window)| window.is_live)
            .map(|(place, window)| (window.position, (place, window.generation)))
            .collect();
        open.sort_unstable();
        open
    }

    /// The open windows, in the order of opening.
    pub(crate) fn open_windows(&self) -> Vec<&Open> {
        let mut open: Vec<&Open> = self
            .windows
            .iter()
            .filter(|window| window.is_live)
            .collect();
        open.sort_by_key(|window| window.position);
        open
    }

    /// The log has ended.
    pub(crate) fn finish(&mut self, watch: &Watch, outcome: Outcome, effects: &mut Effects) {
        for (_, ticket) in self.by_age() {
            self.decide(watch, ticket, outcome, effects);
        }
        self.young.clear();
    }

    /// Puts a window back that was saved.
    pub(crate) fn restore(&mut self, watch: &Watch, mut open: Open) {
        let place = self.place();
        open.is_live = true;
        open.generation = self.windows[place as usize].generation;
        let ticket = (place, open.generation);
        let is_complete = open.matched >= watch.context.len();
        match (watch.per_session, is_complete, &open.session, &open.key) {
            (true, _, Some(session), _) => index(&mut self.by_key, session, place),
            (true, _, None, _) => self.keyless.push(place),
            (false, false, _, _) => self.young.push(place),
            (false, true, _, Some(key)) => index(&mut self.by_key, key, place),
            (false, true, _, None) => self.mature.push(place),
        }
        if is_complete {
            match (&open.last_time, watch.window) {
                (Some(time), Window::Milliseconds(_)) => {
                    self.times
                        .push(Reverse((time.clone(), open.position, ticket)));
                }
                (_, Window::Messages(_)) if !watch.per_session => {
                    self.deadlines.push_back((open.last_position, ticket));
                }
                _ => {}
            }
        }
        self.live += 1;
        self.windows[place as usize] = open;
    }
}

fn index(by_key: &mut FxHashMap<u64, Vec<u32>>, key: &str, place: u32) {
    by_key.entry(hash(key)).or_default().push(place);
}

fn hash(key: &str) -> u64 {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    hasher.finish()
}

/// Writes a text into a place that may have room for it already.
fn set(place: &mut Option<String>, text: Option<&str>) {
    match (place.as_mut(), text) {
        (Some(known), Some(text)) => {
            known.clear();
            known.push_str(text);
        }
        (_, text) => *place = text.map(str::to_owned),
    }
}
