//! A test that follows a run which someone chose.
//!
//! A tester that plays a participant `B` does `B`'s part of the run: what `B` sent there is all it sends, and what it received
//! it waits for.
//! The component under test may decide otherwise where the model lets it.
//! So wherever the run receives, `B` also takes whatever else the model lets it receive, and goes on from there as the
//! model says.
//! What is open there is decided in some way, or left open where runs are fair.
//! After its part of the run `B` goes on as the model says too, or only listens: where machines have loops, one that
//! runs ahead fills any channel before the others are done.
//!
//! `B` has succeeded where the model ends, and at the end of its part of the run if no message was in transit then.
//! Nothing here shows that the model's own machine passes: [`comply`](crate::comply) says so, and a test that it does
//! not pass is not worth keeping.

use choros_base::{Name, Names};
use choros_model::cfsm::{Cfsm, LocalAction, LocalState, Transition};

use crate::loops::on_cycles;
use crate::{Fairness, TestCase, TestMachine, has_loops, non_deterministic_states};

/// A run of machines: who did what, in its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenRun {
    pub steps: Vec<(Name, LocalAction)>,
    /// Whether all channels are empty at its end.
    pub is_settled: bool,
}

/// What players do after their part of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterRun {
    /// They go on as the model says.
    GoOn,
    /// They send nothing more.
    Listen,
}

/// What the tests of a run assume about infinite runs: that they are fair, if the machines have loops.
pub fn fairness_of_run(machines: &[Cfsm]) -> Fairness {
    if machines.iter().any(has_loops) {
        Fairness::Fair
    } else {
        Fairness::None
    }
}

/// The test of one participant that a run gives; none where that participant has no part in the run, or where the
/// machines cannot take it.
pub fn test_of_run(
    machines: &[Cfsm],
    under_test: Name,
    run: &ChosenRun,
    after: AfterRun,
    names: &mut Names,
) -> Option<TestCase> {
    if !run.steps.iter().any(|(who, _)| *who == under_test) {
        return None;
    }
    let fairness = fairness_of_run(machines);
    let mut players = Vec::new();
    for machine in machines {
        if machine.participant() != under_test {
            players.push(player(machine, run, after, fairness, names)?);
        }
    }
    Some(TestCase {
        name: format!("{}/run", names.text(under_test)),
        under_test,
        about: Some("a run that was chosen".to_owned()),
        machines: players,
    })
}

/// A machine that does its part of a run.
fn player(
    machine: &Cfsm,
    run: &ChosenRun,
    after: AfterRun,
    fairness: Fairness,
    names: &mut Names,
) -> Option<TestMachine> {
    let own = run.steps.iter();
    let own = own.filter(|(who, _)| *who == machine.participant());
    let part: Vec<LocalAction> = own.map(|it| it.1).collect();
    let path = path(machine, &part)?;
    let mut player = decided(machine, fairness);
    let positions: Vec<LocalState> = path.iter().map(|_| player.add_state()).collect();
    for (at, (&state, &position)) in path.iter().zip(&positions).enumerate() {
        let label = free_label(machine, at, names);
        player.set_label(position, label);
        let next = match part.get(at) {
            None => match after {
                AfterRun::GoOn => player.outgoing(state).to_vec(),
                AfterRun::Listen => first_of_each_input(machine.outgoing(state)),
            },
            Some(&action) => {
                let target = positions[at + 1];
                on_the_run(machine.outgoing(state), action, target)
            }
        };
        player.set_outgoing(position, next);
    }
    player.set_initial(positions[0]);
    let ends = positions.last().copied().filter(|_| run.is_settled);
    let (trimmed, numbers) = player.trimmed(names);
    let mut success: Vec<LocalState> = player
        .states()
        .filter(|&it| player.is_final(it) || ends == Some(it))
        .filter_map(|it| numbers[it.index()])
        .collect();
    success.sort();
    let sent = part.iter().filter(|it| it.is_output());
    Some(TestMachine {
        success,
        picks: sent.map(|it| names.text(it.message).to_owned()).collect(),
        machine: trimmed,
    })
}

/// States of a machine along these actions.
fn path(machine: &Cfsm, part: &[LocalAction]) -> Option<Vec<LocalState>> {
    // For each state that can be reached by so many actions, where it was reached from.
    let mut before: Vec<Vec<(LocalState, LocalState)>> = Vec::new();
    let mut here = vec![machine.initial()];
    for &action in part {
        let mut reached: Vec<(LocalState, LocalState)> = Vec::new();
        for &source in &here {
            for one in machine.outgoing(source) {
                if one.action == action && reached.iter().all(|it| it.0 != one.target) {
                    reached.push((one.target, source));
                }
            }
        }
        here = reached.iter().map(|it| it.0).collect();
        before.push(reached);
    }
    let mut at = *here.first()?;
    let mut path = vec![at];
    for reached in before.iter().rev() {
        at = reached.iter().find(|it| it.0 == at)?.1;
        path.push(at);
    }
    path.reverse();
    Some(path)
}

/// What a player may do at a place of the run: only what was sent there, or whatever can be received.
fn on_the_run(own: &[Transition], action: LocalAction, target: LocalState) -> Vec<Transition> {
    let of_run = Transition {
        action,
        target,
        origin: None,
    };
    if action.is_output() {
        return vec![of_run];
    }
    let mut kept = first_of_each_input(own);
    for one in &mut kept {
        if one.action == action {
            *one = of_run;
        }
    }
    kept
}

/// The machine with every choice made: the first output, or for each input its first target.
///
/// Where runs are fair, choices to which a run can come back stay open.
fn decided(machine: &Cfsm, fairness: Fairness) -> Cfsm {
    let cycles = on_cycles(machine);
    let mut decided = machine.clone();
    for state in non_deterministic_states(machine) {
        if fairness == Fairness::Fair && cycles[state.index()] {
            continue;
        }
        let own = machine.outgoing(state);
        let kept = match own.iter().find(|it| it.action.is_output()) {
            Some(output) => vec![*output],
            None => first_of_each_input(own),
        };
        decided.set_outgoing(state, kept);
    }
    decided
}

fn first_of_each_input(own: &[Transition]) -> Vec<Transition> {
    let mut kept: Vec<Transition> = Vec::new();
    for one in own.iter().filter(|it| !it.action.is_output()) {
        if kept.iter().all(|it| it.action != one.action) {
            kept.push(*one);
        }
    }
    kept
}

/// A name for a place of the run that no state has.
fn free_label(machine: &Cfsm, at: usize, names: &mut Names) -> Name {
    let mut label = format!("run.{at}");
    while machine.state_called(&label, names).is_some() {
        label.push('′');
    }
    names.intern(&label)
}

#[cfg(test)]
mod tests {
    use choros_base::{Budget, SourceMap};
    use choros_data::Terms;
    use choros_model::cfsm::{Discipline, read_fsa};

    use super::*;
    use crate::{Compliance, WatchedChannels, breaches, comply};

    /// `A` asks, `B` says yes or no; after a yes `A` thanks.
    const POLITE: &str = "\
.outputs A
.state graph
0 1 ! ask 1
1 1 ? yes 2
1 1 ? no 3
2 1 ! thanks 3
.marking 0
.end
.outputs B
.state graph
0 0 ? ask 1
1 0 ! yes 2
1 0 ! no 3
2 0 ? thanks 3
.marking 0
.end
";

    struct Setting {
        machines: Vec<Cfsm>,
        terms: Terms,
    }

    impl Setting {
        fn read(text: &str) -> Setting {
            let mut terms = Terms::new();
            let file = SourceMap::new().add("m.fsa", text);
            let (machines, found) = read_fsa(file, text, &mut terms.names);
            assert!(found.is_empty(), "{found:?}");
            Setting { machines, terms }
        }

        /// `A!ask` is what `A` sends to `B`, `B?ask` what `B` receives.
        fn run(&mut self, steps: &[&str], is_settled: bool) -> ChosenRun {
            let steps = steps.iter().map(|step| {
                let (who, message) = step.split_once(['!', '?']).expect("a step");
                let other = if who == "A" { "B" } else { "A" };
                let names = &mut self.terms.names;
                let (who, other) = (names.intern(who), names.intern(other));
                let message = names.intern(message);
                let action = if step.contains('!') {
                    LocalAction::output(other, message)
                } else {
                    LocalAction::input(other, message)
                };
                (who, action)
            });
            ChosenRun {
                steps: steps.collect(),
                is_settled,
            }
        }

        fn test(&mut self, of: &str, run: &ChosenRun) -> TestCase {
            let of = self.terms.names.intern(of);
            let after = AfterRun::Listen;
            let test = test_of_run(&self.machines, of, run, after, &mut self.terms.names);
            test.expect("there is a test")
        }

        /// Whether a machine passes.
        fn passes(&self, candidate: &Cfsm, test: &TestCase) -> bool {
            let discipline = Discipline::fifo(4);
            let (watched, fairness) = (WatchedChannels::All, fairness_of_run(&self.machines));
            let budget = Budget::steps(10_000);
            let terms = &self.terms;
            let answer = comply(
                candidate, test, discipline, &watched, fairness, terms, &budget,
            );
            matches!(answer, Compliance::Passes(_))
        }
    }

    #[test]
    fn who_decides_is_followed_and_who_is_tested_may_decide_otherwise() {
        let mut setting = Setting::read(POLITE);
        let run = setting.run(&["A!ask", "B?ask", "B!yes", "A?yes"], true);
        // `A` is asked to take a yes: `B` never says no.
        let of_a = setting.test("A", &run);
        assert!(breaches(of_a.under_test, &of_a.machines).is_empty());
        assert_eq!(of_a.machines[0].picks, ["yes"]);
        let a = setting.machines[0].clone();
        assert!(setting.passes(&a, &of_a));
        // One that does not wait for an answer to the end fails.
        let mut deaf = a.clone();
        deaf.set_outgoing(LocalState(1), Vec::new());
        assert!(!setting.passes(&deaf, &of_a));
        // `B` may say no, although the run has a yes; it must not say nothing.
        let of_b = setting.test("B", &run);
        let b = setting.machines[1].clone();
        assert!(setting.passes(&b, &of_b));
        let mut says_no = b.clone();
        let no = vec![says_no.outgoing(LocalState(1))[1]];
        says_no.set_outgoing(LocalState(1), no);
        assert!(setting.passes(&says_no, &of_b));
        let mut silent = b.clone();
        silent.set_outgoing(LocalState(1), Vec::new());
        assert!(!setting.passes(&silent, &of_b));
    }

    #[test]
    fn a_run_that_is_no_run_or_not_of_the_participant_gives_no_test() {
        let mut setting = Setting::read(POLITE);
        let wrong = setting.run(&["A!thanks"], false);
        let (a, b) = (
            setting.terms.names.intern("A"),
            setting.terms.names.intern("B"),
        );
        let names = &mut setting.terms.names;
        assert_eq!(
            test_of_run(&setting.machines, a, &wrong, AfterRun::GoOn, names)
                .map(|it| it.machines.len()),
            Some(1)
        );
        assert_eq!(
            test_of_run(&setting.machines, b, &wrong, AfterRun::GoOn, names),
            None
        );
        let nothing = ChosenRun {
            steps: Vec::new(),
            is_settled: true,
        };
        assert_eq!(
            test_of_run(&setting.machines, a, &nothing, AfterRun::GoOn, names),
            None
        );
    }

    #[test]
    fn loops_are_fair() {
        let text = "\
.outputs A
.state graph
0 1 ! more 0
0 1 ! stop 1
.marking 0
.end
.outputs B
.state graph
0 0 ? more 0
0 0 ? stop 1
.marking 0
.end
";
        let mut setting = Setting::read(text);
        let run = setting.run(&["A!more", "B?more", "A!more", "B?more"], true);
        assert_eq!(fairness_of_run(&setting.machines), Fairness::Fair);
        let of_b = setting.test("B", &run);
        let b = setting.machines[1].clone();
        assert!(setting.passes(&b, &of_b));
        // One that takes a single `more` does not take two.
        let mut once = b.clone();
        let stop = vec![once.outgoing(LocalState(0))[1]];
        once.set_outgoing(LocalState(0), stop);
        assert!(!setting.passes(&once, &of_b));
    }
}
