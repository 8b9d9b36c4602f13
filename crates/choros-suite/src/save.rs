//! Suites of symbolic tests in the form that is saved.

use choros_base::Choice;
use choros_data::{Assignment, Terms, Value, Var};
use choros_model::stg::Role;
use choros_report::{
    SavedEdge, SavedSymbol, SavedSymbolicField, SavedSymbolicStep, SavedSymbolicSuite,
    SavedSymbolicTest,
};
use choros_symex::driver::SymbolicPath;
use choros_symex::{DerivedTests, Part, SymbolSource, TestCase, TestStep, TreeLabel};
use rustc_hash::FxHashSet;

use crate::message::save_message;
use crate::options::{Origin, SymbolicTestOptions, save_sessions};

/// The suite in words.
pub(crate) fn save(
    derived: &DerivedTests,
    origin: &Origin,
    asked: &SymbolicTestOptions,
    terms: &Terms,
) -> SavedSymbolicSuite {
    let name = |role: &Role| terms.names.text(role.0).to_owned();
    let model = &derived.orchestration;
    let tests = derived.selection.tests.iter().zip(&derived.suite.paths);
    SavedSymbolicSuite {
        schema: SavedSymbolicSuite::SCHEMA,
        kind: SavedSymbolicSuite::KIND.to_owned(),
        model: origin.model.clone(),
        model_kind: origin.kind.clone(),
        parameters: origin.parameters.clone(),
        sessions: origin.sessions.as_ref().map(save_sessions),
        digest: derived.digest(terms),
        component: origin.component.clone(),
        role: asked.role.clone(),
        purpose: asked.purpose.clone(),
        purpose_actions: asked.actions.word().to_owned(),
        contracts: asked.contracts.clone(),
        words: asked.words.clone(),
        user: name(&model.interface.user),
        played: model.played.iter().map(name).collect(),
        depth: asked.derivation.depth,
        coverage: asked.derivation.coverage.word().to_owned(),
        only_terminating: asked.derivation.only_terminating,
        incomplete: asked.derivation.incomplete,
        inclusion: asked.derivation.inclusion,
        complete: derived.tree.is_complete(),
        tests: tests
            .map(|(test, path)| save_test(test, path, derived, terms))
            .collect(),
    }
}

pub(crate) fn save_test(
    test: &TestCase,
    path: &SymbolicPath,
    derived: &DerivedTests,
    terms: &Terms,
) -> SavedSymbolicTest {
    let tree = &derived.tree;
    let mut values = tree.concrete(test.end, terms);
    // Those of the tree do not care for the types of answers.
    let are_allowed = |values: &mut Assignment| {
        let mut conditions = path.conditions.iter();
        conditions.all(|&it| tree.value(it, values, terms) == Some(Value::Bool(true)))
    };
    if !values.as_mut().is_some_and(are_allowed) {
        values = None;
    }
    SavedSymbolicTest {
        name: test.name.clone(),
        end: test.end.0,
        terminating: test.terminating,
        accepted: test.accepted,
        symbols: symbols(test, path, derived, terms),
        steps: test
            .steps
            .iter()
            .map(|step| save_step(step, derived, terms))
            .collect(),
        path_condition: tree.condition_text(test.end, terms),
        condition: path
            .conditions
            .iter()
            .map(|conjunct| terms.print(*conjunct))
            .collect(),
        values: values
            .as_mut()
            .map(|values| test.stimuli(tree, values, terms)),
        edges: path
            .edges
            .iter()
            .map(|edge| SavedEdge {
                condition: terms.print(edge.condition),
                sent: edge.sent.iter().map(|it| save_message(it, terms)).collect(),
            })
            .collect(),
    }
}

/// The symbols that a test speaks of, in the order of their numbers.
fn symbols(
    test: &TestCase,
    path: &SymbolicPath,
    derived: &DerivedTests,
    terms: &Terms,
) -> Vec<SavedSymbol> {
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
        .chain(path.conditions.iter().copied())
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
fn may(step: &TestStep, derived: &DerivedTests, terms: &Terms) -> Vec<String> {
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

fn save_step(step: &TestStep, derived: &DerivedTests, terms: &Terms) -> SavedSymbolicStep {
    let name = |name| terms.names.text(name).to_owned();
    let node = derived.tree.node(step.node);
    let message = step.label.message();
    SavedSymbolicStep {
        node: step.node.0,
        // Only the root has none, and no step leads there.
        edge: node.edge.unwrap_or_default(),
        state: derived.graph.state(node.state).label.clone(),
        event: step.label.text(terms),
        kind: match &step.label {
            TreeLabel::Silent => "silent",
            TreeLabel::Tick => "tick",
            TreeLabel::Raise(_) => "raise",
            TreeLabel::End => "end",
            TreeLabel::Accept => "accept",
            TreeLabel::Message(message) if message.is_sent() => "send",
            TreeLabel::Message(_) => "receive",
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
            TreeLabel::Raise(fault) => Some(name(*fault)),
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
