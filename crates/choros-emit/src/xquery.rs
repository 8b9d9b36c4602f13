//! Properties as XQuery 3.0, so that the published route stays usable and can be compared.
//!
//! Algorithm 10 of Nguyen's thesis, in the form of Listing 4.3: a sliding window of n + d messages, the context in
//! its first n, a consequence among the others.
//! The query gives one truth value per window whose context was seen.
//! The condition of a message stands under the condition that all its operations are defined (ADR 0005).
//! `@receiver` of the listing is written `@destination`, as its own messages have it; a negative property wraps its
//! consequence in `not(…)`.

use choros_data::{Op, Term, TermKind, Terms, Value, Var};
use choros_model::stg::Direction;
use choros_query::property::{CandidateEvent, Part, Property, Sense, Window};
use rustc_hash::FxHashMap;

/// The query of a local property.
///
/// What Prop-tester's queries cannot say (windows in time, correlation, sessions) stands in a comment on top.
pub fn xquery(property: &Property, terms: &mut Terms) -> String {
    let mut paths: FxHashMap<Var, String> = FxHashMap::default();
    let mut out = String::new();
    let count = property.context.len();
    let distance = match property.window {
        Window::Messages(distance) => distance,
        Window::Milliseconds(length) => {
            out.push_str(&format!(
                "(: `within {length} ms` has no counterpart: one message is examined :)\n"
            ));
            1
        }
    };
    if property.correlation.is_some() || property.per_session {
        out.push_str("(: correlation and sessions have no counterpart :)\n");
    }
    let mut tests = Vec::new();
    for (position, event) in property.context.iter().enumerate() {
        // The message that opens the window has a name of its own in the start condition.
        let name = format!("$e{}", position + 1);
        tests.push(test(event, &name, &mut paths, terms));
    }
    let opening = test(&property.context[0], "$s", &mut FxHashMap::default(), terms);
    out.push_str(&format!(
        "for $w in (\n  for sliding window $win in $stream//message\n  start $s at $spos when {opening}\n  end $e at \
         $epos when $epos - $spos eq {}\n  return <window>{{$win}}</window> ) return\n",
        (count as u64).saturating_add(distance) - 1
    ));
    out.push_str("for $e1 in $w/message[1] return\n");
    for (position, test) in tests.iter().enumerate().skip(1) {
        let number = position + 1;
        out.push_str(&format!(
            "for $e{number} in $w/message[{number}] where {test} return\n"
        ));
    }
    let some: Vec<String> = property
        .consequence
        .iter()
        .enumerate()
        .map(|(position, event)| {
            let name = format!("$e1{}", position + 1);
            let mut known = paths.clone();
            let test = test(event, &name, &mut known, terms);
            format!("(some {name} in $w//message[position() > {count}] satisfies {test})")
        })
        .collect();
    let some = some.join(" or\n  ");
    out.push_str(&match property.sense {
        Sense::Expect => format!("( {some} )\n"),
        Sense::Never => format!("( not({some}) )\n"),
    });
    out
}

/// Whether a message validates an event; from then on the paths of its variables are known.
fn test(
    event: &CandidateEvent,
    message: &str,
    paths: &mut FxHashMap<Var, String>,
    terms: &mut Terms,
) -> String {
    let mut parts = Vec::new();
    let attributes = [
        ("name", event.operation.as_deref()),
        ("source", event.from.as_deref()),
        ("destination", event.to.as_deref()),
        (
            "direction",
            match event.direction {
                Some(Direction::Send) => Some("sending"),
                Some(Direction::Receive) => Some("reception"),
                _ => None,
            },
        ),
    ];
    for (name, value) in attributes {
        if let Some(value) = value {
            parts.push(format!("{message}/@{name} eq {}", text(value)));
        }
    }
    for binding in &event.bindings {
        let path = match &binding.part {
            Part::Data(path) => path.replace('.', "/"),
            Part::At => "@tstamp".to_owned(),
            Part::Id => "@id".to_owned(),
            Part::Session => "@session".to_owned(),
            Part::From => "@source".to_owned(),
            Part::To => "@destination".to_owned(),
            Part::Operation => "@name".to_owned(),
        };
        let path = format!("{message}/{path}");
        if !path.contains("/@") {
            parts.push(format!("exists({path})"));
        }
        if let Some(var) = binding.var {
            paths.insert(var, path);
        }
    }
    if let Some(term) = event
        .condition
        .as_ref()
        .and_then(|condition| condition.term)
    {
        // An undefined operation makes the condition false; XQuery would raise an error, or make it infinite.
        let defined = terms.defined(term);
        let condition = expression(term, paths, terms);
        parts.push(match defined {
            Term::TRUE => format!("({condition})"),
            defined => format!(
                "(if ({}) then {condition} else false())",
                expression(defined, paths, terms)
            ),
        });
    }
    if parts.is_empty() {
        "true()".to_owned()
    } else {
        parts.join(" and ")
    }
}

/// A condition; numbers are read with `number()` where they are used as such.
fn expression(term: Term, paths: &FxHashMap<Var, String>, terms: &Terms) -> String {
    // Depth is limited by the parser of expressions.
    let go = |term: Term| expression(term, paths, terms);
    let number = |term: Term| match terms.kind(term) {
        TermKind::Variable(_) => format!("number({})", expression(term, paths, terms)),
        _ => expression(term, paths, terms),
    };
    match terms.kind(term) {
        TermKind::Variable(variable) => paths
            .get(&variable)
            .cloned()
            .unwrap_or_else(|| terms.variable_text(variable).to_owned()),
        TermKind::Constant(value) => match value {
            Value::String(words) => text(words),
            Value::Atom { name, .. } => text(terms.names.text(*name)),
            Value::Bool(value) => format!("{value}()"),
            // Whole numbers are written without a point, as the listing has them.
            Value::Real(value) if value.is_integer() => value.numer().to_string(),
            Value::Real(value) => format!("({} div {})", value.numer(), value.denom()),
            other => terms.print_value(other),
        },
        TermKind::Quantified(..) => "false()".to_owned(),
        TermKind::Apply(op, arguments) => {
            let infix = |sign: &str, part: &dyn Fn(Term) -> String| {
                let parts: Vec<String> = arguments.iter().map(|&argument| part(argument)).collect();
                format!("({})", parts.join(&format!(" {sign} ")))
            };
            let is_number = |&argument: &Term| match terms.kind(argument) {
                TermKind::Constant(value) => matches!(value, Value::Int(_) | Value::Real(_)),
                TermKind::Apply(op, _) => !matches!(op, Op::Concat | Op::If),
                _ => false,
            };
            match op {
                Op::And => infix("and", &go),
                Op::Or => infix("or", &go),
                Op::Not => format!("not({})", go(arguments[0])),
                Op::Implies => format!("(not({}) or {})", go(arguments[0]), go(arguments[1])),
                Op::Equal | Op::NotEqual => {
                    let sign = if op == Op::Equal { "eq" } else { "ne" };
                    if arguments.iter().any(is_number) {
                        infix(sign, &number)
                    } else {
                        infix(sign, &go)
                    }
                }
                Op::Less => infix("lt", &number),
                Op::LessEqual => infix("le", &number),
                Op::Greater => infix("gt", &number),
                Op::GreaterEqual => infix("ge", &number),
                Op::Add => infix("+", &number),
                Op::Subtract => infix("-", &number),
                Op::Multiply => infix("*", &number),
                Op::Divide => infix("div", &number),
                Op::IntegerDivide => infix("idiv", &number),
                Op::Modulo => infix("mod", &number),
                Op::Negate => format!("(-{})", number(arguments[0])),
                Op::Length => format!("string-length({})", go(arguments[0])),
                Op::Concat => {
                    let parts: Vec<String> =
                        arguments.iter().map(|&argument| go(argument)).collect();
                    format!("concat({})", parts.join(", "))
                }
                Op::Prefix => format!("starts-with({}, {})", go(arguments[1]), go(arguments[0])),
                Op::Contains => format!("contains({}, {})", go(arguments[0]), go(arguments[1])),
                Op::If => format!(
                    "(if ({}) then {} else {})",
                    go(arguments[0]),
                    go(arguments[1]),
                    go(arguments[2])
                ),
                // The reader of properties refuses records and lists.
                _ => "false()".to_owned(),
            }
        }
    }
}

fn text(words: &str) -> String {
    format!("\"{}\"", words.replace('&', "&amp;").replace('"', "\"\""))
}
