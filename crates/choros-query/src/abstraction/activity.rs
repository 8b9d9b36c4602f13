//! What a rule looks at: an action of any model, taken apart.

use choros_base::{Name, Names};
use choros_data::{Terms, Value};
use choros_model::lts::{Action, Argument};
use choros_model::stg::Direction;

/// A step, or something that a state is ready for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AbstractActivity {
    /// Who offers the operation: the partner of an endpoint, the receiver of a message.
    pub partner: Option<Name>,
    /// Sender and receiver, where the model knows both.
    pub ends: Option<(Name, Name)>,
    /// The operation, or the whole label where it cannot be taken apart.
    pub operation: Name,
    /// Whose view it is.
    pub direction: Direction,
    /// Its data; `None` is a variable that has no value yet.
    pub arguments: Vec<Option<Name>>,
}

/// An action taken apart; `None` for those that no one observes, which no rule speaks of.
///
/// Labels that are mere text, as those of `.aut` files, are taken apart where they look like `p.o<a,b>`,
/// `o(a,b)`, `o[from,to](a)`, `o !a !b` or `tick of a`.
pub fn activity(action: &Action, terms: &Terms, names: &mut Names) -> Option<AbstractActivity> {
    let (name, ends, direction, arguments) = match action {
        Action::Silent | Action::Hidden(_) => return None,
        Action::Offered {
            by,
            name,
            direction,
            arguments,
        } => {
            return Some(AbstractActivity {
                partner: Some(names.intern(terms.names.text(*by))),
                ends: None,
                operation: names.intern(terms.names.text(*name)),
                direction: *direction,
                arguments: arguments
                    .iter()
                    .map(|argument| match argument {
                        Argument::Value(value) => Some(datum(value, terms, names)),
                        Argument::Variable(_) => None,
                    })
                    .collect(),
            });
        }
        Action::Named {
            name,
            ends,
            direction,
            arguments,
        } => (name, ends, direction, arguments),
    };
    let text = terms.names.text(*name);
    if let Some((from, to)) = ends {
        let from = names.intern(terms.names.text(*from));
        let to = names.intern(terms.names.text(*to));
        return Some(AbstractActivity {
            partner: Some(to),
            ends: Some((from, to)),
            operation: names.intern(text),
            direction: *direction,
            arguments: data(arguments, terms, names),
        });
    }
    if !arguments.is_empty() {
        let (partner, operation) = endpoint(text);
        return Some(AbstractActivity {
            partner: partner.map(|partner| names.intern(partner)),
            ends: None,
            operation: names.intern(operation),
            direction: *direction,
            arguments: data(arguments, terms, names),
        });
    }
    Some(label(text, *direction, names))
}

fn data(arguments: &[Value], terms: &Terms, names: &mut Names) -> Vec<Option<Name>> {
    arguments
        .iter()
        .map(|value| Some(datum(value, terms, names)))
        .collect()
}

/// The text of a value; that of a string without quotes.
fn datum(value: &Value, terms: &Terms, names: &mut Names) -> Name {
    match value {
        Value::String(text) => names.intern(text),
        other => names.intern(&terms.print_value(other)),
    }
}

fn endpoint(text: &str) -> (Option<&str>, &str) {
    match text.split_once('.') {
        Some((partner, operation)) if !partner.is_empty() && !operation.is_empty() => {
            (Some(partner), operation)
        }
        _ => (None, text),
    }
}

/// A label that is text.
fn label(text: &str, direction: Direction, names: &mut Names) -> AbstractActivity {
    let (head, arguments) = arguments_of(text);
    let (head, direction) = match (head.strip_suffix('!'), head.strip_suffix('?')) {
        (Some(head), _) if !head.is_empty() => (head, Direction::Send),
        (_, Some(head)) if !head.is_empty() => (head, Direction::Receive),
        _ => (head, direction),
    };
    let mut operation = head;
    let mut ends = None;
    if let Some((name, inside)) = head.strip_suffix(']').and_then(|it| it.split_once('['))
        && let Some((from, to)) = inside.split_once(',')
    {
        operation = name;
        ends = Some((names.intern(from.trim()), names.intern(to.trim())));
    }
    let (mut partner, mut operation) = match ends {
        Some((_, to)) => (Some(to), operation),
        None => {
            let (partner, operation) = endpoint(operation);
            (partner.map(|partner| names.intern(partner)), operation)
        }
    };
    if operation.is_empty() {
        (partner, operation) = (None, text);
    }
    AbstractActivity {
        partner,
        ends,
        operation: names.intern(operation),
        direction,
        arguments: arguments
            .into_iter()
            .map(|argument| Some(names.intern(argument)))
            .collect(),
    }
}

/// What stands before the data, and the data.
fn arguments_of(text: &str) -> (&str, Vec<&str>) {
    // Time that passes on the clock of a role: a formula asks for `tick`, or for `tick(order)`.
    if let Some(role) = text.strip_prefix("tick of ") {
        return ("tick", vec![role.trim()]);
    }
    for (open, close) in [('<', '>'), ('(', ')')] {
        if let Some((head, inside)) = text.strip_suffix(close).and_then(|it| it.split_once(open))
            && !head.is_empty()
        {
            let arguments = match inside.trim() {
                "" => Vec::new(),
                inside => inside.split(',').map(str::trim).collect(),
            };
            return (head.trim_end(), arguments);
        }
    }
    if let Some((head, offers)) = text.split_once(" !") {
        return (head.trim_end(), offers.split('!').map(str::trim).collect());
    }
    (text, Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken_apart(text: &str) -> String {
        let mut names = Names::new();
        let activity = label(text, Direction::Interaction, &mut names);
        let name = |name: Name| names.text(name).to_owned();
        let arguments: Vec<String> = activity
            .arguments
            .iter()
            .flatten()
            .map(|&it| name(it))
            .collect();
        format!(
            "{} {} {:?} {arguments:?}",
            activity.partner.map_or("-".to_owned(), name),
            name(activity.operation),
            activity.direction
        )
    }

    #[test]
    fn labels_that_are_text() {
        assert_eq!(taken_apart("coin"), "- coin Interaction []");
        assert_eq!(
            taken_apart("bank.charge<c, 1>"),
            "bank charge Interaction [\"c\", \"1\"]"
        );
        assert_eq!(
            taken_apart("bank.charge?<c>"),
            "bank charge Receive [\"c\"]"
        );
        assert_eq!(taken_apart("bank.charge!"), "bank charge Send []");
        assert_eq!(
            taken_apart("request(charge,1)"),
            "- request Interaction [\"charge\", \"1\"]"
        );
        assert_eq!(
            taken_apart("Request[b,v](3)"),
            "v Request Interaction [\"3\"]"
        );
        assert_eq!(taken_apart("REQ !1 !x"), "- REQ Interaction [\"1\", \"x\"]");
        assert_eq!(
            taken_apart("tick of order"),
            "- tick Interaction [\"order\"]"
        );
        assert_eq!(taken_apart("tick"), "- tick Interaction []");
        assert_eq!(taken_apart("<>"), "- <> Interaction []");
        assert_eq!(taken_apart("."), "- . Interaction []");
    }
}
