//! One property over one log: its open windows.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use choros_model::observation::{Correlation, Datum, Number, Observation};
use choros_query::property::{Property, Sense, Window};
use rustc_hash::FxHashMap;

use crate::pattern::{Match, Pattern};
use crate::verdict::{Mark, Outcome};

/// A property, ready to be watched.
#[derive(Debug, Clone)]
pub(crate) struct Watch {
    pub(crate) service: Option<String>,
    pub(crate) context: Vec<Pattern>,
    pub(crate) consequence: Vec<Pattern>,
    pub(crate) correlation: Option<Correlation>,
    pub(crate) window: Window,
    pub(crate) per_session: bool,
    pub(crate) sense: Sense,
}

impl Watch {
    pub(crate) fn new(
        property: &Property,
        context: Vec<Pattern>,
        consequence: Vec<Pattern>,
    ) -> Watch {
        Watch {
            service: property.service.clone(),
            context,
            consequence,
            correlation: property.correlation.clone(),
            window: property.window,
            per_session: property.per_session,
            sense: property.sense,
        }
    }

    pub(crate) fn names(&self, seen: &Observation<'_>) -> bool {
        let mut patterns = self.context.iter().chain(&self.consequence);
        patterns.any(|pattern| pattern.names(seen))
    }

    fn met(&self) -> Outcome {
        match self.sense {
            Sense::Expect => Outcome::Pass,
            Sense::Never => Outcome::Fail,
        }
    }

    /// The outcome of a window in which no consequence was seen.
    pub(crate) fn unmet(&self) -> Outcome {
        match self.sense {
            Sense::Expect => Outcome::Fail,
            Sense::Never => Outcome::Pass,
        }
    }

    pub(crate) fn needs_time(&self) -> bool {
        matches!(self.window, Window::Milliseconds(_))
    }

    /// How many messages a window holds, where that is known.
    pub(crate) fn size(&self) -> Option<usize> {
        match self.window {
            Window::Messages(count) => usize::try_from(count).ok()?.checked_add(self.context.len()),
            Window::Milliseconds(_) => None,
        }
    }
}

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
    by_key: FxHashMap<String, Vec<u32>>,
    /// Windows without a session, where windows are counted per session.
    keyless: Vec<u32>,
    /// By position.
    deadlines: VecDeque<(u64, Ticket)>,
    /// By time.
    times: BinaryHeap<Reverse<(Number, u64, Ticket)>>,
    /// In the order of opening.
    order: VecDeque<Ticket>,
}

/// What came of one message.
#[derive(Debug, Clone, Default)]
pub(crate) struct Effects {
    pub(crate) decided: Vec<Decided>,
    /// A value had the wrong kind: the part.
    pub(crate) wrong_kind: Option<String>,
    /// It would have opened a window but has no key.
    pub(crate) uncorrelated: bool,
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
    pub(crate) fn observe(
        &mut self,
        watch: &Watch,
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
            true => self.session_message(watch, seen, key, clock, effects),
            false => {
                if self.live > 0 {
                    self.answers(watch, seen, key, effects);
                    if !self.young.is_empty() {
                        self.go_on(watch, seen, key, position, clock, effects);
                    }
                }
            }
        }
        self.open(watch, seen, key, position, clock, most_windows, effects);
        if !watch.per_session {
            self.expire_by_position(watch, position, effects);
        }
    }

    /// Whether this message answers windows that wait for an answer.
    fn answers(
        &mut self,
        watch: &Watch,
        seen: &Observation<'_>,
        key: Option<Option<&str>>,
        effects: &mut Effects,
    ) {
        let candidates = match key {
            None => &self.mature,
            Some(None) => return,
            Some(Some(key)) => match self.by_key.get(key) {
                Some(windows) => windows,
                None => return,
            },
        };
        if candidates.is_empty() {
            return;
        }
        let mut own = Vec::new();
        let mut met: Vec<Ticket> = Vec::new();
        for pattern in &watch.consequence {
            match pattern.values(seen, &mut own) {
                Match::No => continue,
                Match::WrongKind(part) => {
                    effects.wrong_kind = Some(pattern.part(part));
                    continue;
                }
                Match::Values => {}
            }
            for &place in candidates {
                let window = &self.windows[place as usize];
                let ticket = (place, window.generation);
                if !met.contains(&ticket) && pattern.holds(&window.values, &own) {
                    met.push(ticket);
                }
            }
        }
        for ticket in met {
            self.decide(watch, ticket, watch.met(), effects);
        }
    }

    /// Windows whose context is not complete go on with this message or are given up.
    fn go_on(
        &mut self,
        watch: &Watch,
        seen: &Observation<'_>,
        key: Option<Option<&str>>,
        position: u64,
        clock: Option<&Number>,
        effects: &mut Effects,
    ) {
        for place in std::mem::take(&mut self.young) {
            match self.step(watch, place, seen, key, effects) {
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
        let Some(pattern) = watch.context.get(window.matched) else {
            return false;
        };
        let mut own = Vec::new();
        match pattern.values(seen, &mut own) {
            Match::No => return false,
            Match::WrongKind(part) => {
                effects.wrong_kind = Some(pattern.part(part));
                return false;
            }
            Match::Values => {}
        }
        if !pattern.holds(&window.values, &own) {
            return false;
        }
        window.values.append(&mut own);
        window.matched += 1;
        true
    }

    /// A message of a session, where windows count the messages of their session.
    fn session_message(
        &mut self,
        watch: &Watch,
        seen: &Observation<'_>,
        key: Option<Option<&str>>,
        clock: Option<&Number>,
        effects: &mut Effects,
    ) {
        let places = match &seen.session {
            Some(session) => self.by_key.get(session.as_ref()),
            None => Some(&self.keyless),
        };
        let Some(places) = places.filter(|places| !places.is_empty()).cloned() else {
            return;
        };
        let mut own = Vec::new();
        for place in places {
            let window = &self.windows[place as usize];
            let ticket = (place, window.generation);
            if window.matched < watch.context.len() {
                match self.step(watch, place, seen, key, effects) {
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
            for pattern in &watch.consequence {
                if !agrees {
                    break;
                }
                match pattern.values(seen, &mut own) {
                    Match::No => {}
                    Match::WrongKind(part) => effects.wrong_kind = Some(pattern.part(part)),
                    Match::Values => is_met |= pattern.holds(&window.values, &own),
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
        seen: &Observation<'_>,
        key: Option<Option<&str>>,
        position: u64,
        clock: Option<&Number>,
        most_windows: usize,
        effects: &mut Effects,
    ) {
        let Some(pattern) = watch.context.first() else {
            return;
        };
        if !pattern.names(seen) {
            return;
        }
        let place = self.place();
        let mut values = std::mem::take(&mut self.windows[place as usize].values);
        let matches = pattern.values(seen, &mut values);
        let is_open = match matches {
            Match::No => false,
            Match::WrongKind(part) => {
                effects.wrong_kind = Some(pattern.part(part));
                false
            }
            Match::Values => pattern.holds(&[], &values),
        };
        let is_correlated = key != Some(None);
        effects.uncorrelated |= is_open && !is_correlated;
        let window = &mut self.windows[place as usize];
        window.values = values;
        if !is_open || !is_correlated {
            self.free.push(place);
            return;
        }
        window.is_live = true;
        window.opened.line = seen.line;
        window.opened.at.clone_from(&seen.at);
        window.position = position;
        window.matched = 1;
        window.counted = 0;
        window.last_time = None;
        set(&mut window.key, key.flatten());
        set(&mut window.session, seen.session.as_deref());
        let ticket = (place, window.generation);
        self.live += 1;
        self.order.push_back(ticket);
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
        if self.live > most_windows
            && let Some(oldest) = self.oldest()
        {
            self.decide(watch, oldest, Outcome::Inconclusive, effects);
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
                && let Some(places) = self.by_key.get_mut(key)
            {
                places.retain(|&known| known != place);
                if places.is_empty() {
                    self.by_key.remove(key);
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
        if self.order.len() > most {
            self.order.retain(is_live);
        }
        if self.deadlines.len() > most {
            self.deadlines.retain(|(_, ticket)| is_live(ticket));
        }
        if self.times.len() > most {
            self.times.retain(|Reverse((_, _, ticket))| is_live(ticket));
        }
    }

    fn oldest(&mut self) -> Option<Ticket> {
        while let Some(&ticket) = self.order.front() {
            let window = &self.windows[ticket.0 as usize];
            if window.is_live && window.generation == ticket.1 {
                return Some(ticket);
            }
            self.order.pop_front();
        }
        None
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
        let mut open: Vec<(u64, Ticket)> = (0..self.windows.len() as u32)
            .map(|place| (place, &self.windows[place as usize]))
            .filter(|(_, window)| window.is_live)
            .map(|(place, window)| (window.position, (place, window.generation)))
            .collect();
        open.sort_unstable();
        for (_, ticket) in open {
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
        self.order.push_back(ticket);
        self.live += 1;
        self.windows[place as usize] = open;
    }
}

fn index(by_key: &mut FxHashMap<String, Vec<u32>>, key: &str, place: u32) {
    match by_key.get_mut(key) {
        Some(places) => places.push(place),
        None => {
            by_key.insert(key.to_owned(), vec![place]);
        }
    }
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
