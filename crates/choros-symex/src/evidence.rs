//! Test cases as evidence: a run of each.

use crate::{Part, TestCase, Tree, TreeLabel};
use choros_data::{Assignment, Terms};
use choros_model::evidence::{Binding, Step, StepEvent, Trace};

impl TestCase {
    /// One run that takes the path of a test, with values; over symbols where no values are known.
    pub fn trace(&self, tree: &Tree, concrete: bool, terms: &Terms) -> Trace {
        let mut values = if concrete {
            tree.concrete(self.end, terms)
        } else {
            None
        };
        let has_values = values.is_some();
        let mut trace = Trace {
            conclusion: match (self.terminating, concrete && !has_values) {
                (_, true) => "no values were found for the symbols of this path".to_owned(),
                (true, _) => "the service has ended".to_owned(),
                (false, _)
                    if matches!(
                        self.steps.last().map(|it| &it.label),
                        Some(TreeLabel::Raise(_))
                    ) =>
                {
                    "the service has stopped with a fault".to_owned()
                }
                (false, _) => "the path was not followed further".to_owned(),
            },
            ..Trace::default()
        };
        for step in &self.steps {
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

    /// Concrete values of everything that the tester sends, in order.
    pub fn stimuli(&self, tree: &Tree, values: &mut Assignment, terms: &Terms) -> Vec<Vec<String>> {
        self.steps
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
