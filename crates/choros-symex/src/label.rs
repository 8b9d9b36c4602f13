//! Labels of a tree: events with symbols in place of variables.

use choros_base::Name;
use choros_data::{Notation, Term, Terms, Var};
use choros_model::stg::{Direction, Operation, Role};
use choros_query::purpose::MessageHead;

/// What happens on an edge of a tree.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TreeLabel {
    /// `τ`.
    Silent,
    /// `χ`: one unit of time.
    Tick,
    /// A fault is raised inside the orchestrator.
    Raise(Name),
    /// `√`.
    End,
    /// `#`: the purpose is reached.
    Accept,
    Message(SymbolicMessage),
}

/// A message whose data are symbols.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SymbolicMessage {
    /// Sender.
    pub from: Role,
    /// Receiver.
    pub to: Role,
    /// Partner, operation, direction (the orchestrator's) and fault.
    pub head: MessageHead,
    /// Its data.
    pub fields: Vec<SymbolicField>,
}

/// One datum of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SymbolicField {
    /// Its label; a message with a single unnamed datum has none.
    pub label: Option<Name>,
    /// What it carries, over symbols: the fresh symbol of what is received, `σ(t)` of what is sent.
    pub term: Term,
    /// The same with all definitions of symbols put in: over symbols that stand for free values only.
    pub value: Term,
    /// The fresh symbol, if the orchestrator receives it.
    pub fresh: Option<Var>,
}

impl TreeLabel {
    pub fn message(&self) -> Option<&SymbolicMessage> {
        match self {
            TreeLabel::Message(message) => Some(message),
            _ => None,
        }
    }

    /// Whether it counts for the depth of a tree: everything does but `τ` and `#`.
    pub fn counts(&self) -> bool {
        !matches!(self, TreeLabel::Silent | TreeLabel::Accept)
    }

    /// As it is printed: `USER.request?vs29`, `tau`, `tick`, `raise f`, `end`, `#`.
    pub fn text(&self, terms: &Terms) -> String {
        match self {
            TreeLabel::Silent => "tau".to_owned(),
            TreeLabel::Tick => "tick".to_owned(),
            TreeLabel::Raise(fault) => format!("raise {}", terms.names.text(*fault)),
            TreeLabel::End => "end".to_owned(),
            TreeLabel::Accept => "#".to_owned(),
            TreeLabel::Message(message) => message.text(terms),
        }
    }
}

impl TreeLabel {
    /// As people read it: in the notation of the file, `<- buyer: Order(vs1)`.
    pub fn shown(&self, terms: &Terms) -> String {
        match (self, terms.notation) {
            (TreeLabel::Message(message), Notation::Native) => message.native(terms),
            _ => self.text(terms),
        }
    }
}

impl SymbolicMessage {
    fn native(&self, terms: &Terms) -> String {
        let name = |name| terms.names.text(name);
        let ends = match self.is_sent() {
            true => format!("-> {}", name(self.to.0)),
            false => format!("<- {}", name(self.from.0)),
        };
        let fault = self.head.fault.map(|fault| format!("#{}", name(fault)));
        let fault = fault.unwrap_or_default();
        let operation = name(self.head.operation.0);
        let fields = self.fields.iter().map(|field| terms.print(field.term));
        let fields: Vec<String> = fields.collect();
        if fields.is_empty() {
            format!("{ends}: {operation}{fault}")
        } else {
            format!("{ends}: {operation}{fault}({})", fields.join(", "))
        }
    }

    /// Whether the orchestrator sends it.
    pub fn is_sent(&self) -> bool {
        self.head.direction != Direction::Receive
    }

    pub fn operation(&self) -> Operation {
        self.head.operation
    }

    /// As it is printed: `USER.request?vs29`, `BK.approve!!refused(vs3)`.
    pub fn text(&self, terms: &Terms) -> String {
        let mut text = self.head.text(terms);
        let field = |field: &SymbolicField| match field.label {
            Some(label) => format!("{} = {}", terms.names.text(label), terms.print(field.term)),
            None => terms.print(field.term),
        };
        match &self.fields[..] {
            [] => {}
            [only]
                if only.label.is_none()
                    && self.head.fault.is_none()
                    && terms.as_variable(only.term).is_some() =>
            {
                text.push_str(&field(only));
            }
            fields => {
                let fields: Vec<String> = fields.iter().map(field).collect();
                text.push_str(&format!("({})", fields.join(", ")));
            }
        }
        text
    }
}
