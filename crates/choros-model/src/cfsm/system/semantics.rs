//! The behaviour of machines that talk, unfolded step by step.
//!
//! A configuration is `⟨q⃗ ; b⃗⟩`: a local state for each machine and a content for each channel (Coto's thesis,
//! section 2.1.3).
//! `AB!m` appends `m` to `b_AB`; `AB?m` takes it from the head (queues) or from anywhere (multisets).
//! A send into a full channel is *refused*: it waits until there is room.
//! That makes the bound part of the semantics, and [`System::refused`] tells where it has shown.

use choros_base::{Name, Names};
use choros_data::Terms;
use rustc_hash::FxHashMap;

use super::configurations::Configurations;
use super::contents::{Contents, EMPTY, Letter};
use super::{Channels, Discipline};
use crate::Bound;
use crate::cfsm::{Cfsm, LocalState, Polarity};
use crate::evidence::Configuration;
use crate::lts::{Action, ActionId, Cut, Extent, Lts, NoSuccessors, StateId};
use crate::stg::Direction;

/// A machine of a system, by its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MachineId(pub u32);

choros_base::indices!(MachineId);

/// A step of a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// Whose step it is; the sender's where sender and receiver act together.
    pub machine: MachineId,
    /// Its label.
    pub action: ActionId,
    /// The channel it is about.
    pub channel: usize,
    /// Whether it sends; where sender and receiver act together, it does.
    pub sends: bool,
    /// Where it leads.
    pub target: StateId,
}

/// What a machine would do in its local state, whether it can or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// Whether it would send.
    pub sends: bool,
    /// Over which channel.
    pub channel: usize,
    /// What.
    pub message: Name,
}

/// What the search for steps of a configuration sees on its way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sight {
    /// A machine would send but finds its channel full: [`System::is_send_blocked`].
    pub(super) refused: bool,
    /// A machine waits for what can never come: [`System::unspecified_reception`].
    pub(super) unspecified: bool,
}

/// A step whose target has no number yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change {
    machine: MachineId,
    action: ActionId,
    channel: u32,
    sends: bool,
    /// The two fields of the configuration that change.
    pub(super) fields: [(usize, u32); 2],
}

/// A step that leads to a content of a channel that has not occurred.
#[derive(Debug, Clone, Copy)]
pub(super) struct NewContent {
    content: u32,
    step: LocalStep,
}

/// Machines, the channels between them, and the configurations that have been reached.
#[derive(Debug, Clone)]
pub struct System<'m> {
    terms: &'m Terms,
    machines: Vec<&'m Cfsm>,
    discipline: Discipline,
    pub(super) channels: Vec<Channel>,
    /// For each machine and local state, what leaves it.
    steps: Vec<Vec<Vec<LocalStep>>>,
    actions: Vec<Action>,
    pub(super) configurations: Configurations,
    /// Kept for its memory.
    changes: Vec<Change>,
}

/// A channel between two participants, one of which may have no machine.
#[derive(Debug, Clone)]
pub(super) struct Channel {
    pub(super) from: Name,
    pub(super) to: Name,
    /// The machine that reads it.
    pub(super) reader: Option<MachineId>,
    pub(super) letters: Vec<Name>,
    pub(super) contents: Contents,
}

/// A transition of a machine with everything looked up.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalStep {
    pub(super) polarity: Polarity,
    pub(super) channel: u32,
    pub(super) letter: Letter,
    pub(super) target: LocalState,
    action: ActionId,
}

impl<'m> System<'m> {
    /// The machines with empty channels, each in its initial state.
    ///
    /// `terms` is the store in which their names live.
    pub fn new(
        machines: impl IntoIterator<Item = &'m Cfsm>,
        discipline: Discipline,
        terms: &'m Terms,
    ) -> Self {
        let machines: Vec<&Cfsm> = machines.into_iter().collect();
        let mut tables = Tables::default();
        let participants: FxHashMap<Name, MachineId> = machines
            .iter()
            .enumerate()
            .map(|(at, machine)| (machine.participant(), MachineId(at as u32)))
            .collect();
        let direction = |polarity| match (discipline.channels, polarity) {
            (Channels::Synchronous, _) => Direction::Interaction,
            (_, Polarity::Output) => Direction::Send,
            (_, Polarity::Input) => Direction::Receive,
        };
        let steps = machines
            .iter()
            .map(|machine| {
                let own = |state| {
                    machine
                        .outgoing(state)
                        .iter()
                        .map(|one| {
                            let (from, to) = one.action.sender_and_receiver(machine.participant());
                            let channel = tables.channel(from, to);
                            LocalStep {
                                polarity: one.action.polarity,
                                channel,
                                letter: tables.letter(channel, one.action.message),
                                target: one.target,
                                action: tables.action(Action::Named {
                                    name: one.action.message,
                                    ends: Some((from, to)),
                                    direction: direction(one.action.polarity),
                                    arguments: Vec::new(),
                                }),
                            }
                        })
                        .collect()
                };
                machine.states().map(own).collect()
            })
            .collect();
        let buffers = match discipline.channels {
            Channels::Synchronous => 0,
            Channels::Fifo | Channels::Bag => tables.channels.len(),
        };
        let most = machines
            .iter()
            .map(|machine| machine.state_count() as u32 - 1)
            .chain(std::iter::repeat_n(1, buffers));
        let configurations = Configurations::new(most);
        let channels = tables
            .channels
            .into_iter()
            .map(|(from, to, letters)| Channel {
                from,
                to,
                reader: participants.get(&to).copied(),
                contents: Contents::new(discipline.channels, letters.len()),
                letters,
            })
            .collect();
        Self {
            terms,
            machines,
            discipline,
            channels,
            steps,
            actions: tables.actions,
            configurations,
            changes: Vec::new(),
        }
    }

    /// The machines, in the order in which they were given.
    pub fn machines(&self) -> &[&'m Cfsm] {
        &self.machines
    }

    /// How messages travel.
    pub fn discipline(&self) -> Discipline {
        self.discipline
    }

    /// The store of names.
    pub fn names(&self) -> &'m Names {
        &self.terms.names
    }

    /// How many configurations have been seen.
    pub fn seen(&self) -> usize {
        self.configurations.count()
    }

    /// Forgets all configurations, so that the next to be seen has number 0.
    pub fn forget(&mut self) {
        self.configurations.clear();
    }

    /// Bytes of memory that configurations and contents of channels take.
    pub fn bytes(&self) -> usize {
        let contents: usize = self.channels.iter().map(|it| it.contents.bytes()).sum();
        self.configurations.bytes() + contents
    }

    /// The local state of a machine in a configuration.
    pub fn local_state(&self, state: StateId, machine: MachineId) -> LocalState {
        LocalState(self.configurations.field(state.0, machine.index()))
    }

    /// How many channels there are.
    pub fn channel_count(&self) -> usize {
        self.channels.len()
    }

    /// Sender and receiver of a channel.
    pub fn channel_ends(&self, channel: usize) -> (Name, Name) {
        (self.channels[channel].from, self.channels[channel].to)
    }

    /// What waits in a channel, first what has waited longest.
    pub fn waiting(&self, state: StateId, channel: usize) -> Vec<Name> {
        let own = &self.channels[channel];
        let letters = own.contents.word(self.content(state, channel));
        letters.iter().map(|&it| own.letters[it as usize]).collect()
    }

    /// Whether nothing waits in a channel.
    pub fn is_empty(&self, state: StateId, channel: usize) -> bool {
        self.content(state, channel) == EMPTY
    }

    /// The machine that reads a channel.
    pub fn reader(&self, channel: usize) -> Option<MachineId> {
        self.channels[channel].reader
    }

    /// Whether a machine sends to itself or listens to itself.
    pub fn talks_to_itself(&self) -> bool {
        self.channels.iter().any(|it| it.from == it.to)
    }

    /// Whether nothing waits in any channel.
    pub fn is_stable(&self, state: StateId) -> bool {
        (0..self.channels.len()).all(|channel| self.is_empty(state, channel))
    }

    /// Whether a machine would send but finds its channel full.
    pub fn is_send_blocked(&self, state: StateId) -> bool {
        self.discipline.channels != Channels::Synchronous
            && self.machine_ids().any(|machine| {
                self.steps_of(state, machine).iter().any(|step| {
                    step.polarity == Polarity::Output && self.is_full(state, step.channel as usize)
                })
            })
    }

    pub fn machine_ids(&self) -> impl Iterator<Item = MachineId> + use<> {
        (0..self.machines.len() as u32).map(MachineId)
    }

    /// Appends the steps from a configuration: machine by machine, transition by transition.
    pub fn moves(&mut self, state: StateId, into: &mut Vec<Move>) {
        self.look(state, into);
    }

    /// Appends the steps of one machine from a configuration.
    pub fn moves_of(&mut self, state: StateId, machine: MachineId, into: &mut Vec<Move>) {
        self.look_with(state, into, |system, changes| {
            system.glance(state, machine, &mut Sight::default(), changes)
        });
    }

    /// Appends the steps from a configuration in the order of [`System::moves`], and says what stands in the way of
    /// others.
    pub(super) fn look(&mut self, state: StateId, into: &mut Vec<Move>) -> Sight {
        self.look_with(state, into, |system, changes| system.peek(state, changes))
    }

    fn look_with<T>(
        &mut self,
        state: StateId,
        into: &mut Vec<Move>,
        peek: impl Fn(&Self, &mut Vec<Change>) -> Result<T, NewContent>,
    ) -> T {
        let mut changes = std::mem::take(&mut self.changes);
        let seen = loop {
            changes.clear();
            match peek(self, &mut changes) {
                Ok(seen) => break seen,
                Err(new) => self.learn(new),
            }
        };
        for change in &changes {
            let target = self.configurations.intern_changed(state.0, change.fields);
            into.push(Move {
                machine: change.machine,
                action: change.action,
                channel: change.channel as usize,
                sends: change.sends,
                target: StateId(target),
            });
        }
        self.changes = changes;
        seen
    }

    /// Finds out what a step that was not done before makes of a channel.
    fn learn(&mut self, new: NewContent) {
        let contents = &mut self.channels[new.step.channel as usize].contents;
        match new.step.polarity {
            Polarity::Output => contents.learn_added(new.content, new.step.letter),
            Polarity::Input => contents.learn_taken(new.content, new.step.letter),
        }
    }

    /// Appends the steps from a configuration, as far as the contents of channels that they lead to have occurred.
    pub(super) fn peek(&self, state: StateId, into: &mut Vec<Change>) -> Result<Sight, NewContent> {
        let mut sight = Sight::default();
        for machine in self.machine_ids() {
            self.glance(state, machine, &mut sight, into)?;
        }
        Ok(sight)
    }

    /// The same for one machine.
    fn glance(
        &self,
        state: StateId,
        machine: MachineId,
        sight: &mut Sight,
        into: &mut Vec<Change>,
    ) -> Result<(), NewContent> {
        let steps = self.steps_of(state, machine);
        if self.discipline.channels == Channels::Synchronous {
            for &step in steps {
                self.meet(state, machine, step, into);
            }
            return Ok(());
        }
        // Over multisets later messages may overtake.
        let mut stuck = !steps.is_empty() && self.discipline.channels == Channels::Fifo;
        for &step in steps {
            let buffer = self.machines.len() + step.channel as usize;
            let content = self.configurations.field(state.0, buffer);
            let contents = &self.channels[step.channel as usize].contents;
            let after = match step.polarity {
                Polarity::Output if contents.length(content) >= self.discipline.bound => Some(None),
                Polarity::Output => contents.added(content, step.letter).map(Some),
                Polarity::Input => contents.taken(content, step.letter),
            };
            let after = after.ok_or(NewContent { content, step })?;
            match step.polarity {
                Polarity::Output => {
                    stuck = false;
                    sight.refused |= after.is_none();
                }
                Polarity::Input => stuck &= after.is_none() && content != EMPTY,
            }
            into.extend(after.map(|after| Change {
                machine,
                action: step.action,
                channel: step.channel,
                sends: step.polarity == Polarity::Output,
                fields: [(machine.index(), step.target.0), (buffer, after)],
            }));
        }
        sight.unspecified |= stuck;
        Ok(())
    }

    /// A step of a sender and its receiver together.
    fn meet(&self, state: StateId, machine: MachineId, step: LocalStep, into: &mut Vec<Change>) {
        let channel = step.channel as usize;
        let (Polarity::Output, Some(reader)) = (step.polarity, self.channels[channel].reader)
        else {
            return;
        };
        // A machine is in one state at a time, so it cannot act together with itself.
        if reader == machine {
            return;
        }
        for answer in self.steps_of(state, reader) {
            if answer.polarity == Polarity::Input
                && (answer.channel, answer.letter) == (step.channel, step.letter)
            {
                into.push(Change {
                    machine,
                    action: step.action,
                    channel: step.channel,
                    sends: true,
                    fields: [
                        (machine.index(), step.target.0),
                        (reader.index(), answer.target.0),
                    ],
                });
            }
        }
    }

    /// What a machine would do in a configuration, in the order of its transitions.
    pub fn offers(&self, state: StateId, machine: MachineId) -> impl Iterator<Item = Offer> {
        self.steps_of(state, machine).iter().map(|step| Offer {
            sends: step.polarity == Polarity::Output,
            channel: step.channel as usize,
            message: self.channels[step.channel as usize].letters[step.letter as usize],
        })
    }

    /// What a machine's local state offers.
    pub(super) fn steps_of(&self, state: StateId, machine: MachineId) -> &[LocalStep] {
        let local = self.local_state(state, machine);
        &self.steps[machine.index()][local.index()]
    }

    /// Whether a machine's offer to receive can be taken up.
    pub(super) fn can_receive(&self, state: StateId, step: LocalStep) -> bool {
        let content = self.content(state, step.channel as usize);
        let contents = &self.channels[step.channel as usize].contents;
        contents.position(content, step.letter).is_some()
    }

    /// Whether a channel has no place for another message.
    pub fn is_full(&self, state: StateId, channel: usize) -> bool {
        let content = self.content(state, channel);
        self.channels[channel].contents.length(content) >= self.discipline.bound
    }

    fn content(&self, state: StateId, channel: usize) -> u32 {
        match self.discipline.channels {
            Channels::Synchronous => EMPTY,
            Channels::Fifo | Channels::Bag => self
                .configurations
                .field(state.0, self.machines.len() + channel),
        }
    }
}

impl Lts for System<'_> {
    fn terms(&self) -> &Terms {
        self.terms
    }

    fn initial(&mut self) -> StateId {
        let mut fields: Vec<u32> = self.machines.iter().map(|it| it.initial().0).collect();
        if self.discipline.channels != Channels::Synchronous {
            fields.extend(self.channels.iter().map(|_| EMPTY));
        }
        StateId(self.configurations.intern(&fields))
    }

    fn successors(
        &mut self,
        state: StateId,
        into: &mut Vec<(ActionId, StateId)>,
    ) -> Result<Extent, NoSuccessors> {
        // Numbers of configurations have 32 bits, and a step adds less than a million.
        if self.configurations.count() > (u32::MAX - 1_000_000) as usize {
            return Err(NoSuccessors {
                reason: "there are more than four thousand million configurations".to_owned(),
            });
        }
        let mut moves = Vec::new();
        let sight = self.look(state, &mut moves);
        into.extend(moves.iter().map(|step| (step.action, step.target)));
        Ok(if sight.refused {
            Extent::Cut(Cut {
                reason: format!(
                    "a channel is full: with more than {} places the machines may do more",
                    self.discipline.bound
                ),
                bound: Some(Bound::Places(None)),
            })
        } else {
            Extent::Whole
        })
    }

    fn action(&self, action: ActionId) -> &Action {
        &self.actions[action.index()]
    }

    fn propositions(&mut self, _: StateId, _: &mut Vec<ActionId>) -> Result<(), NoSuccessors> {
        Ok(())
    }

    /// Nothing waits in a channel and no machine waits for something (Definition 3.1, turned around).
    ///
    /// Where sender and receiver act together, a machine that only wants to send waits too.
    fn ended(&self, state: StateId) -> bool {
        self.is_stable(state)
            && !self
                .machine_ids()
                .any(|machine| self.is_waiting(state, machine))
    }

    fn describe(&self, state: StateId) -> String {
        self.describe_configuration(state)
    }

    fn configuration(&self, state: StateId) -> Configuration {
        System::configuration(self, state)
    }
}

/// Channels, letters and labels, numbered in the order of first mention.
#[derive(Default)]
struct Tables {
    channels: Vec<(Name, Name, Vec<Name>)>,
    channel_ids: FxHashMap<(Name, Name), u32>,
    letter_ids: FxHashMap<(u32, Name), Letter>,
    actions: Vec<Action>,
    action_ids: FxHashMap<Action, ActionId>,
}

impl Tables {
    fn channel(&mut self, from: Name, to: Name) -> u32 {
        let next = self.channels.len() as u32;
        let id = *self.channel_ids.entry((from, to)).or_insert(next);
        if id == next {
            self.channels.push((from, to, Vec::new()));
        }
        id
    }

    fn letter(&mut self, channel: u32, message: Name) -> Letter {
        let letters = &mut self.channels[channel as usize].2;
        *self
            .letter_ids
            .entry((channel, message))
            .or_insert_with(|| {
                letters.push(message);
                (letters.len() - 1) as Letter
            })
    }

    fn action(&mut self, action: Action) -> ActionId {
        if let Some(&id) = self.action_ids.get(&action) {
            return id;
        }
        let id = ActionId(self.actions.len() as u32);
        self.actions.push(action.clone());
        self.action_ids.insert(action, id);
        id
    }
}
