//! Looking for the smallest input that fails in the same way.
//!
//! Every part of what was sent is replaced by nothing (zero, false, the empty text, the empty list) and the test is run
//! again; where it passes then, numbers and lengths between the one that passes and the one that fails are tried by
//! halves. So no part can be made smaller while the others stay as they are, provided that the service fails for all
//! values after the smallest one for which it does: where it has holes, a larger one may be found.

use choros_data::Value;
use num_bigint::BigInt;

use super::message::ConcreteMessage;

/// A run with other values: what was sent, which need not be what was wanted, and whether it failed as before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    pub sent: Vec<ConcreteMessage>,
    /// Whether it failed as before.
    pub fails: bool,
}

/// How the search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShrinkResult {
    /// Nothing can be made smaller.
    Smallest,
    /// There was no time for more runs.
    CutShort,
}

/// Where a part is: the number of the message, of its value, and positions in records and lists.
type Way = Vec<usize>;

/// Makes what was sent smaller, part by part; `run` tries it, and says `None` when it is enough.
pub fn shrink<E>(
    mut sent: Vec<ConcreteMessage>,
    mut run: impl FnMut(&[ConcreteMessage]) -> Result<Option<Trial>, E>,
) -> Result<ShrinkResult, E> {
    let mut next = ways(&sent);
    next.reverse();
    let mut passing: Vec<(Way, Value)> = Vec::new();
    while let Some(way) = next.pop() {
        let Some(value) = get(&sent, &way).cloned() else {
            continue;
        };
        let mut is_smaller = false;
        for smaller in smaller(&value) {
            let Some(trial) = run(&with(&sent, &way, smaller))? else {
                return Ok(ShrinkResult::CutShort);
            };
            let tried = get(&trial.sent, &way).cloned();
            if trial.fails && tried.as_ref() != Some(&value) {
                sent = trial.sent;
                is_smaller = true;
                break;
            }
            passing.extend(tried.map(|tried| (way.clone(), tried)));
        }
        // A shorter list may become shorter still; of one that cannot, the elements are examined.
        if let Some(Value::List { items, .. }) = get(&sent, &way) {
            if is_smaller {
                next.push(way);
                continue;
            }
            let below = (0..items.len()).rev();
            next.extend(below.flat_map(|item| parts([&way[..], &[item]].concat(), &items[item])));
        }
    }
    for (way, mut low) in passing {
        while let Some(high) = get(&sent, &way).cloned()
            && let Some(middle) = between(&low, &high)
        {
            let Some(trial) = run(&with(&sent, &way, middle.clone()))? else {
                return Ok(ShrinkResult::CutShort);
            };
            match get(&trial.sent, &way) {
                // What is between cannot be sent.
                tried if tried != Some(&middle) => break,
                _ if trial.fails => sent = trial.sent,
                _ => low = middle,
            }
        }
    }
    Ok(ShrinkResult::Smallest)
}

fn ways(sent: &[ConcreteMessage]) -> Vec<Way> {
    let mut found = Vec::new();
    for (message, one) in sent.iter().enumerate() {
        for (field, value) in one.values.iter().enumerate() {
            let mut below = parts(vec![message, field], value);
            below.reverse();
            found.extend(below);
        }
    }
    found
}

/// The parts of a value that are not records, the last one first.
fn parts(way: Way, value: &Value) -> Vec<Way> {
    let mut found = Vec::new();
    let mut work = vec![(way, value)];
    while let Some((way, value)) = work.pop() {
        match value {
            Value::Record { fields, .. } => {
                let fields = fields.iter().enumerate();
                work.extend(fields.map(|(at, field)| ([&way[..], &[at]].concat(), field)));
            }
            _ => found.push(way),
        }
    }
    found
}

fn get<'v>(sent: &'v [ConcreteMessage], way: &[usize]) -> Option<&'v Value> {
    let [message, field, rest @ ..] = way else {
        return None;
    };
    let mut at = sent.get(*message)?.values.get(*field)?;
    for &position in rest {
        at = match at {
            Value::Record { fields: parts, .. } | Value::List { items: parts, .. } => {
                parts.get(position)?
            }
            _ => return None,
        };
    }
    Some(at)
}

fn with(sent: &[ConcreteMessage], way: &[usize], value: Value) -> Vec<ConcreteMessage> {
    let mut changed = sent.to_vec();
    let [message, field, rest @ ..] = way else {
        return changed;
    };
    let mut at = changed
        .get_mut(*message)
        .and_then(|it| it.values.get_mut(*field));
    for &position in rest {
        at = match at {
            Some(Value::Record { fields: parts, .. } | Value::List { items: parts, .. }) => {
                parts.get_mut(position)
            }
            _ => None,
        };
    }
    if let Some(at) = at {
        *at = value;
    }
    changed
}

/// What is tried in place of a value: nothing, and lists without one of their elements.
fn smaller(value: &Value) -> Vec<Value> {
    let nothing = match value {
        Value::Bool(true) => Value::Bool(false),
        Value::Int(_) => Value::int(0),
        Value::Real(_) => Value::Real(BigInt::from(0).into()),
        Value::String(_) => Value::text(""),
        Value::Constructor { sort, .. } => Value::Constructor {
            sort: *sort,
            index: 0,
        },
        Value::List { sort, .. } => Value::List {
            sort: *sort,
            items: Vec::new(),
        },
        Value::Bool(false) | Value::Atom { .. } | Value::Record { .. } => return Vec::new(),
    };
    if nothing == *value {
        return Vec::new();
    }
    let mut tried = vec![nothing];
    if let Value::List { sort, items } = value
        && items.len() > 1
    {
        for left_out in (0..items.len()).rev() {
            let mut items = items.clone();
            items.remove(left_out);
            tried.push(Value::List { sort: *sort, items });
        }
    }
    tried
}

/// Half way from one that passes to one that fails; none if they are neighbours.
fn between(low: &Value, high: &Value) -> Option<Value> {
    let middle = match (low, high) {
        (Value::Int(low), Value::Int(high)) => Value::Int(low + (high - low) / 2),
        (Value::Real(low), Value::Real(high)) => {
            Value::Real((low + (high - low) / BigInt::from(2)).trunc())
        }
        (Value::String(low), Value::String(high)) => {
            let (short, long) = (low.chars().count(), high.chars().count());
            let length = short + long.checked_sub(short)? / 2;
            Value::text(high.chars().take(length).collect::<String>())
        }
        _ => return None,
    };
    let is_inside = match (low, &middle, high) {
        (Value::Real(low), Value::Real(middle), Value::Real(high)) => {
            low.min(high) < middle && middle < low.max(high)
        }
        (Value::String(low), Value::String(middle), Value::String(_)) => {
            middle.chars().count() > low.chars().count()
        }
        _ => true,
    };
    (is_inside && middle != *low && middle != *high).then_some(middle)
}

#[cfg(test)]
mod tests {
    use choros_data::{Sort, SortKind, Terms};
    use choros_model::stg::{Operation, Role};

    use super::*;

    /// A request with an amount, a name and a list of numbers.
    fn request(amount: i64, name: &str, numbers: &[i64], terms: &mut Terms) -> ConcreteMessage {
        let list = terms.list_sort(Sort::INT);
        let labels = ["amount", "name", "numbers"].map(|label| terms.names.intern(label));
        let sorts = [Sort::INT, Sort::STRING, list];
        let sort = terms.sort(SortKind::Record(labels.into_iter().zip(sorts).collect()));
        let role = Role(labels[0]);
        ConcreteMessage {
            operation: Operation(labels[0]),
            from: role,
            to: role,
            fault: None,
            values: vec![Value::Record {
                sort,
                fields: vec![
                    Value::int(amount),
                    Value::text(name),
                    Value::List {
                        sort: list,
                        items: numbers.iter().map(|&it| Value::int(it)).collect(),
                    },
                ],
            }],
        }
    }

    /// The smallest request that is found, how the search ended, and how many runs it took.
    fn found(
        first: ConcreteMessage,
        limit: usize,
        fails: impl Fn(&ConcreteMessage) -> bool,
    ) -> (ConcreteMessage, ShrinkResult, usize) {
        let mut best = first.clone();
        let mut runs = 0;
        let end = shrink(vec![first], |sent| {
            if runs == limit {
                return Ok::<_, ()>(None);
            }
            runs += 1;
            let fails = fails(&sent[0]);
            if fails {
                best = sent[0].clone();
            }
            Ok(Some(Trial {
                sent: sent.to_vec(),
                fails,
            }))
        });
        (best, end.expect("no error"), runs)
    }

    fn part(message: &ConcreteMessage, position: usize) -> Value {
        match &message.values[0] {
            Value::Record { fields, .. } => fields[position].clone(),
            other => other.clone(),
        }
    }

    #[test]
    fn a_limit_is_found_by_halves_and_what_is_no_matter_goes_away() {
        let mut terms = Terms::new();
        let first = request(1_000_000, "Simpson", &[3, 4], &mut terms);
        let fails = |it: &ConcreteMessage| matches!(part(it, 0), Value::Int(amount) if amount > BigInt::from(9_000));
        let (smallest, end, runs) = found(first.clone(), 100, fails);
        assert_eq!(smallest, request(9_001, "", &[], &mut terms));
        assert_eq!(end, ShrinkResult::Smallest);
        assert!(runs < 30, "{runs}");
        let (smaller, end, runs) = found(first, 5, fails);
        assert_eq!((end, runs), (ShrinkResult::CutShort, 5));
        assert_eq!(part(&smaller, 1), Value::text(""));
    }

    #[test]
    fn elements_of_lists_and_lengths_of_texts_are_looked_at() {
        let mut terms = Terms::new();
        let first = request(5, "abcdefgh", &[7, 8, 9], &mut terms);
        let fails = |it: &ConcreteMessage| {
            let long = matches!(part(it, 1), Value::String(text) if text.len() >= 3);
            let listed = matches!(part(it, 2), Value::List { items, .. }
                if items.iter().any(|it| matches!(it, Value::Int(it) if *it >= BigInt::from(4))));
            long && listed
        };
        let (smallest, end, _) = found(first, 100, fails);
        assert_eq!(smallest, request(0, "abc", &[4], &mut terms));
        assert_eq!(end, ShrinkResult::Smallest);
    }
}
