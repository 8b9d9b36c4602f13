//! What a verdict about machines rests on, for `choros-certify`.

use choros_certify::{JointState, MachineProof, Machines, WaitingForever};
use choros_model::cfsm::{Cfsm, Channels, DeadKind, System};
use choros_model::lts::StateId;
use rustc_hash::FxHashSet;

use crate::{Gap, Proof, Safety};

/// The proof of what was found about a system of these machines, or why there is none; it has been checked.
pub fn machine_proof(
    machines: &[Cfsm],
    system: &mut System<'_>,
    safety: &Safety,
) -> Result<MachineProof, String> {
    let writer = Writer {
        checker: Machines::new(machines, system.discipline()),
    };
    match &safety.proof {
        Ok(Proof::Everything) => {
            let all = (0..safety.found.states as u32).map(StateId);
            let all = all.map(|state| writer.joint(state, system)).collect();
            let proof = MachineProof::Safe(all);
            writer.checker.check(proof.claim())?;
            Ok(proof)
        }
        Ok(Proof::AllRunsEnd) => Err(
            "not all orders of independent steps were explored, and the certificate needs all configurations"
                .to_owned(),
        ),
        Ok(Proof::Exhaustive) => Err(
            "it relies on a theorem about machines with short channels, which is not checked"
                .to_owned(),
        ),
        Err(Gap::Unsafe) => writer.unsafety(system, safety),
        Err(_) => Err("the question was not settled".to_owned()),
    }
}

struct Writer<'m> {
    checker: Machines<'m>,
}

impl Writer<'_> {
    /// The first thing that waits forever and can be shown to.
    fn unsafety(&self, system: &mut System<'_>, safety: &Safety) -> Result<MachineProof, String> {
        let found = &safety.found;
        let dead = found.dead.iter().filter(|it| it.kind.is_unsafe());
        let mut places: Vec<StateId> = dead.take(1).map(|it| it.state).collect();
        places.extend(found.unspecified.1);
        places.extend(found.orphans.1);
        places.extend(safety.waiting.iter().map(|it| it.state));
        for place in places {
            let path = found.path_to(place, system);
            let run: Vec<JointState> = path.iter().map(|&it| self.joint(it, system)).collect();
            let end = self.joint(place, system);
            let after = match system.dead_kind(place) {
                DeadKind::Blocked => Vec::new(),
                _ => self.after(place, system),
            };
            for waits in self.waiting(&end) {
                for after in [Vec::new(), after.clone()] {
                    let proof = MachineProof::Unsafe {
                        run: run.clone(),
                        waits,
                        after,
                    };
                    if self.checker.check(proof.claim()).is_ok() {
                        return Ok(proof);
                    }
                }
            }
        }
        Err("what waits forever could not be shown without a bound".to_owned())
    }

    /// Whatever may be waiting in a configuration.
    fn waiting(&self, joint: &JointState) -> Vec<WaitingForever> {
        let machines = (0..joint.states.len()).map(WaitingForever::Machine);
        let contents = joint.contents.iter().enumerate();
        let messages = contents.flat_map(|(channel, contents)| {
            let messages = contents.iter();
            messages.map(move |&message| WaitingForever::Message(channel, message))
        });
        machines.chain(messages).collect()
    }

    /// All configurations that can come, beginning with this one.
    fn after(&self, place: StateId, system: &mut System<'_>) -> Vec<JointState> {
        let mut seen = FxHashSet::from_iter([place]);
        let mut all = vec![place];
        let mut next = 0;
        let mut moves = Vec::new();
        while next < all.len() {
            moves.clear();
            system.moves(all[next], &mut moves);
            next += 1;
            all.extend(
                moves
                    .iter()
                    .map(|it| it.target)
                    .filter(|it| seen.insert(*it)),
            );
        }
        all.iter().map(|&it| self.joint(it, system)).collect()
    }

    fn joint(&self, state: StateId, system: &System<'_>) -> JointState {
        let together = system.discipline().channels == Channels::Synchronous;
        let machines = system.machine_ids();
        let contents = self.checker.channels().iter().map(|&ends| {
            let mut all = 0..system.channel_count();
            let channel = all.find(|&it| !together && system.channel_ends(it) == ends);
            let waiting = channel.map_or_else(Vec::new, |it| system.waiting(state, it));
            self.checker.sorted(waiting)
        });
        JointState {
            states: machines.map(|it| system.local_state(state, it).0).collect(),
            contents: contents.collect(),
        }
    }
}
