//! What a role can get wrong, and the runs that show it.

use choros_data::{Term, Terms};
use choros_model::evidence::{Departure, Expected, Step, StepEvent, Trace, Tree, WrongEvent};
use choros_model::stg::{Direction, Edge, EdgeId, FieldValue, NodeId, Stg};
use choros_model::{Evidence, Verdict};

use super::Peers;
use super::protocol::Protocol;
use super::twin::{Move, Twin};
use crate::excess::allowed_events;

/// Where the graph of pairs says that something is wrong.
#[derive(Debug, Clone, Copy)]
pub(super) struct Breach {
    pub(super) what: Wrong,
    /// Its node in the graph of pairs.
    pub(super) node: NodeId,
    /// Whether it is wrong if the node can be reached; otherwise it may be.
    pub(super) certain: bool,
}

/// What is wrong. The edges are those of the choreography.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrong {
    /// *Send coherence*: the role sends this, and in the second run that must not happen next.
    Sends(EdgeId),
    /// *No mixed choice*: the role sends the first, and in the second run it receives the second.
    Mixed(EdgeId, EdgeId),
    /// *Receive coherence*: the role can receive the first; in the second run it is to receive the second, but what it
    /// finds in a queue is the third, of the kind of the first.
    Receives(EdgeId, EdgeId, EdgeId),
    /// In the second run it may be the end, and in the first the role continues.
    Ends,
}

/// The answer that a breach gives, with the runs that lead to it.
pub(super) fn fails(
    protocol: &Protocol,
    twin: &Twin,
    index: usize,
    path: &[EdgeId],
    terms: &Terms,
) -> Peers {
    let stg = protocol.stg();
    let breach = twin.breaches()[index];
    let (mut first, mut second, mut queued) = (Vec::new(), Vec::new(), Vec::new());
    for &edge in path {
        match twin.step(edge) {
            Move::Both(left, right) => {
                first.push(left);
                second.push(right);
                queued.push((right, Direction::Send));
                queued.push((right, Direction::Receive));
            }
            Move::First(left) => first.push(left),
            Move::Second(right) => {
                second.push(right);
                queued.push((right, Direction::Send));
                queued.push((right, Direction::Receive));
            }
            Move::Leave(right) => {
                second.push(right);
                queued.push((right, Direction::Send));
            }
            Move::Chase {
                edge,
                sent,
                received,
            } => {
                second.push(edge);
                if sent {
                    queued.push((edge, Direction::Send));
                }
                if received {
                    queued.push((edge, Direction::Receive));
                }
            }
            Move::Break => {}
        }
    }
    let name = terms.names.text(twin.role.0);
    let heading = |edge: EdgeId| {
        let message = stg.edge(edge).event.message();
        message.map_or_else(String::new, |it| it.shown_heading(terms))
    };
    let received_event = |edge: EdgeId| -> Vec<Expected> {
        let step = step(stg.edge(edge), Direction::Receive, terms);
        let event = step.map(|it| Expected {
            event: it.event,
            guard: None,
        });
        event.into_iter().collect()
    };
    let (reason, conclusion, expected) = match breach.what {
        Wrong::Sends(sent) => {
            let here = second.last().map(|&last| stg.edge(last).target);
            let here = here.unwrap_or(stg.initial());
            first.push(sent);
            queued.push((sent, Direction::Send));
            let sent = heading(sent);
            (
                format!("after one it sends `{sent}`, after the other it must not"),
                format!("`{sent}` was sent, which the choreography allows in no run"),
                allowed_events(stg, &[here], terms),
            )
        }
        Wrong::Mixed(sent, received) => {
            first.push(sent);
            second.push(received);
            queued.push((received, Direction::Send));
            queued.push((sent, Direction::Send));
            let expected = received_event(received);
            let (sent, received) = (heading(sent), heading(received));
            (
                format!(
                    "after one it sends `{sent}`, after the other it must receive `{received}` first"
                ),
                format!("`{sent}` was sent, but `{received}` should be received first"),
                expected,
            )
        }
        Wrong::Receives(expected, other, found) => {
            first.push(expected);
            second.push(found);
            queued.push((found, Direction::Send));
            queued.push((found, Direction::Receive));
            let instead = received_event(other);
            let (expected, other) = (heading(expected), heading(other));
            (
                format!(
                    "after one it receives `{expected}`; after the other it should receive `{other}` first but also finds `{expected}`"
                ),
                format!("`{expected}` was received, but `{other}` should be received first"),
                instead,
            )
        }
        Wrong::Ends => (String::new(), String::new(), Vec::new()),
    };
    let first = first.iter().map(|&edge| (edge, Direction::Interaction));
    let second = second.iter().map(|&edge| (edge, Direction::Interaction));
    let reason = format!("`{name}` cannot distinguish two runs: {reason}");
    let because = vec![
        run("one run", trace(stg, first, "", terms)),
        run("the other run", trace(stg, second, "", terms)),
        run(
            "so any services that play the roles can do this",
            Trace {
                departure: Departure {
                    wrong: WrongEvent::LastStep,
                    expected,
                    ..Departure::default()
                },
                ..trace(stg, queued.into_iter(), &conclusion, terms)
            },
        ),
    ];
    let evidence = Evidence::Tree(Tree {
        claim: reason.clone(),
        origin: None,
        evidence: None,
        because,
    });
    Peers {
        verdict: Verdict::Fails(evidence),
        reason: format!("{reason}; no services could"),
        nobody_could: true,
        not_told: Vec::new(),
    }
}

/// Why it is not settled that a breach cannot be reached.
pub(super) fn doubt(protocol: &Protocol, twin: &Twin, index: usize, terms: &Terms) -> String {
    let name = terms.names.text(twin.role.0);
    let heading = |edge: EdgeId| {
        let message = protocol.stg().edge(edge).event.message();
        message.map_or_else(String::new, |it| it.shown_heading(terms))
    };
    let what = match twin.breaches()[index].what {
        Wrong::Sends(sent) => format!("when to send `{}`", heading(sent)),
        Wrong::Mixed(sent, received) => format!(
            "whether to send `{}` or to receive `{}`",
            heading(sent),
            heading(received)
        ),
        Wrong::Receives(expected, other, _) => format!(
            "whether to receive `{}` or `{}`",
            heading(expected),
            heading(other)
        ),
        Wrong::Ends => "whether to send or to end".to_owned(),
    };
    format!("it is not settled whether `{name}` always knows {what}")
}

pub(super) fn run(claim: &str, trace: Trace) -> Tree {
    Tree {
        claim: claim.to_owned(),
        origin: None,
        evidence: Some(Box::new(Evidence::Trace(trace))),
        because: Vec::new(),
    }
}

pub(super) fn trace(
    stg: &Stg,
    steps: impl Iterator<Item = (EdgeId, Direction)>,
    conclusion: &str,
    terms: &Terms,
) -> Trace {
    Trace {
        steps: steps
            .filter_map(|(edge, direction)| step(stg.edge(edge), direction, terms))
            .collect(),
        conclusion: conclusion.to_owned(),
        ..Trace::default()
    }
}

fn step(edge: &Edge, direction: Direction, terms: &Terms) -> Option<Step> {
    let message = edge.event.message()?;
    let name = |name| terms.names.text(name).to_owned();
    let fields = message.fields.iter().map(|field| {
        let value = match field.value {
            FieldValue::Free(term) => terms.print(term),
            FieldValue::Bind(variable) => terms.variable_text(variable).to_owned(),
        };
        (field.label.map_or_else(String::new, name), value)
    });
    Some(Step {
        event: StepEvent::Message {
            operation: name(message.operation.0),
            from: name(message.from.0),
            to: name(message.to.0),
            direction,
            fields: fields.collect(),
        },
        // A guard belongs to the run in which a step is allowed.
        guard: (direction == Direction::Interaction && edge.guard != Term::TRUE)
            .then(|| terms.print(edge.guard)),
        bindings: Vec::new(),
        states: None,
        origin: edge.origin,
    })
}
