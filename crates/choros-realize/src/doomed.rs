//! Candidates for a repair that cannot work, found without data and without a solver.
//!
//! A repair is looked for among a thousand messages and pairs, and nearly all of them fail in a way that a few steps
//! show.
//! Here guards are only *certainly true* or not, and data are left out ([`Outline`]); each role has what it can do for
//! certain, and what it can do perhaps ([`Local`]).
//!
//! A run of certain steps is one of the projections, put together, for some data, or for all of them.
//! Let it show the messages `w`, and let `S` be all nodes that the choreography may be at after `w`, whatever the data.
//! Where the projections conform, what they have come to is related to one of `S`.
//! So they do not conform if
//!
//! - they certainly can do something visible next, or end, and no node of `S` can;
//! - or each node of `S` certainly can do something, or end, that they cannot do even perhaps, after silent steps;
//! - or, in the mode `disjoint`, two messages are in flight.
//!
//! Nothing is ever concluded from what is not found: the candidate is tried then.

#[cfg(test)]
mod laws;
mod local;
mod outline;

use std::collections::VecDeque;

use choros_data::Terms;
use choros_model::stg::Stg;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::question::Question;
use crate::{Closing, Mode};

use local::{Local, Move};
use outline::{Certainty, Messages, Nodes, Outline, each};

/// More situations than this are not examined.
const MAX_SITUATIONS: usize = 300;

/// More than this are not examined after one of them, for what may come after silence.
const MAX_SILENT: usize = 100;

/// Runs that need more room in a queue are not followed.
const MAX_WAITING: usize = 3;

/// What a choreography asks of everything that is to behave like it.
pub(crate) struct Doom<'a> {
    choreography: Outline,
    messages: Messages,
    asked: &'a Question,
}

impl<'a> Doom<'a> {
    /// `None` where this knows too little of the choreography to refute anything.
    pub(crate) fn of(choreography: &Stg, asked: &'a Question, terms: &Terms) -> Option<Doom<'a>> {
        let mut messages = Messages::default();
        let choreography = Outline::of(choreography, &mut messages, terms)?;
        messages.show_all();
        Some(Doom {
            choreography,
            messages,
            asked,
        })
    }

    /// Whether the projections of `model` certainly do not do what the choreography says.
    pub(crate) fn is_sealed(&self, model: &Stg, terms: &Terms) -> bool {
        let mut messages = self.messages.clone();
        let Some(model) = Outline::of(model, &mut messages, terms) else {
            return false;
        };
        let services = match &self.asked.closing {
            Closing::Together => None,
            Closing::Alone { services } => Some(services.as_slice()),
        };
        let mut locals = Vec::new();
        for role in 0..messages.roles.len() {
            let stays = services.is_none_or(|it| it.contains(&messages.roles[role]));
            match Local::of(&model, role, stays, &messages) {
                Some(local) => locals.push(local),
                None => return false,
            }
        }
        let search = Search {
            choreography: &self.choreography,
            mode: self.asked.mode,
            messages: &messages,
            locals,
            offers: FxHashMap::default(),
        };
        search.run()
    }
}

/// Where each role stands, and what waits in each channel.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Situation {
    places: Vec<usize>,
    queues: Vec<Vec<usize>>,
}

struct Next {
    /// The message, where it shows.
    shows: Option<usize>,
    certainly: bool,
    to: Situation,
}

struct Search<'a> {
    choreography: &'a Outline,
    mode: Mode,
    messages: &'a Messages,
    locals: Vec<Local>,
    /// What may show next after silence, with the end as the last bit; `None` where that is not known.
    offers: FxHashMap<Situation, Option<u128>>,
}

const END: u128 = 1 << 127;

impl Search<'_> {
    fn run(mut self) -> bool {
        let start = Situation {
            places: self.locals.iter().map(|local| local.initial).collect(),
            queues: vec![Vec::new(); self.messages.channels.len()],
        };
        let first = (start, 1 << self.choreography.initial);
        let mut seen: FxHashSet<(Situation, Nodes)> = FxHashSet::from_iter([first.clone()]);
        let mut work = VecDeque::from([first]);
        while let Some((situation, nodes)) = work.pop_front() {
            if self.is_wrong(&situation, nodes) {
                return true;
            }
            let (steps, _) = self.steps(&situation);
            for step in steps.into_iter().filter(|step| step.certainly) {
                let after = match step.shows {
                    None => nodes,
                    Some(message) => self.choreography.after(nodes, message),
                };
                if after == 0 {
                    return true;
                }
                let next = (step.to, after);
                if seen.len() < MAX_SITUATIONS && seen.insert(next.clone()) {
                    work.push_back(next);
                }
            }
        }
        false
    }

    /// Whether what the roles have come to is like none of the nodes.
    fn is_wrong(&mut self, situation: &Situation, nodes: Nodes) -> bool {
        let waiting: usize = situation.queues.iter().map(Vec::len).sum();
        if self.mode == Mode::Disjoint && waiting > 1 {
            return true;
        }
        let ends = self.end(situation);
        let none_ends = each(nodes).all(|node| self.choreography.ends[node] == Certainty::Never);
        if ends == Certainty::Always && none_ends {
            return true;
        }
        let choreography = self.choreography;
        let asked = |node: usize| choreography.challenges(node, END);
        // What nothing is asked of needs no answer.
        if each(nodes).any(|node| asked(node) == 0) {
            return false;
        }
        match self.offered(situation) {
            Some(offered) => each(nodes).all(|node| asked(node) & !offered != 0),
            None => false,
        }
    }

    /// What may show next after silence.
    fn offered(&mut self, situation: &Situation) -> Option<u128> {
        if let Some(&known) = self.offers.get(situation) {
            return known;
        }
        let mut offered = Some(0);
        let mut seen: FxHashSet<Situation> = FxHashSet::from_iter([situation.clone()]);
        let mut work = vec![situation.clone()];
        while let Some(now) = work.pop()
            && let Some(mask) = &mut offered
        {
            let (steps, is_full) = self.steps(&now);
            if is_full || seen.len() > MAX_SILENT {
                offered = None;
                break;
            }
            if self.end(&now) != Certainty::Never {
                *mask |= END;
            }
            for step in steps {
                match step.shows {
                    Some(message) => *mask |= 1 << message,
                    None => {
                        if seen.insert(step.to.clone()) {
                            work.push(step.to);
                        }
                    }
                }
            }
        }
        self.offers.insert(situation.clone(), offered);
        offered
    }

    /// Whether everything has ended.
    fn end(&self, situation: &Situation) -> Certainty {
        if situation.queues.iter().any(|queue| !queue.is_empty()) {
            return Certainty::Never;
        }
        let places = situation.places.iter().zip(&self.locals);
        places
            .map(|(&place, local)| local.states[place].ends)
            .min()
            .unwrap_or(Certainty::Always)
    }

    /// What may happen next, and whether something else might if a queue had more room.
    fn steps(&self, now: &Situation) -> (Vec<Next>, bool) {
        let mut found = Vec::new();
        let mut is_full = false;
        for (role, local) in self.locals.iter().enumerate() {
            for step in &local.states[now.places[role]].moves {
                let message = self.messages.all[step.message];
                match (self.mode == Mode::Synchronous, step.sends) {
                    (true, true) => found.extend(self.meeting(now, role, step, message.to)),
                    (true, false) => {}
                    (false, true) => {
                        if now.queues[message.channel].len() >= MAX_WAITING {
                            is_full = true;
                            continue;
                        }
                        let mut to = now.clone();
                        to.places[role] = step.target;
                        to.queues[message.channel].push(step.message);
                        found.push(Next {
                            shows: self.shown(step.message, self.mode != Mode::Receiver),
                            certainly: step.certainly,
                            to,
                        });
                    }
                    (false, false) => {
                        if now.queues[message.channel].first() != Some(&step.message) {
                            continue;
                        }
                        let mut to = now.clone();
                        to.places[role] = step.target;
                        to.queues[message.channel].remove(0);
                        found.push(Next {
                            shows: self.shown(step.message, self.mode == Mode::Receiver),
                            certainly: step.certainly,
                            to,
                        });
                    }
                }
            }
        }
        (found, is_full)
    }

    fn meeting(&self, now: &Situation, role: usize, sent: &Move, to: usize) -> Option<Next> {
        let mut taken = self.locals[to].states[now.places[to]].moves.iter();
        let taken = taken.find(|it| !it.sends && it.message == sent.message)?;
        let mut after = now.clone();
        after.places[role] = sent.target;
        after.places[to] = taken.target;
        Some(Next {
            shows: self.shown(sent.message, true),
            certainly: sent.certainly && taken.certainly,
            to: after,
        })
    }

    fn shown(&self, message: usize, shows: bool) -> Option<usize> {
        (shows && message < self.messages.visible).then_some(message)
    }
}
