//! What the maker of a product should tell its user: a message that silently never happens costs a day.

use choros_base::Span;

use super::Direction;
use super::synchronise::Incompatible;

/// Something about the components that probably was not meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProductNote {
    /// A sending and a reception of the same message meet, but their data do not fit, so they never happen.
    Incompatible {
        /// `operation[from,to]`.
        message: String,
        /// Name of the component that sends, and where.
        sender: (String, Option<Span>),
        /// Name of the component that receives, and where.
        receiver: (String, Option<Span>),
        /// What does not fit.
        reason: Incompatible,
    },
    /// A message that one component sends or receives and no other component has the other end of.
    Partnerless {
        /// `operation[from,to]`.
        message: String,
        /// Which end is there.
        direction: Direction,
        /// Name of the component that has it, and where first.
        component: (String, Option<Span>),
    },
    /// Some components end by `√` and others in nodes without edges; the product ends by `√`, and the latter join
    /// in there.
    MixedEndings {
        /// Names of the components whose nodes without edges terminate.
        sinks: Vec<String>,
    },
}

impl std::fmt::Display for ProductNote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ProductNote::Incompatible {
                message,
                sender,
                receiver,
                reason,
            } => write!(
                f,
                "`{message}` from `{}` never reaches `{}`: {reason}",
                sender.0, receiver.0
            ),
            ProductNote::Partnerless {
                message,
                direction,
                component,
            } => {
                let (does, lacks) = match direction {
                    Direction::Receive => ("receives", "sends"),
                    _ => ("sends", "receives"),
                };
                write!(
                    f,
                    "`{}` {does} `{message}`, but no other component {lacks} it",
                    component.0
                )
            }
            ProductNote::MixedEndings { sinks } => {
                let ends = if sinks.len() == 1 { "ends" } else { "end" };
                write!(
                    f,
                    "`{}` {ends} where no edge leaves, the others by `√`: the product ends by `√`",
                    sinks.join("`, `")
                )
            }
        }
    }
}
