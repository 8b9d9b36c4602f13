//! The windows of one group of properties over one log.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::hash::{Hash, Hasher};

use choros_model::observation::Number;
use choros_query::property::Window;
use rustc_hash::{FxHashMap, FxHasher};

use crate::agreement::Captures;
use crate::group::{End, Group, milliseconds};
use crate::kind::ValueKind;
use crate::members::Members;
use crate::open::{Decided, Open, Standing};

/// Places of windows that wait for something, with the generation they belong to.
pub(crate) type Ticket = (u32, u32);

/// The windows of one group over one log.
#[derive(Debug, Clone, Default)]
pub(crate) struct Windows {
    pub(crate) windows: Vec<Open>,
    free: Vec<u32>,
    pub(crate) live: usize,
    /// How many windows are open for each member.
    pub(crate) open: Vec<usize>,
    /// Windows whose context is not complete; they must continue with every message.
    pub(crate) young: Vec<u32>,
    /// Windows that any message may answer, in the order of ripening.
    pub(crate) mature: VecDeque<u32>,
    /// Windows that only messages with their key may answer: the first of each key's hash, which knows the next.
    pub(crate) by_key: FxHashMap<u64, u32>,
    /// The kinds of keys and sessions that were seen.
    pub(crate) captures: Captures,
    /// Windows without a session, where windows are counted per session.
    pub(crate) keyless: Vec<u32>,
    /// Of each length the positions at which windows are over that wait for it, and are not over for a shorter one.
    ///
    /// Positions only grow, so each queue is in order: the first is filled as windows ripen, each other one as windows
    /// leave the one before it.
    deadlines: Vec<VecDeque<(u64, Ticket)>>,
    /// No position in `deadlines` is earlier.
    nearest: Option<u64>,
    /// When windows are over, for which length; and by the position at which they were opened.
    times: BinaryHeap<Reverse<(Number, u64, usize, Ticket)>>,
}

/// What came of one message.
#[derive(Debug, Clone, Default)]
pub(crate) struct Effects {
    pub(crate) decided: Vec<Decided>,
    /// Values of the wrong kind: the part, and what it should be.
    pub(crate) wrong_kinds: Vec<(String, ValueKind)>,
    /// It would have opened a window but has no key.
    pub(crate) uncorrelated: bool,
    /// Room for the windows that one message answers, each with the number of the answer.
    pub(crate) answered: Vec<(Ticket, usize)>,
    /// Room for the windows that one message may answer, each with the number of the answer.
    pub(crate) maybe_answered: Vec<(u32, usize)>,
    /// Room for the members whose condition is true, or may be.
    pub(crate) members: Members,
    /// Room for those of them for which redacted values would say.
    pub(crate) redacted: Members,
    /// Room for the windows of one session.
    pub(crate) places: Vec<u32>,
}

impl Effects {
    /// A value is not of the kind that a condition needs.
    pub(crate) fn wrong_kind(&mut self, part: String, kind: ValueKind) {
        if !self.wrong_kinds.contains(&(part.clone(), kind)) {
            self.wrong_kinds.push((part, kind));
        }
    }
}

impl Windows {
    /// Windows in time that were over before this message.
    pub(crate) fn expire_by_time(&mut self, group: &Group, now: &Number, effects: &mut Effects) {
        while let Some(Reverse((time, _, stage, ticket))) = self.times.peek() {
            if time >= now {
                return;
            }
            let (stage, ticket) = (*stage, *ticket);
            self.times.pop();
            if self.is_over(group, stage, ticket, effects) {
                self.wait_time(group, ticket.0, stage + 1);
            }
        }
    }

    /// Windows whose last message this was.
    pub(crate) fn expire_by_position(
        &mut self,
        group: &Group,
        position: u64,
        effects: &mut Effects,
    ) {
        if self.nearest.is_none_or(|nearest| nearest > position) {
            return;
        }
        for stage in 0..self.deadlines.len() {
            while let Some(&(last, ticket)) = self.deadlines[stage].front()
                && last <= position
            {
                self.deadlines[stage].pop_front();
                if self.is_over(group, stage, ticket, effects) {
                    self.wait_position(group, ticket.0, stage + 1);
                }
            }
        }
        let fronts = self.deadlines.iter().filter_map(VecDeque::front);
        self.nearest = fronts.map(|(last, _)| *last).min();
    }

    /// The position at which some window may be over, where there is one.
    pub(crate) fn next_deadline(&self) -> Option<u64> {
        self.nearest
    }

    /// Waits for the end of one of the lengths, in messages.
    pub(crate) fn wait_position(&mut self, group: &Group, place: u32, stage: usize) {
        let Some(Window::Messages(count)) = group.lengths.get(stage).map(|it| it.window) else {
            return;
        };
        let window = &self.windows[place as usize];
        let last = window.ripened.saturating_add(count);
        self.deadlines
            .resize_with(group.lengths.len(), VecDeque::new);
        self.deadlines[stage].push_back((last, (place, window.generation)));
        self.nearest = Some(self.nearest.map_or(last, |nearest| nearest.min(last)));
    }

    /// Waits for the end of one of the lengths, in time.
    pub(crate) fn wait_time(&mut self, group: &Group, place: u32, stage: usize) {
        let length = group.lengths.get(stage).map(|it| it.window);
        let window = &self.windows[place as usize];
        let (Some(Window::Milliseconds(length)), Some(begun)) = (length, &window.begun) else {
            return;
        };
        let ticket = (place, window.generation);
        let end = begun.plus(&milliseconds(length));
        let end = (end, window.position, stage, ticket);
        self.times.push(Reverse(end));
    }

    /// One of the lengths of a window is over; whether it goes on to the next.
    fn is_over(
        &mut self,
        group: &Group,
        stage: usize,
        (place, generation): Ticket,
        effects: &mut Effects,
    ) -> bool {
        let members = &group.lengths[stage].members;
        self.decide(
            group,
            (place, generation),
            Some(members),
            End::Unmet,
            effects,
        );
        let window = &self.windows[place as usize];
        window.is_live && window.generation == generation
    }

    /// Decides a window for some members, or for all that are left.
    pub(crate) fn decide(
        &mut self,
        group: &Group,
        (place, generation): Ticket,
        members: Option<&Members>,
        end: End,
        effects: &mut Effects,
    ) {
        let window = &mut self.windows[place as usize];
        if !window.is_live || window.generation != generation {
            return;
        }
        // An incomplete context is not a window.
        if window.matched == group.context.len() {
            let mut undecided = std::mem::take(&mut window.undecided);
            let session = window.session.as_ref().filter(|_| group.per_session);
            let key = window.key.as_ref().or(session);
            undecided.take(members, |number| {
                self.open[number] -= 1;
                let member = group.members[number];
                let is_redacted = window.redacted_context.contains(number)
                    || end != End::Met && window.redacted_answer.contains(number);
                let end = if is_redacted { End::Cut } else { end };
                effects.decided.push(Decided {
                    property: member.property,
                    opened: window.opened.clone(),
                    position: window.position,
                    context: window.context.clone(),
                    key: key.cloned(),
                    session: group.per_session.then(|| window.session.clone()),
                    outcome: member.outcome(end),
                    is_redacted,
                });
            });
            window.undecided = undecided;
            if !window.undecided.is_empty() {
                return;
            }
        }
        self.drop_window(place);
    }

    pub(crate) fn drop_window(&mut self, place: u32) {
        let window = &mut self.windows[place as usize];
        if !window.is_live {
            return;
        }
        window.is_live = false;
        window.generation = window.generation.wrapping_add(1);
        window.context.begin(None);
        self.live -= 1;
        let open = &mut self.open;
        window.undecided.take(None, |number| open[number] -= 1);
        let standing = std::mem::take(&mut window.standing);
        match standing {
            Standing::Young => {}
            Standing::Mature => {
                if let Some(position) = self.mature.iter().position(|known| *known == place) {
                    self.mature.remove(position);
                }
            }
            Standing::Keyless => self.keyless.retain(|&known| known != place),
            Standing::Keyed(key, next) => self.unlink(key, place, next),
        }
        self.free.push(place);
    }

    pub(crate) fn stand(&mut self, place: u32, standing: Standing) {
        match standing {
            Standing::Young => self.young.push(place),
            Standing::Mature => self.mature.push_back(place),
            Standing::Keyless => self.keyless.push(place),
            Standing::Keyed(key, _) => return self.index(key, place),
        }
        self.windows[place as usize].standing = standing;
    }

    pub(crate) fn index(&mut self, key: u64, place: u32) {
        let next = self.by_key.insert(key, place);
        self.windows[place as usize].standing = Standing::Keyed(key, next);
    }

    /// Takes a window out of the list of its key.
    fn unlink(&mut self, key: u64, place: u32, next: Option<u32>) {
        let Some(&first) = self.by_key.get(&key) else {
            return;
        };
        if first == place {
            match next {
                Some(next) => self.by_key.insert(key, next),
                None => self.by_key.remove(&key),
            };
            return;
        }
        let mut before = Some(first);
        while let Some(at) = before {
            let Standing::Keyed(_, after) = &mut self.windows[at as usize].standing else {
                return;
            };
            if *after == Some(place) {
                *after = next;
                return;
            }
            before = *after;
        }
    }

    /// A free place.
    pub(crate) fn place(&mut self) -> u32 {
        match self.free.pop() {
            Some(place) => place,
            None => {
                self.windows.push(Open::default());
                (self.windows.len() - 1) as u32
            }
        }
    }

    /// Forgets tickets of windows that are gone, once they outnumber the others.
    pub(crate) fn tidy(&mut self) {
        let windows = &self.windows;
        let is_live = |ticket: &Ticket| {
            let window = &windows[ticket.0 as usize];
            window.is_live && window.generation == ticket.1
        };
        let most = 2 * self.live + 64;
        for deadlines in &mut self.deadlines {
            if deadlines.len() > most {
                deadlines.retain(|(_, ticket)| is_live(ticket));
            }
        }
        if self.times.len() > most {
            self.times.retain(|Reverse((.., ticket))| is_live(ticket));
        }
    }

    /// Gives up the oldest windows of members that have too many.
    pub(crate) fn give_up(&mut self, group: &Group, most_windows: usize, effects: &mut Effects) {
        for number in 0..group.members.len() {
            if self.open[number] <= most_windows {
                continue;
            }
            let mut member = Members::default();
            member.insert(number);
            // Several at once, so that looking for the oldest does not cost every message.
            let surplus = (most_windows / 8).max(1);
            let oldest = self.by_age(Some(&member)).into_iter().take(surplus);
            for (_, ticket) in oldest {
                let is_complete = self.windows[ticket.0 as usize].matched == group.context.len();
                if is_complete {
                    self.decide(group, ticket, Some(&member), End::Cut, effects)
                } else {
                    self.leave_young(ticket.0, &member)
                }
            }
        }
    }

    /// Gives up a window whose context is not complete, for some members.
    fn leave_young(&mut self, place: u32, members: &Members) {
        let (window, open) = (&mut self.windows[place as usize], &mut self.open);
        window
            .undecided
            .take(Some(members), |number| open[number] -= 1);
        if window.undecided.is_empty() {
            self.young.retain(|known| *known != place);
            self.drop_window(place);
        }
    }

    /// The windows that are open for some of the members, or for any, the oldest first.
    fn by_age(&self, members: Option<&Members>) -> Vec<(u64, Ticket)> {
        let is_asked = |window: &Open| {
            window.is_live && members.is_none_or(|members| window.undecided.meets(members))
        };
        let mut open: Vec<(u64, Ticket)> = (0u32..)
            .zip(&self.windows)
            .filter(|(_, window)| is_asked(window))
            .map(|(place, window)| (window.position, (place, window.generation)))
            .collect();
        open.sort_unstable();
        open
    }

    /// The open windows, in the order of opening.
    pub(crate) fn open_windows(&self) -> impl Iterator<Item = &Open> {
        let open = self.by_age(None).into_iter();
        open.map(|(_, (place, _))| &self.windows[place as usize])
    }

    /// The log has ended.
    pub(crate) fn finish(&mut self, group: &Group, end: End, effects: &mut Effects) {
        for (_, ticket) in self.by_age(None) {
            self.decide(group, ticket, None, end, effects);
        }
        self.young.clear();
    }

    /// Puts a window back that was saved; those that were opened earlier must have been put back before.
    pub(crate) fn restore(&mut self, group: &Group, open: Open) {
        let place = self.place();
        let ticket = (place, self.windows[place as usize].generation);
        let is_complete = open.matched >= group.context.len();
        let standing = match (group.per_session, is_complete, &open.session, &open.key) {
            (true, _, Some(key), _) | (false, true, _, Some(key)) => {
                Standing::Keyed(hash(key), None)
            }
            (true, _, None, _) => Standing::Keyless,
            (false, false, _, _) => Standing::Young,
            (false, true, _, None) => Standing::Mature,
        };
        for key in open.key.iter().chain(&open.session) {
            self.captures.add(key);
        }
        self.live += 1;
        self.open.resize(group.members.len(), 0);
        for member in open.undecided.iter() {
            self.open[member] += 1;
        }
        self.windows[place as usize] = Open {
            is_live: true,
            generation: ticket.1,
            ..open
        };
        self.stand(place, standing);
        if is_complete {
            self.wait(group, place);
        }
    }

    /// The context of a window is complete: it waits for its ends.
    pub(crate) fn wait(&mut self, group: &Group, place: u32) {
        if group.needs_time() {
            self.wait_time(group, place, 0);
        } else if !group.per_session {
            self.wait_position(group, place, 0);
        }
    }
}

pub(crate) fn hash(key: &str) -> u64 {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    hasher.finish()
}
