//! Rules that match nothing in a system that is known as a whole.

use choros_base::{Names, nearest};
use choros_model::lts::ActionId;
use choros_query::abstraction::{
    AbstractActivity, Abstraction, Part, Rule, StateLabels, Subject, activity,
};
use choros_query::questions::Alphabet;
use rustc_hash::FxHashSet;

use crate::abstract_labels::AbstractLabels;
use crate::unfolding::UnfoldedLts;

/// A rule that matches nothing, and what it perhaps should match.
#[derive(Debug, Clone)]
pub struct UnusedRule {
    pub rule: Rule,
    /// What the system has instead, in words.
    pub hint: Option<String>,
}

/// The rules that match nothing; none while a part of the system is not known.
pub fn unused_rules(
    graph: &mut UnfoldedLts<'_>,
    labels: &mut AbstractLabels,
    names: &mut Names,
) -> Vec<UnusedRule> {
    if !graph.is_complete() || labels.rules().all(|(_, used)| used) {
        return Vec::new();
    }
    let by_steps = labels.state_labels == StateLabels::Steps;
    let mut actions: FxHashSet<ActionId> = FxHashSet::default();
    let mut ready: FxHashSet<ActionId> = FxHashSet::default();
    let mut steps: Vec<ActionId> = Vec::new();
    let mut propositions: Vec<ActionId> = Vec::new();
    for state in 0..graph.found() {
        for position in graph.steps(state) {
            let (action, _) = graph.step(position);
            if actions.insert(action) {
                steps.push(action);
                labels.label(action, graph.system(), names);
                if by_steps {
                    labels.propositions(action, graph.system(), names);
                }
            }
        }
    }
    let mut state = 0;
    // Looking at all states is only worth it while some rule about states is unused.
    while !by_steps
        && state < graph.found()
        && labels
            .rules()
            .any(|(rule, used)| !used && rule.subject == Subject::State)
    {
        for position in graph.propositions(state) {
            let action = graph.proposition(position);
            if ready.insert(action) {
                propositions.push(action);
                labels.propositions(action, graph.system(), names);
            }
        }
        state += 1;
    }
    let unused: Vec<Rule> = labels
        .rules()
        .filter(|(_, used)| !used)
        .map(|(rule, _)| rule.clone())
        .collect();
    let mut taken_apart = |actions: &[ActionId]| -> Vec<AbstractActivity> {
        let system = graph.system();
        let activity = |&action| activity(system.action(action), system.terms(), names);
        actions.iter().filter_map(activity).collect()
    };
    let steps = taken_apart(&steps);
    let propositions = if by_steps {
        steps.clone()
    } else {
        taken_apart(&propositions)
    };
    unused
        .into_iter()
        .map(|rule| {
            let among = match rule.subject {
                Subject::Action => &steps,
                Subject::State => &propositions,
            };
            let hint = hint(&rule, among, names);
            UnusedRule { rule, hint }
        })
        .collect()
}

fn hint(rule: &Rule, among: &[AbstractActivity], names: &Names) -> Option<String> {
    let Part::Value(operation) = rule.operation else {
        return None;
    };
    let spelt = names.text(operation);
    let same: Vec<&AbstractActivity> = among
        .iter()
        .filter(|activity| activity.operation == operation)
        .collect();
    if same.is_empty() {
        let known = among.iter().map(|activity| names.text(activity.operation));
        let missing = match rule.subject {
            Subject::Action => format!("no step of the model is called `{spelt}`"),
            Subject::State => format!("no state of the model is ready for `{spelt}`"),
        };
        return Some(match nearest(spelt, known) {
            Some(similar) => format!("{missing}, but there is `{similar}`"),
            None => missing,
        });
    }
    let tuple = rule.tuple.as_ref()?;
    let mut sizes: Vec<usize> = same.iter().map(|it| it.arguments.len()).collect();
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.contains(&tuple.len()) {
        return None;
    }
    let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
    Some(format!(
        "`{spelt}` has {} values in the model and {} in the rule",
        sizes.join(" or "),
        tuple.len()
    ))
}

/// What steps and states of a system can be called: what its rules make, or without rules what was seen of a system
/// that is known as a whole.
pub fn explored_alphabet(
    graph: &mut UnfoldedLts<'_>,
    labels: &mut AbstractLabels,
    names: &mut Names,
) -> Option<Alphabet> {
    if let Abstraction::Rules(rules) = labels.abstraction() {
        return Some(Alphabet::of_rules(rules));
    }
    if !graph.is_complete() {
        return None;
    }
    let by_steps = labels.state_labels == StateLabels::Steps;
    let mut found = Alphabet::default();
    for state in 0..graph.found() {
        let mut ready = Vec::new();
        for position in graph.steps(state) {
            let action = graph.step(position).0;
            let label = labels.label(action, graph.system(), names);
            found
                .actions
                .extend(labels.actions(label).iter().map(|it| it.kind));
            ready.push(action);
        }
        if !by_steps {
            ready = graph
                .propositions(state)
                .map(|it| graph.proposition(it))
                .collect();
        }
        for action in ready {
            let made = labels.propositions(action, graph.system(), names);
            found.propositions.extend(made.iter().map(|it| it.kind));
        }
    }
    Some(found)
}
