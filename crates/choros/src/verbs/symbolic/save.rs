//! Suites of symbolic tests in the form that is saved.

use choros_data::{Terms, Var};
use choros_report::{
    SavedSymbol, SavedSymbolicField, SavedSymbolicStep, SavedSymbolicSuite, SavedSymbolicTest,
};
use choros_symex::{CoverageCriterion, Label, Part, PurposeActions, Step, SymbolSource, TestCase};
use rustc_hash::FxHashSet;

use choros_symex::Derived;

use super::derive::SymbolicTesting;
use super::evidence::stimuli;
use crate::Request;

/// The suite in words.
pub(super) fn save(
    derived: &Derived,
    request: &Request,
    asked: &SymbolicTesting,
    terms: &Terms,
) -> SavedSymbolicSuite {
    SavedSymbolicSuite {
        tests: derived
            .selection
            .tests
            .iter()
            .map(|test| save_test(test, derived, terms))
            .collect(),
        ..save_asked(derived, request, asked, terms)
    }
}

/// The model and how its tests are made, without the tests.
pub(in crate::verbs) fn save_asked(
    derived: &Derived,
    request: &Request,
    asked: &SymbolicTesting,
    terms: &Terms,
) -> SavedSymbolicSuite {
    SavedSymbolicSuite {
        schema: SavedSymbolicSuite::SCHEMA,
        kind: SavedSymbolicSuite::KIND.to_owned(),
        model: request.path.clone(),
        digest: Some(derived.digest(terms)),
        component: request.component.clone(),
        role: asked.role.clone(),
        purpose: asked.purpose.clone(),
        purpose_actions: match asked.actions {
            PurposeActions::First => "first",
            PurposeActions::Last => "last",
        }
        .to_owned(),
        contracts: asked.contracts.clone(),
        words: asked.words.clone(),
        user: terms
            .names
            .text(derived.orchestration.interface.user.0)
            .to_owned(),
        played: derived
            .orchestration
            .played
            .iter()
            .map(|role| terms.names.text(role.0).to_owned())
            .collect(),
        depth: asked.depth,
        coverage: coverage_word(asked.coverage).to_owned(),
        only_terminating: asked.only_terminating,
        inclusion: asked.inclusion,
        complete: derived.tree.is_complete(),
        tests: Vec::new(),
    }
}

/// Why a saved suite is not made from this model any more, if it is not.
///
/// The digest sees every change; the tests are compared as well, because a suite of an earlier version has no digest
/// and another version may number the tree in another way: what is run is what is written.
pub(in crate::verbs) fn changed(
    saved: &SavedSymbolicSuite,
    derived: &Derived,
    terms: &Terms,
) -> Option<String> {
    if saved
        .digest
        .as_ref()
        .is_some_and(|it| *it != derived.digest(terms))
    {
        return Some(format!(
            "`{}` or one of its parameters has changed since it was made",
            saved.model
        ));
    }
    let played = &derived.orchestration.played;
    let tree = &derived.tree;
    saved.tests.iter().find_map(|test| {
        let end = tree.ids().find(|id| id.0 == test.end);
        let is_same = end.is_some_and(|end| {
            let now = TestCase::of(tree, end, test.name.clone(), played);
            let now = save_test(&now, derived, terms);
            (now.steps, now.path_condition) == (test.steps.clone(), test.path_condition.clone())
        });
        (!is_same).then(|| {
            format!(
                "`{}` has no such path as `{}` any more",
                saved.model, test.name
            )
        })
    })
}

/// The word of a criterion on the command line and in files.
fn coverage_word(criterion: CoverageCriterion) -> &'static str {
    match criterion {
        CoverageCriterion::States => "states",
        CoverageCriterion::Transitions => "transitions",
        CoverageCriterion::Branches => "branches",
        CoverageCriterion::Paths => "paths",
        CoverageCriterion::Purpose => "purpose",
    }
}

fn save_test(test: &TestCase, derived: &Derived, terms: &Terms) -> SavedSymbolicTest {
    let tree = &derived.tree;
    let mut values = tree.concrete(test.end, terms);
    SavedSymbolicTest {
        name: test.name.clone(),
        end: test.end.0,
        terminating: test.terminating,
        accepted: test.accepted,
        symbols: symbols(test, derived, terms),
        steps: test
            .steps
            .iter()
            .map(|step| save_step(step, derived, terms))
            .collect(),
        path_condition: tree.condition_text(test.end, terms),
        condition: test
            .condition
            .iter()
            .map(|conjunct| terms.print(*conjunct))
            .collect(),
        values: values
            .as_mut()
            .map(|values| stimuli(test, tree, values, terms)),
    }
}

/// The symbols that a test speaks of, in the order of their numbers.
fn symbols(test: &TestCase, derived: &Derived, terms: &Terms) -> Vec<SavedSymbol> {
    let tree = &derived.tree;
    let mut used: FxHashSet<Var> = FxHashSet::default();
    let fields = test
        .steps
        .iter()
        .filter_map(|step| step.label.message())
        .flat_map(|message| &message.fields);
    for field in fields {
        used.extend(terms.free_variables(field.term));
        used.extend(terms.free_variables(field.value));
    }
    for conjunct in tree
        .path_condition(test.end)
        .into_iter()
        .chain(test.condition.iter().copied())
    {
        used.extend(terms.free_variables(conjunct));
    }
    tree.symbols
        .iter()
        .filter(|symbol| used.contains(&symbol.symbol))
        .map(|symbol| SavedSymbol {
            name: terms.variable_text(symbol.symbol).to_owned(),
            sort: terms.sort_text(terms.variable_sort(symbol.symbol)),
            variable: terms.variable_text(symbol.variable).to_owned(),
            source: match symbol.source {
                SymbolSource::Start => "start",
                SymbolSource::Received => "received",
                SymbolSource::Assigned(_) => "assigned",
            }
            .to_owned(),
        })
        .collect()
}

/// The observations that may follow a step, each once.
fn may(step: &Step, derived: &Derived, terms: &Terms) -> Vec<String> {
    let tree = &derived.tree;
    let next = tree.may(step.node, &derived.orchestration.played);
    let mut heads: Vec<String> = next
        .observations
        .into_iter()
        .filter_map(|node| tree.node(node).label.as_ref()?.message())
        .map(|message| message.head.text(terms))
        .collect();
    heads.sort_unstable();
    heads.dedup();
    heads
}

fn save_step(step: &Step, derived: &Derived, terms: &Terms) -> SavedSymbolicStep {
    let name = |name| terms.names.text(name).to_owned();
    let node = derived.tree.node(step.node);
    let message = step.label.message();
    SavedSymbolicStep {
        node: step.node.0,
        state: derived.graph.state(node.state).label.clone(),
        event: step.label.text(terms),
        kind: match &step.label {
            Label::Silent => "silent",
            Label::Tick => "tick",
            Label::Raise(_) => "raise",
            Label::End => "end",
            Label::Accept => "accept",
            Label::Message(message) if message.is_sent() => "send",
            Label::Message(_) => "receive",
        }
        .to_owned(),
        part: match step.part {
            Part::Stimulus => "stimulus",
            Part::Observation => "observation",
            Part::Time => "time",
            Part::Hidden => "hidden",
        }
        .to_owned(),
        operation: message.map(|message| name(message.head.operation.0)),
        from: message.map(|message| name(message.from.0)),
        to: message.map(|message| name(message.to.0)),
        fault: match &step.label {
            Label::Raise(fault) => Some(name(*fault)),
            _ => message.and_then(|message| message.head.fault).map(name),
        },
        may: may(step, derived, terms),
        fields: message.map_or_else(Vec::new, |message| {
            message
                .fields
                .iter()
                .map(|field| SavedSymbolicField {
                    label: field.label.map(name),
                    term: terms.print(field.term),
                    value: terms.print(field.value),
                })
                .collect()
        }),
    }
}
