//! Which actions a formula speaks of: definitions 2.7, 2.8 and 2.10.

use choros_base::{Name, Names};

use super::formula::{Actions, Argument, Atom, Variable};
use super::print::literal;

/// An action or proposition without variables, as abstraction rules make them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GroundAction {
    /// Its type.
    pub kind: Name,
    /// Interaction and correlation data.
    pub arguments: Vec<Name>,
}

/// How many arguments an action of a formula must name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Arity {
    /// `request(i)` speaks of `request(i,1)` too: what plays no role may be left out at the end.
    #[default]
    Prefix,
    /// Definition 2.8 to the letter: as many arguments as the action has.
    Exact,
}

/// Values for variables.
pub type Bindings = Vec<(Variable, Name)>;

/// What the binders of `atom` become when it is matched with `closed`; `None` where they do not match.
///
/// A variable that has no value matches nothing.
pub fn match_atom(
    atom: &Atom,
    closed: &GroundAction,
    values: &dyn Fn(Variable) -> Option<Name>,
    arity: Arity,
) -> Option<Bindings> {
    let fits = match arity {
        Arity::Prefix => atom.arguments.len() <= closed.arguments.len(),
        Arity::Exact => atom.arguments.len() == closed.arguments.len(),
    };
    // Conditions are about data that only graphs have; they are asked there alone.
    if atom.kind != closed.kind || !fits || !atom.conditions.is_empty() || !atom.labels.is_empty() {
        return None;
    }
    let mut bindings = Bindings::new();
    for (argument, &value) in atom.arguments.iter().zip(&closed.arguments) {
        match *argument {
            Argument::Binder(variable) => bindings.push((variable, value)),
            Argument::Any => {}
            Argument::Value(wanted) if wanted == value => {}
            Argument::Use(variable) if values(variable) == Some(value) => {}
            Argument::Value(_) | Argument::Use(_) | Argument::Part(..) => return None,
        }
    }
    Some(bindings)
}

/// All ways in which a step with these actions satisfies an action formula, in the order of the actions.
///
/// None where it does not; one empty one where it does and nothing is bound.
pub fn match_actions(
    actions: &Actions,
    step: &[GroundAction],
    values: &dyn Fn(Variable) -> Option<Name>,
    arity: Arity,
) -> Vec<Bindings> {
    if let Actions::Atom(atom) = actions {
        let mut found: Vec<Bindings> = Vec::new();
        for closed in step {
            if let Some(bindings) = match_atom(atom, closed, values, arity)
                && !found.contains(&bindings)
            {
                found.push(bindings);
            }
        }
        return found;
    }
    if satisfied(actions, step, values, arity) {
        vec![Bindings::new()]
    } else {
        Vec::new()
    }
}

/// Whether a step with these actions satisfies an action formula without binders.
fn satisfied(
    actions: &Actions,
    step: &[GroundAction],
    values: &dyn Fn(Variable) -> Option<Name>,
    arity: Arity,
) -> bool {
    let inner = |part: &Actions| satisfied(part, step, values, arity);
    match actions {
        Actions::Constant(value) => *value,
        Actions::Silent => step.is_empty(),
        Actions::Atom(atom) => step
            .iter()
            .any(|closed| match_atom(atom, closed, values, arity).is_some()),
        Actions::Not(part) => !inner(part),
        Actions::And(parts) => parts.iter().all(inner),
        Actions::Or(parts) => parts.iter().any(inner),
    }
}

impl GroundAction {
    /// The action as text: `request(charge,id1)`.
    pub fn print(&self, names: &Names) -> String {
        let kind = literal(names.text(self.kind));
        if self.arguments.is_empty() {
            return kind;
        }
        let arguments: Vec<String> = self
            .arguments
            .iter()
            .map(|&argument| literal(names.text(argument)))
            .collect();
        format!("{kind}({})", arguments.join(","))
    }
}
