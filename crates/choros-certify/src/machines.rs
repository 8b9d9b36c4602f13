//! Whether machines that talk are safe, checked configuration by configuration.
//!
//! A system is **safe** iff in every configuration that can be reached
//!
//! - what may be taken next from a channel (the head of a queue, any message of a multiset) can still be taken;
//! - a machine that has to wait (it offers something, and no sending that it could do by itself) can still act.
//!
//! That it is safe is shown by a set of configurations: the initial one is in it, no step leaves it, no channel in it
//! is too full for a sending, and both conditions hold of each member.
//! That it is not is shown by a run to a configuration and what waits there forever: either that is plain there
//! (no machine reads the channel any more; a machine finds at the head of every queue that it listens to what it does not
//! take), or a set of configurations that no step leaves has no step for it.
//!
//! Steps are computed here and not by `choros_model::cfsm::System`, whose tables the search uses.

use choros_base::Name;
use choros_model::cfsm::{Cfsm, Channels, Discipline, LocalState, Transition};
use choros_model::gchor::Interaction;
use choros_model::pomset::Event;
use rustc_hash::{FxHashMap, FxHashSet};

/// Where all machines are, and what is under way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct JointState {
    /// The state of each machine.
    pub states: Vec<u32>,
    /// What is in each channel: in the order of sending, or sorted by first occurrence in the machines.
    pub contents: Vec<Vec<Name>>,
}

/// What is claimed about machines.
#[derive(Debug, Clone, Copy)]
pub enum MachineClaim<'a> {
    /// They are safe: these are all configurations.
    Safe(&'a [JointState]),
    /// They are not.
    Unsafe {
        /// A run from the beginning.
        run: &'a [JointState],
        /// What waits at its end.
        waits: WaitingForever,
        /// All configurations that come after it, its end among them; none where it is plain at the end.
        after: &'a [JointState],
    },
}

/// What shows that machines are safe, or that they are not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MachineProof {
    /// All configurations.
    Safe(Vec<JointState>),
    /// A run, what waits at its end, and all that comes after it where that is needed.
    Unsafe {
        run: Vec<JointState>,
        waits: WaitingForever,
        /// All configurations after it.
        after: Vec<JointState>,
    },
}

impl MachineProof {
    /// The claim that can be checked.
    pub fn claim(&self) -> MachineClaim<'_> {
        match self {
            MachineProof::Safe(all) => MachineClaim::Safe(all),
            MachineProof::Unsafe { run, waits, after } => MachineClaim::Unsafe {
                run,
                waits: *waits,
                after,
            },
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitingForever {
    /// A machine, by its position.
    Machine(usize),
    /// A message in a channel, by its position.
    Message(usize, Name),
}

/// Machines as their certificates see them.
#[derive(Debug)]
pub struct Machines<'m> {
    machines: &'m [Cfsm],
    discipline: Discipline,
    /// Sender and receiver, in the order of first occurrence.
    channels: Vec<(Name, Name)>,
    /// The position of each message among all, which orders multisets.
    letters: FxHashMap<Name, usize>,
}

/// A step, and what it does.
struct Step {
    actor: usize,
    /// Who receives, where both act together.
    meets: Option<usize>,
    /// The channel and message that is sent without being taken at once.
    sent: Option<(usize, Name)>,
    /// The channel and message that is taken.
    taken: Option<(usize, Name)>,
    to: JointState,
}

impl<'m> Machines<'m> {
    /// Machines and how their messages travel.
    pub fn new(machines: &'m [Cfsm], discipline: Discipline) -> Machines<'m> {
        let mut found = Machines {
            machines,
            discipline,
            channels: Vec::new(),
            letters: FxHashMap::default(),
        };
        for machine in machines {
            for (_, transition) in machine.transitions() {
                let ends = transition.action.sender_and_receiver(machine.participant());
                if !found.channels.contains(&ends) {
                    found.channels.push(ends);
                }
                let count = found.letters.len();
                found
                    .letters
                    .entry(transition.action.message)
                    .or_insert(count);
            }
        }
        found
    }

    /// Sender and receiver of each channel.
    pub fn channels(&self) -> &[(Name, Name)] {
        &self.channels
    }

    /// The contents of a channel in the form in which they are compared.
    pub fn sorted(&self, mut contents: Vec<Name>) -> Vec<Name> {
        if self.discipline.channels == Channels::Bag {
            contents.sort_by_key(|it| self.letters.get(it).copied());
        }
        contents
    }

    /// Nothing if the claim is true, otherwise the first thing that is not as it should be.
    pub fn check(&self, claim: MachineClaim<'_>) -> Result<(), String> {
        match claim {
            MachineClaim::Safe(all) => self.is_safe(all),
            MachineClaim::Unsafe { run, waits, after } => self.is_unsafe(run, waits, after),
        }
    }

    fn is_safe(&self, all: &[JointState]) -> Result<(), String> {
        let closed = self.closed(all)?;
        if !closed.numbers.contains_key(&self.initial()) {
            return Err("the initial configuration is missing".to_owned());
        }
        let mut asked: Vec<WaitingForever> = (0..self.machines.len())
            .map(WaitingForever::Machine)
            .collect();
        let mut known = FxHashSet::default();
        for joint in all {
            for (channel, contents) in joint.contents.iter().enumerate() {
                for &message in self.next(contents) {
                    if known.insert((channel, message)) {
                        asked.push(WaitingForever::Message(channel, message));
                    }
                }
            }
        }
        for waits in asked {
            let ever = closed.leading_to(|step| self.ends(step, waits));
            let lost = (0..all.len()).find(|&it| self.waits_at(&all[it], waits) && !ever[it]);
            if let Some(lost) = lost {
                return Err(match waits {
                    WaitingForever::Machine(machine) => {
                        format!("machine {machine} waits forever in configuration {lost}")
                    }
                    WaitingForever::Message(channel, _) => {
                        format!(
                            "a message of channel {channel} waits forever in configuration {lost}"
                        )
                    }
                });
            }
        }
        Ok(())
    }

    fn is_unsafe(
        &self,
        run: &[JointState],
        waits: WaitingForever,
        after: &[JointState],
    ) -> Result<(), String> {
        if run.first() != Some(&self.initial()) {
            return Err("the run does not begin in the initial configuration".to_owned());
        }
        for (index, pair) in run.windows(2).enumerate() {
            let (steps, _) = self.steps(&pair[0])?;
            if steps.iter().all(|step| step.to != pair[1]) {
                return Err(format!(
                    "no step leads from configuration {index} of the run to the next"
                ));
            }
        }
        let end = run.last().ok_or("the run is empty")?;
        self.fits(end)?;
        if !self.waits_at(end, waits) {
            return Err("the part that should wait does not wait at the end of the run".to_owned());
        }
        if after.is_empty() {
            return if self.is_plain(end, waits) {
                Ok(())
            } else {
                Err("that it waits forever is not plain at the end of the run".to_owned())
            };
        }
        let closed = self.closed(after)?;
        if !closed.numbers.contains_key(end) {
            return Err("the continuation of the run has no end".to_owned());
        }
        let ends = closed
            .steps
            .iter()
            .flatten()
            .any(|step| self.ends(step, waits));
        if ends {
            Err("the part that should wait forever can stop waiting".to_owned())
        } else {
            Ok(())
        }
    }

    /// Configurations with their steps, which all lead to one of them.
    fn closed<'j>(&self, all: &'j [JointState]) -> Result<Closed<'j>, String> {
        let mut closed = Closed {
            numbers: all.iter().enumerate().map(|(at, it)| (it, at)).collect(),
            steps: Vec::with_capacity(all.len()),
        };
        for (index, joint) in all.iter().enumerate() {
            self.fits(joint)?;
            let (steps, refused) = self.steps(joint)?;
            if refused {
                return Err(format!("a channel is full in configuration {index}"));
            }
            if steps.iter().any(|it| !closed.numbers.contains_key(&it.to)) {
                return Err(format!(
                    "a step leads out of the set from configuration {index}"
                ));
            }
            closed.steps.push(steps);
        }
        Ok(closed)
    }

    /// Where all machines begin, with nothing under way.
    pub fn initial(&self) -> JointState {
        JointState {
            states: self.machines.iter().map(|it| it.initial().0).collect(),
            contents: vec![Vec::new(); self.channels.len()],
        }
    }

    /// Whether nothing waits any more: no message is under way, and no machine offers anything.
    pub fn is_over(&self, joint: &JointState) -> bool {
        let quiet = |machine| self.outgoing(joint, machine).is_empty();
        joint.contents.iter().all(Vec::is_empty) && (0..self.machines.len()).all(quiet)
    }

    /// What may happen in a configuration, where that leads, and whether a full channel forbids something.
    pub fn events(&self, joint: &JointState) -> Result<(Vec<(Event, JointState)>, bool), String> {
        if self.discipline.channels == Channels::Synchronous {
            return Err("sends and receives are not separate events here".to_owned());
        }
        let (steps, refused) = self.steps(joint)?;
        let events = steps.into_iter().filter_map(|step| {
            let (is_output, (channel, message)) = match (step.sent, step.taken) {
                (Some(sent), _) => (true, sent),
                (None, taken) => (false, taken?),
            };
            let (from, to) = self.channels[channel];
            let interaction = Interaction { from, to, message };
            Some((
                Event {
                    interaction,
                    is_output,
                },
                step.to,
            ))
        });
        Ok((events.collect(), refused))
    }

    /// Whether a configuration is one of these machines.
    fn fits(&self, joint: &JointState) -> Result<(), String> {
        let mut states = joint.states.iter().zip(self.machines);
        let states_fit = joint.states.len() == self.machines.len()
            && states.all(|(&state, machine)| (state as usize) < machine.state_count());
        let contents_fit = joint.contents.len() == self.channels.len();
        if states_fit && contents_fit {
            Ok(())
        } else {
            Err("there is a configuration that these machines do not have".to_owned())
        }
    }

    fn outgoing(&self, joint: &JointState, machine: usize) -> &'m [Transition] {
        self.machines[machine].outgoing(LocalState(joint.states[machine]))
    }

    fn channel(&self, machine: usize, transition: &Transition) -> Result<usize, String> {
        let ends = transition
            .action
            .sender_and_receiver(self.machines[machine].participant());
        let found = self.channels.iter().position(|&it| it == ends);
        found.ok_or_else(|| "a channel is missing".to_owned())
    }

    /// The steps of a configuration, and whether a full channel forbids one.
    fn steps(&self, joint: &JointState) -> Result<(Vec<Step>, bool), String> {
        self.fits(joint)?;
        let mut found = Vec::new();
        let mut refused = false;
        for machine in 0..self.machines.len() {
            for transition in self.outgoing(joint, machine) {
                let channel = self.channel(machine, transition)?;
                let message = transition.action.message;
                let mut to = joint.clone();
                to.states[machine] = transition.target.0;
                let sends = transition.action.is_output();
                match (self.discipline.channels, sends) {
                    (Channels::Synchronous, true) => {
                        self.meetings(joint, machine, channel, message, &to, &mut found);
                    }
                    (Channels::Synchronous, false) => {}
                    (_, true)
                        if joint.contents[channel].len() >= self.discipline.bound as usize =>
                    {
                        refused = true;
                    }
                    (_, true) => {
                        let mut contents = std::mem::take(&mut to.contents[channel]);
                        contents.push(message);
                        to.contents[channel] = self.sorted(contents);
                        found.push(Step {
                            actor: machine,
                            meets: None,
                            sent: Some((channel, message)),
                            taken: None,
                            to,
                        });
                    }
                    (_, false) => {
                        let next = self.next(&joint.contents[channel]);
                        if let Some(at) = next.iter().position(|&it| it == message) {
                            to.contents[channel].remove(at);
                            let taken = Some((channel, message));
                            found.push(Step {
                                actor: machine,
                                meets: None,
                                sent: None,
                                taken,
                                to,
                            });
                        }
                    }
                }
            }
        }
        Ok((found, refused))
    }

    /// The receptions that meet a sending.
    fn meetings(
        &self,
        joint: &JointState,
        sender: usize,
        channel: usize,
        message: Name,
        sent: &JointState,
        found: &mut Vec<Step>,
    ) {
        let (_, receiver) = self.channels[channel];
        for (machine, other) in self.machines.iter().enumerate() {
            if machine == sender || other.participant() != receiver {
                continue;
            }
            for transition in self.outgoing(joint, machine) {
                let action = transition.action;
                let ends = action.sender_and_receiver(other.participant());
                if !action.is_output()
                    && action.message == message
                    && ends == self.channels[channel]
                {
                    let mut to = sent.clone();
                    to.states[machine] = transition.target.0;
                    let meets = Some(machine);
                    found.push(Step {
                        actor: sender,
                        meets,
                        sent: None,
                        taken: None,
                        to,
                    });
                }
            }
        }
    }

    /// What may be taken next.
    fn next<'c>(&self, contents: &'c [Name]) -> &'c [Name] {
        match self.discipline.channels {
            Channels::Bag => contents,
            _ => &contents[..contents.len().min(1)],
        }
    }

    fn waits_at(&self, joint: &JointState, waits: WaitingForever) -> bool {
        match waits {
            WaitingForever::Machine(machine) => {
                let together = self.discipline.channels == Channels::Synchronous;
                let mut offers = if machine < self.machines.len() {
                    self.outgoing(joint, machine).iter().peekable()
                } else {
                    return false;
                };
                offers.peek().is_some() && offers.all(|it| together || !it.action.is_output())
            }
            WaitingForever::Message(channel, message) => joint
                .contents
                .get(channel)
                .is_some_and(|contents| self.next(contents).contains(&message)),
        }
    }

    /// Whether a step ends the waiting; over queues what is taken first is the head.
    fn ends(&self, step: &Step, waits: WaitingForever) -> bool {
        match waits {
            WaitingForever::Machine(machine) => {
                step.actor == machine || step.meets == Some(machine)
            }
            WaitingForever::Message(channel, message) => step.taken.is_some_and(|(from, taken)| {
                from == channel && (self.discipline.channels == Channels::Fifo || taken == message)
            }),
        }
    }

    /// Whether what waits can be seen to wait forever, whatever the others do.
    fn is_plain(&self, joint: &JointState, waits: WaitingForever) -> bool {
        match waits {
            WaitingForever::Machine(machine) => {
                self.discipline.channels == Channels::Fifo
                    && self.outgoing(joint, machine).iter().all(|it| {
                        let Ok(channel) = self.channel(machine, it) else {
                            return false;
                        };
                        let head = joint.contents[channel].first();
                        !it.action.is_output()
                            && head.is_some_and(|&head| head != it.action.message)
                    })
            }
            WaitingForever::Message(channel, _) => {
                let (_, to) = self.channels[channel];
                let reader = self.machines.iter().position(|it| it.participant() == to);
                reader.is_none_or(|reader| self.outgoing(joint, reader).is_empty())
            }
        }
    }
}

/// Configurations that no step leaves.
struct Closed<'j> {
    numbers: FxHashMap<&'j JointState, usize>,
    steps: Vec<Vec<Step>>,
}

impl Closed<'_> {
    /// For each configuration, whether a wanted step can come, now or later.
    fn leading_to(&self, wanted: impl Fn(&Step) -> bool) -> Vec<bool> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.steps.len()];
        let mut work = Vec::new();
        for (index, steps) in self.steps.iter().enumerate() {
            for step in steps {
                if let Some(&to) = self.numbers.get(&step.to) {
                    before[to].push(index);
                }
            }
            if steps.iter().any(&wanted) {
                work.push(index);
            }
        }
        let mut found = vec![false; self.steps.len()];
        while let Some(index) = work.pop() {
            if !std::mem::replace(&mut found[index], true) {
                work.extend(&before[index]);
            }
        }
        found
    }
}
