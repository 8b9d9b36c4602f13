//! One rule: section 5.2 of Fantechi et al.
//!
//! ```text
//! Action bank.charge,<*,*,*,$id> -> request(charge,$id)
//! State  bank.charge?            -> accepting_request(charge)
//! Action Request[b,v]<$order>    -> request(shop,$order)
//! ```
//!
//! The third form names sender and receiver, as messages of choreographies have them; the partner of a message is its
//! receiver, who offers the operation.

use choros_base::{Name, Names, Span};
use choros_model::stg::Direction;

use crate::socl::print::literal;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// What it is about.
    pub subject: Subject,
    /// The partner; left out it is anyone.
    pub partner: Part,
    /// The operation; left out it is any.
    pub operation: Part,
    /// Sender and receiver, where the rule names both.
    pub ends: Option<(Part, Part)>,
    /// `?` or `!`, where the rule says so.
    pub direction: Option<Direction>,
    /// The data; left out they are any, and as many as there are.
    pub tuple: Option<Vec<Part>>,
    /// What it makes.
    pub template: Template,
    /// Where it is written.
    pub span: Span,
}

/// What a rule is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The label of a step.
    Action,
    /// Something that a state is ready for.
    State,
}

/// A part of the left side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// `*`, or left out.
    Any,
    /// A literal.
    Value(Name),
    /// `$name`.
    Meta(Name),
}

/// The right side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// The type.
    pub kind: Name,
    pub arguments: Vec<RuleArgument>,
}

/// An argument of the right side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleArgument {
    /// A literal.
    Value(Name),
    /// What the metavariable of the left side stands for.
    Meta(Name),
}

impl Rule {
    /// The rule as text.
    pub fn print(&self, names: &Names) -> String {
        let part = |part: &Part| match part {
            Part::Any => "*".to_owned(),
            Part::Value(value) => literal(names.text(*value)),
            Part::Meta(meta) => format!("${}", names.text(*meta)),
        };
        let subject = match self.subject {
            Subject::Action => "Action",
            Subject::State => "State",
        };
        let mut out = format!("{subject} ");
        match &self.ends {
            Some((from, to)) => out.push_str(&format!(
                "{}[{},{}]",
                part(&self.operation),
                part(from),
                part(to)
            )),
            None => out.push_str(&format!(
                "{}.{}",
                part(&self.partner),
                part(&self.operation)
            )),
        }
        match self.direction {
            Some(Direction::Receive) => out.push('?'),
            Some(Direction::Send) => out.push('!'),
            Some(Direction::Interaction) | None => {}
        }
        if let Some(tuple) = &self.tuple {
            let parts: Vec<String> = tuple.iter().map(part).collect();
            out.push_str(&format!("<{}>", parts.join(",")));
        }
        let kind = literal(names.text(self.template.kind));
        out.push_str(&format!(" -> {kind}"));
        if !self.template.arguments.is_empty() {
            let arguments: Vec<String> = self
                .template
                .arguments
                .iter()
                .map(|argument| match argument {
                    RuleArgument::Value(value) => literal(names.text(*value)),
                    RuleArgument::Meta(meta) => format!("${}", names.text(*meta)),
                })
                .collect();
            out.push_str(&format!("({})", arguments.join(",")));
        }
        out
    }
}
