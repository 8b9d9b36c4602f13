//! One communicating finite-state machine.
//!
//! `M = (Q, q₀, →)` with `→ ⊆ Q × L_act × Q` (Brand and Zafiropulo 1983; Coto's thesis, section 2.1.3).
//! A machine here is *local*: the subject of all its actions is its participant, so an action names the partner only.
//! There are no accepting states: a state that nothing leaves is *final* by that alone.

use choros_base::{Name, Names, Span};

/// A state of one machine: `0..machine.state_count()`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalState(pub u32);

choros_base::indices!(LocalState);

/// Whether a machine sends or receives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Polarity {
    /// `AB!m`, seen from A.
    Output,
    /// `AB?m`, seen from B.
    Input,
}

/// An action of a machine; its subject is the machine's participant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LocalAction {
    /// Sending or receiving.
    pub polarity: Polarity,
    /// The receiver of an output, the sender of an input.
    pub partner: Name,
    pub message: Name,
}

/// What leaves a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Transition {
    /// What is done.
    pub action: LocalAction,
    /// Where it leads.
    pub target: LocalState,
    /// Where it is written.
    pub origin: Option<Span>,
}

/// A communicating finite-state machine of one participant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cfsm {
    participant: Name,
    initial: LocalState,
    outgoing: Vec<Vec<Transition>>,
    /// What people call the states, where that is not their number.
    labels: Vec<Option<Name>>,
}

impl LocalAction {
    pub fn output(to: Name, message: Name) -> Self {
        Self {
            polarity: Polarity::Output,
            partner: to,
            message,
        }
    }

    pub fn input(from: Name, message: Name) -> Self {
        Self {
            polarity: Polarity::Input,
            partner: from,
            message,
        }
    }

    /// Whether it sends.
    pub fn is_output(self) -> bool {
        self.polarity == Polarity::Output
    }

    /// Sender and receiver, when `subject` does it.
    pub fn sender_and_receiver(self, subject: Name) -> (Name, Name) {
        match self.polarity {
            Polarity::Output => (subject, self.partner),
            Polarity::Input => (self.partner, subject),
        }
    }

    /// The action as the papers write it, `AB!m`; with a dot between names of more than one letter, `Client·Server!m`.
    pub fn text(self, subject: Name, names: &Names) -> String {
        let (from, to) = self.sender_and_receiver(subject);
        let (from, to) = (names.text(from), names.text(to));
        let dot = if from.chars().count() == 1 && to.chars().count() == 1 {
            ""
        } else {
            "·"
        };
        let mark = match self.polarity {
            Polarity::Output => '!',
            Polarity::Input => '?',
        };
        format!("{from}{dot}{to}{mark}{}", names.text(self.message))
    }
}

impl Cfsm {
    /// A machine with one state, the initial one, and nothing to do.
    pub fn new(participant: Name) -> Self {
        Self {
            participant,
            initial: LocalState(0),
            outgoing: vec![Vec::new()],
            labels: vec![None],
        }
    }

    pub fn add_state(&mut self) -> LocalState {
        let state = LocalState(self.outgoing.len() as u32);
        self.outgoing.push(Vec::new());
        self.labels.push(None);
        state
    }

    /// Adds states until there are so many.
    pub fn ensure_states(&mut self, states: usize) {
        while self.outgoing.len() < states {
            self.add_state();
        }
    }

    /// Adds a transition, unless it is there already.
    pub fn add(
        &mut self,
        source: LocalState,
        action: LocalAction,
        target: LocalState,
        origin: Option<Span>,
    ) {
        let own = &mut self.outgoing[source.index()];
        if !own
            .iter()
            .any(|known| known.action == action && known.target == target)
        {
            own.push(Transition {
                action,
                target,
                origin,
            });
        }
    }

    /// Replaces everything that leaves a state.
    pub fn set_outgoing(&mut self, state: LocalState, transitions: Vec<Transition>) {
        self.outgoing[state.index()] = transitions;
    }

    /// Lets runs start elsewhere.
    pub fn set_initial(&mut self, state: LocalState) {
        self.initial = state;
    }

    /// Gives a state a name for people.
    pub fn set_label(&mut self, state: LocalState, label: Name) {
        self.labels[state.index()] = Some(label);
    }

    /// Whose machine it is.
    pub fn participant(&self) -> Name {
        self.participant
    }

    /// Where runs start.
    pub fn initial(&self) -> LocalState {
        self.initial
    }

    /// How many states there are.
    pub fn state_count(&self) -> usize {
        self.outgoing.len()
    }

    /// How many transitions there are.
    pub fn transition_count(&self) -> usize {
        self.outgoing.iter().map(Vec::len).sum()
    }

    pub fn states(&self) -> impl Iterator<Item = LocalState> + use<> {
        (0..self.outgoing.len() as u32).map(LocalState)
    }

    /// What leaves a state, in the order in which it was added.
    pub fn outgoing(&self, state: LocalState) -> &[Transition] {
        &self.outgoing[state.index()]
    }

    /// All transitions with their sources, state by state.
    pub fn transitions(&self) -> impl Iterator<Item = (LocalState, &Transition)> {
        self.states()
            .flat_map(|state| self.outgoing(state).iter().map(move |it| (state, it)))
    }

    /// Whether nothing leaves a state.
    pub fn is_final(&self, state: LocalState) -> bool {
        self.outgoing(state).is_empty()
    }

    /// The name of a state that has one.
    pub fn label(&self, state: LocalState) -> Option<Name> {
        self.labels[state.index()]
    }

    /// What people call a state: its name, or its number.
    pub fn state_text(&self, state: LocalState, names: &Names) -> String {
        match self.label(state) {
            Some(label) => names.text(label).to_owned(),
            None => state.0.to_string(),
        }
    }

    /// The state that people call so.
    pub fn state_called(&self, text: &str, names: &Names) -> Option<LocalState> {
        self.states()
            .find(|&state| self.state_text(state, names) == text)
    }

    /// All participants it talks to, in the order of first mention.
    pub fn partners(&self) -> Vec<Name> {
        let mut partners = Vec::new();
        for (_, transition) in self.transitions() {
            if !partners.contains(&transition.action.partner) {
                partners.push(transition.action.partner);
            }
        }
        partners
    }

    /// Whether the states that a state leads to are decided by the action.
    pub fn is_deterministic(&self) -> bool {
        self.states().all(|state| {
            let own = self.outgoing(state);
            own.iter()
                .enumerate()
                .all(|(at, one)| own[..at].iter().all(|other| other.action != one.action))
        })
    }

    /// Whether a state both sends and receives.
    pub fn is_mixed(&self, state: LocalState) -> bool {
        let own = self.outgoing(state);
        own.iter().any(|one| one.action.is_output())
            && own.iter().any(|one| !one.action.is_output())
    }

    /// Whether every state either only sends to one partner or only receives from one.
    ///
    /// Lange and Yoshida call such machines *directed*.
    pub fn is_directed(&self) -> bool {
        self.states().all(|state| {
            let mut own = self.outgoing(state).iter().map(|one| one.action);
            match own.next() {
                None => true,
                Some(first) => own.all(|other| {
                    other.polarity == first.polarity && other.partner == first.partner
                }),
            }
        })
    }
}
