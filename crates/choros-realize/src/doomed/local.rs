//! What one role does, as far as that is known without data.
//!
//! The subset construction of the natural projection, twice: with the steps that are possible whatever the data, and
//! with all of them.
//! What the projection can do for some data is among the second, and what is among the first it can do for all.

use super::outline::{Certainty, Messages, Nodes, Outline, each};
use rustc_hash::FxHashMap;

/// A role with more states is not examined.
const MAX_STATES: usize = 100;

/// What one role does.
pub(super) struct Local {
    pub(super) initial: usize,
    pub(super) states: Vec<State>,
}

/// Where it stands.
pub(super) struct State {
    pub(super) moves: Vec<Move>,
    pub(super) ends: Certainty,
}

/// What it may do there.
pub(super) struct Move {
    pub(super) message: usize,
    pub(super) sends: bool,
    pub(super) certainly: bool,
    pub(super) target: usize,
}

/// Nodes at which it stands whatever the data, and all at which it may.
type Places = (Nodes, Nodes);

impl Local {
    /// `stays` says that it may end where it listens; `None` if it has too many states.
    pub(super) fn of(
        model: &Outline,
        role: usize,
        stays: bool,
        messages: &Messages,
    ) -> Option<Local> {
        let view = View {
            model,
            role,
            messages,
        };
        let first = view.close((1 << model.initial, 1 << model.initial));
        let mut places = vec![first];
        let mut numbers: FxHashMap<Places, usize> = FxHashMap::from_iter([(first, 0)]);
        let mut states = Vec::new();
        while let Some(&now) = places.get(states.len()) {
            let mut moves = Vec::new();
            for (message, sends) in view.events(now) {
                let target = view.after(now, message);
                let number = *numbers.entry(target).or_insert_with(|| {
                    places.push(target);
                    places.len() - 1
                });
                moves.push(Move {
                    message,
                    sends,
                    certainly: target.0 != 0,
                    target: number,
                });
            }
            let ends = view.ends(now, &moves, stays);
            states.push(State { moves, ends });
            if states.len() > MAX_STATES {
                return None;
            }
        }
        Some(Local { initial: 0, states })
    }
}

struct View<'a> {
    model: &'a Outline,
    role: usize,
    messages: &'a Messages,
}

impl View<'_> {
    fn takes_part(&self, message: usize) -> bool {
        let ends = self.messages.all[message];
        ends.from == self.role || ends.to == self.role
    }

    /// With all that the others may do meanwhile.
    fn close(&self, (certain, all): Places) -> Places {
        let grow = |start: Nodes, certainly: bool| {
            let mut reached = start;
            let mut work: Vec<usize> = each(start).collect();
            while let Some(node) = work.pop() {
                for step in &self.model.steps[node] {
                    let new = 1 << step.target;
                    if (step.certainly || !certainly)
                        && !self.takes_part(step.message)
                        && reached & new == 0
                    {
                        reached |= new;
                        work.push(step.target);
                    }
                }
            }
            reached
        };
        (grow(certain, true), grow(all, false))
    }

    /// What it may do: messages, and whether it sends them.
    fn events(&self, now: Places) -> Vec<(usize, bool)> {
        let mut found = Vec::new();
        for step in each(now.1).flat_map(|node| &self.model.steps[node]) {
            let event = (
                step.message,
                self.messages.all[step.message].from == self.role,
            );
            if self.takes_part(step.message) && !found.contains(&event) {
                found.push(event);
            }
        }
        found
    }

    /// Where it is after a message.
    ///
    /// Steps that treat data differently stay apart in a projection, so what is certain follows the first kind only.
    fn after(&self, now: Places, message: usize) -> Places {
        let steps = |nodes: Nodes| {
            let steps = each(nodes).flat_map(|node| &self.model.steps[node]);
            steps.filter(move |step| step.message == message)
        };
        let shape = steps(now.0).find(|step| step.certainly).map(|it| it.shape);
        let alike = steps(now.0).filter(|step| step.certainly && Some(step.shape) == shape);
        let certain = alike.fold(0, |all, step| all | 1 << step.target);
        let all = steps(now.1).fold(0, |all, step| all | 1 << step.target);
        self.close((certain, all))
    }

    /// Whether it may stay forever.
    fn ends(&self, now: Places, moves: &[Move], stays: bool) -> Certainty {
        let best = |nodes: Nodes| each(nodes).map(|node| self.model.ends[node]).max();
        let may = match (best(now.0), best(now.1)) {
            (Some(Certainty::Always), _) => Certainty::Always,
            (_, None | Some(Certainty::Never)) => Certainty::Never,
            _ => Certainty::Perhaps,
        };
        let listens = moves.iter().filter(|it| !it.sends).map(|it| it.certainly);
        match listens.max() {
            Some(true) if !stays => Certainty::Never,
            Some(false) if !stays => may.min(Certainty::Perhaps),
            _ => may,
        }
    }
}
