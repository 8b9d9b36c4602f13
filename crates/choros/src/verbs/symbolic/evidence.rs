//! Test cases as evidence: a table of all, a trace of each.

use choros_data::{Assignment, Terms};
use choros_model::evidence::{Binding, Step, StepEvent, Table, Trace};
use choros_symex::{Part, TestCase, Tree, TreeLabel};

use choros_symex::Derived;

/// The tests with their events and conditions.
pub(super) fn table(derived: &Derived, terms: &Terms) -> Table {
    let rows = derived.selection.tests.iter().map(|test| {
        // What the types of messages ask for is the same for every test, and long.
        let condition: Vec<String> = derived
            .tree
            .decisions(test.end)
            .into_iter()
            .map(|conjunct| match terms.print(conjunct) {
                text if text.contains(" or ") => format!("({text})"),
                text => text,
            })
            .collect();
        vec![
            test.name.clone(),
            test.events(terms).join(" "),
            match condition.is_empty() {
                true => "true".to_owned(),
                false => condition.join(" and "),
            },
        ]
    });
    Table {
        columns: ["test", "events", "condition"].map(str::to_owned).to_vec(),
        rows: rows.collect(),
    }
}

/// One run that takes the path of a test, with values; over symbols where no values are known.
pub(super) fn trace(test: &TestCase, tree: &Tree, concrete: bool, terms: &Terms) -> Trace {
    let mut values = match concrete {
        true => tree.concrete(test.end, terms),
        false => None,
    };
    let has_values = values.is_some();
    let mut trace = Trace {
        conclusion: match (test.terminating, concrete && !has_values) {
            (_, true) => "no values were found for the symbols of this path".to_owned(),
            (true, _) => "the service has ended".to_owned(),
            (false, _)
                if matches!(
                    test.steps.last().map(|it| &it.label),
                    Some(TreeLabel::Raise(_))
                ) =>
            {
                "the service has stopped with a fault".to_owned()
            }
            (false, _) => "the path was not followed further".to_owned(),
        },
        ..Trace::default()
    };
    for step in &test.steps {
        let event = match &step.label {
            TreeLabel::Silent | TreeLabel::Accept => continue,
            TreeLabel::End => StepEvent::Termination,
            TreeLabel::Tick => StepEvent::Other("one unit of time passes".to_owned()),
            TreeLabel::Raise(fault) => {
                StepEvent::Other(format!("raise {}", terms.names.text(*fault)))
            }
            TreeLabel::Message(message) => {
                let name = |name| terms.names.text(name).to_owned();
                let mut operation = name(message.head.operation.0);
                if let Some(fault) = message.head.fault {
                    operation = format!("{operation}#{}", name(fault));
                }
                StepEvent::Message {
                    operation,
                    from: name(message.from.0),
                    to: name(message.to.0),
                    direction: message.head.direction,
                    fields: message
                        .fields
                        .iter()
                        .map(|field| {
                            let label = field.label.map(name).unwrap_or_default();
                            let known = values
                                .as_mut()
                                .and_then(|values| tree.value(field.value, values, terms));
                            let text = match known {
                                Some(value) => terms.print_value(&value),
                                None => terms.print(field.term),
                            };
                            (label, text)
                        })
                        .collect(),
                }
            }
        };
        trace.steps.push(Step {
            event,
            guard: None,
            bindings: part_text(step.part),
            states: None,
            origin: None,
        });
    }
    trace
}

/// Who does it, beside the message.
fn part_text(part: Part) -> Vec<Binding> {
    let binding = |value: &str| {
        vec![Binding {
            variable: "tester".to_owned(),
            value: value.to_owned(),
        }]
    };
    match part {
        Part::Stimulus => binding("sends"),
        Part::Observation => binding("awaits"),
        Part::Time | Part::Hidden => Vec::new(),
    }
}

/// Concrete values of everything that the tester sends, in order.
pub(super) fn stimuli(
    test: &TestCase,
    tree: &Tree,
    values: &mut Assignment,
    terms: &Terms,
) -> Vec<Vec<String>> {
    test.steps
        .iter()
        .filter(|step| step.part == Part::Stimulus)
        .filter_map(|step| step.label.message())
        .map(|message| {
            message
                .fields
                .iter()
                .filter_map(|field| tree.value(field.value, values, terms))
                .map(|value| terms.print_value(&value))
                .collect()
        })
        .collect()
}
