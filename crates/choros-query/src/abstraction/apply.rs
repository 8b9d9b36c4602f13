//! What rules make of actions.
//!
//! Several rules may match one action: a step then has several abstract actions at once, a set.
//! Matching is that of section 5.2: `*` matches everything, a literal itself, a metavariable a value; a variable that
//! has no value yet is matched by `*` alone.

use choros_base::{Name, Names};
use choros_model::stg::Direction;

use super::activity::AbstractActivity;
use super::rule::{Part, Rule, RuleArgument, Subject};
use crate::socl::GroundAction;

/// How concrete actions and states become those of formulas.
#[derive(Debug, Clone)]
pub enum Abstraction {
    Rules(Vec<Rule>),
    /// Every action stands for itself: `bank.charge<1>` is `charge(1)`; a state has `receiving(charge)`,
    /// `invoking(charge)` or `enabled(charge)` for what it is ready for.
    Identity,
}

/// What a state is ready for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StateLabels {
    /// What the model says about its states.
    #[default]
    Model,
    /// The steps that leave it: for models that say nothing about their states.
    Steps,
}

impl Abstraction {
    /// The actions of a step, in the order of the rules; each rule that matched is marked in `used`.
    pub fn actions(&self, activity: &AbstractActivity, used: &mut [bool]) -> Vec<GroundAction> {
        match self {
            Abstraction::Identity => vec![GroundAction {
                kind: activity.operation,
                arguments: activity.arguments.iter().flatten().copied().collect(),
            }],
            Abstraction::Rules(rules) => apply(rules, Subject::Action, activity, used),
        }
    }

    /// The propositions that something a state is ready for makes true.
    pub fn propositions(
        &self,
        activity: &AbstractActivity,
        names: &mut Names,
        used: &mut [bool],
    ) -> Vec<GroundAction> {
        match self {
            Abstraction::Identity => {
                let kind = names.intern(match activity.direction {
                    Direction::Receive => "receiving",
                    Direction::Send => "invoking",
                    Direction::Interaction => "enabled",
                });
                let mut arguments = vec![activity.operation];
                arguments.extend(activity.arguments.iter().map_while(|argument| *argument));
                vec![GroundAction { kind, arguments }]
            }
            Abstraction::Rules(rules) => apply(rules, Subject::State, activity, used),
        }
    }

    /// The rules; none for [`Abstraction::Identity`].
    pub fn rules(&self) -> &[Rule] {
        match self {
            Abstraction::Rules(rules) => rules,
            Abstraction::Identity => &[],
        }
    }
}

fn apply(
    rules: &[Rule],
    subject: Subject,
    activity: &AbstractActivity,
    used: &mut [bool],
) -> Vec<GroundAction> {
    let mut made: Vec<GroundAction> = Vec::new();
    for (rule, used) in rules.iter().zip(used) {
        if rule.subject != subject {
            continue;
        }
        if let Some(closed) = rule.apply(activity) {
            *used = true;
            if !made.contains(&closed) {
                made.push(closed);
            }
        }
    }
    made
}

impl Rule {
    /// What the rule makes of an activity of its subject, if it matches.
    pub fn apply(&self, activity: &AbstractActivity) -> Option<GroundAction> {
        let direction = match (self.subject, self.direction) {
            (_, Some(direction)) => activity.direction == direction,
            (Subject::Action, None) => true,
            // A state rule without a direction is about what is offered, not about what is asked for.
            (Subject::State, None) => activity.direction != Direction::Send,
        };
        if !direction {
            return None;
        }
        let mut values: Vec<(Name, Name)> = Vec::new();
        match_part(self.partner, activity.partner, &mut values)?;
        match_part(self.operation, Some(activity.operation), &mut values)?;
        if let Some((from, to)) = self.ends {
            let (sender, receiver) = activity.ends?;
            match_part(from, Some(sender), &mut values)?;
            match_part(to, Some(receiver), &mut values)?;
        }
        if let Some(tuple) = &self.tuple {
            if tuple.len() != activity.arguments.len() {
                return None;
            }
            for (part, argument) in tuple.iter().zip(&activity.arguments) {
                match_part(*part, *argument, &mut values)?;
            }
        }
        let value = |meta: Name| values.iter().find(|(name, _)| *name == meta).map(|it| it.1);
        let arguments = self
            .template
            .arguments
            .iter()
            .map(|argument| match argument {
                RuleArgument::Value(value) => Some(*value),
                RuleArgument::Meta(meta) => value(*meta),
            })
            .collect::<Option<Vec<Name>>>()?;
        Some(GroundAction {
            kind: self.template.kind,
            arguments,
        })
    }
}

/// `None` is a variable, or a part that the model does not know.
fn match_part(part: Part, value: Option<Name>, values: &mut Vec<(Name, Name)>) -> Option<()> {
    match (part, value) {
        (Part::Any, _) => Some(()),
        (Part::Value(wanted), Some(value)) => (wanted == value).then_some(()),
        (Part::Meta(meta), Some(value)) => {
            // Substitutions are joined only if they are disjoint.
            if values.iter().any(|(name, _)| *name == meta) {
                return None;
            }
            values.push((meta, value));
            Some(())
        }
        (Part::Value(_) | Part::Meta(_), None) => None,
    }
}
