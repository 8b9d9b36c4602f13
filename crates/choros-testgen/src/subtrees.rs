//! Tests for each part of a g-choreography (Definitions 3.8 and 3.9 of Coto's thesis).
//!
//! The thesis asks for an oracle scheme `Ω(A, τ)`: states of `A`'s machine that tell that the sub-tree `τ` is over, such
//! that every maximal run of the machines comes to a stable configuration in which everyone is in such a state.
//! It gives an example and no construction; this is ours.
//!
//! `Ω(A, τ)` are the states from which no action of `τ` can be reached any more: `τ` is done, or was not chosen.
//! To tell the actions of `τ` from equal ones elsewhere, its messages get names of their own before the projection, and
//! their old names back afterwards.
//!
//! States that nothing leaves are always among them, so whenever a run ends properly it satisfies the definition; that
//! the machines of a well-formed choreography do so is checked with every test, as suitability.

use choros_base::{Budget, Diagnostic, Name, Names, SourceMap};
use choros_model::cfsm::{Cfsm, LocalAction, LocalState, Transition};
use choros_model::gchor::{Form, Gchor, Interaction, NodeId};
use rustc_hash::FxHashMap;

use crate::{MachineSuite, Oracle, TestCase, TestMaking, TestSuite};

/// The machines of a choreography, or why there are none.
type Projected = Result<Vec<Cfsm>, Box<Diagnostic>>;

/// The tests for every sub-tree, numbered component by component; `project` gives the machines of a choreography.
pub fn make_for_subtrees(
    gchor: &Gchor,
    making: &TestMaking,
    sources: &SourceMap,
    names: &mut Names,
    project: &dyn Fn(&Gchor) -> Projected,
    budget: &dyn Fn() -> Budget,
) -> Result<MachineSuite, Vec<Diagnostic>> {
    let projected = |gchor: &Gchor| project(gchor).map_err(|finding| vec![*finding]);
    let mut tests: Vec<TestCase> = Vec::new();
    let mut is_complete = true;
    for part in gchor.in_order() {
        if matches!(gchor.form(part), Form::Empty) {
            continue;
        }
        let about = about(gchor, part, sources);
        let (marked, originals) = mark(gchor, part, names);
        let machines = making.prepared(projected(&marked)?, names, budget)?;
        let states = machines
            .iter()
            .map(|machine| (machine.participant(), over(machine, &originals)))
            .collect();
        let machines: Vec<Cfsm> = machines.iter().map(|it| unmark(it, &originals)).collect();
        let oracle = Oracle::States { about, states };
        let (made, are_all) = making.tests(&machines, oracle, names, budget)?;
        tests.extend(made);
        is_complete &= are_all;
    }
    // The sort is stable: the tests of a component stay in the order of the text.
    let order = gchor.roles();
    tests.sort_by_key(|test| order.names().iter().position(|&it| it == test.under_test));
    let mut numbers: FxHashMap<Name, usize> = FxHashMap::default();
    for test in &mut tests {
        let number = numbers.entry(test.under_test).or_default();
        *number += 1;
        test.name = format!("{}/test_{number}", names.text(test.under_test));
    }
    let machines = making.prepared(projected(gchor)?, names, budget)?;
    Ok(making.suite(TestSuite { machines, tests }, is_complete))
}

/// The text of a sub-tree in one line.
fn about(gchor: &Gchor, part: NodeId, sources: &SourceMap) -> String {
    let text = match gchor.node(part).origin {
        Some(span) => sources.text_of(span),
        None => "",
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(MAX_TEXT_LENGTH) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// Longer texts of sub-trees are cut.
const MAX_TEXT_LENGTH: usize = 50;

/// The g-choreography in which the messages of a part have names of their own, and the old names of those.
fn mark(gchor: &Gchor, part: NodeId, names: &mut Names) -> (Gchor, FxHashMap<Name, Name>) {
    let mut inside = vec![false; gchor.len()];
    let mut open = vec![part];
    while let Some(id) = open.pop() {
        inside[id.index()] = true;
        open.extend(gchor.form(id).parts());
    }
    let mut fresh: FxHashMap<Name, Name> = FxHashMap::default();
    let mut originals = FxHashMap::default();
    let mut marked = Gchor::new();
    for id in gchor.ids() {
        let mut form = gchor.form(id).clone();
        if let (Form::Interaction(interaction), true) = (&form, inside[id.index()]) {
            let message = *fresh.entry(interaction.message).or_insert_with(|| {
                let text = names.text(interaction.message).to_owned();
                names.fresh(&text)
            });
            originals.insert(message, interaction.message);
            form = Form::Interaction(Interaction {
                message,
                ..*interaction
            });
        }
        marked.add(form, gchor.node(id).origin);
    }
    if let Some(root) = gchor.root() {
        marked.set_root(root);
    }
    (marked, originals)
}

/// The states from which no marked action can be reached.
fn over(machine: &Cfsm, marked: &FxHashMap<Name, Name>) -> Vec<LocalState> {
    let mut before: Vec<Vec<LocalState>> = vec![Vec::new(); machine.state_count()];
    let mut ahead = vec![false; machine.state_count()];
    let mut open = Vec::new();
    for (source, transition) in machine.transitions() {
        before[transition.target.index()].push(source);
        if marked.contains_key(&transition.action.message) {
            open.push(source);
        }
    }
    while let Some(state) = open.pop() {
        if !std::mem::replace(&mut ahead[state.index()], true) {
            open.extend(&before[state.index()]);
        }
    }
    machine
        .states()
        .filter(|state| !ahead[state.index()])
        .collect()
}

/// The machine with the old names of its messages.
fn unmark(machine: &Cfsm, originals: &FxHashMap<Name, Name>) -> Cfsm {
    let mut plain = machine.clone();
    for state in machine.states() {
        let own = machine.outgoing(state).iter().map(|one| {
            let message = one.action.message;
            Transition {
                action: LocalAction {
                    message: *originals.get(&message).unwrap_or(&message),
                    ..one.action
                },
                ..*one
            }
        });
        plain.set_outgoing(state, own.collect());
    }
    plain
}

#[cfg(test)]
mod tests {
    use choros_realize::gchor::project_all;

    use super::*;

    /// `A->B:m ; B->A:m`, and the first of the two is marked.
    #[test]
    fn equal_messages_elsewhere_are_told_apart() {
        let mut names = Names::new();
        let [a, b, m] = ["A", "B", "m"].map(|it| names.intern(it));
        let mut gchor = Gchor::new();
        let there = Interaction {
            from: a,
            to: b,
            message: m,
        };
        let first = gchor.add(Form::Interaction(there), None);
        let second = gchor.add(Form::Interaction(there), None);
        gchor.add(Form::Sequence(vec![first, second]), None);
        let (marked, originals) = mark(&gchor, first, &mut names);
        let machines = project_all(&marked, &Budget::unlimited()).unwrap();
        let sender = &machines[0];
        // Before the first message its action is ahead; after it, it is over.
        assert_eq!(over(sender, &originals), [LocalState(1), LocalState(2)]);
        let plain = unmark(sender, &originals);
        assert!(plain.transitions().all(|(_, it)| it.action.message == m));
    }
}
