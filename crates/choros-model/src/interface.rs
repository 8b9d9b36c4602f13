//! What an orchestration offers and uses: the operations beside its graph.
//!
//! The graph says in which order messages go; the interface says what each of them is made of.
//! It is the signature and the partnership of Bentakouk's thesis (Definitions 3.3.1, 3.3.2 and 3.3.6), with the sorts
//! of the data language in place of XML types.
//! Engines ask it for what a message may hold and for the contract of a partner; how a message looks on the wire is
//! the business of the language it came from.

use choros_base::Name;
use choros_data::{Sort, Term, Var};

use crate::stg::{Message, Operation, Role};

/// The operations of an orchestration and the roles that take part.
#[derive(Debug, Clone)]
pub struct Interface {
    /// The orchestrator itself; every message of its graph is sent or received by it.
    pub orchestrator: Role,
    /// The partner whom the tester plays; the only one whose messages a tester without mock partners sees.
    pub user: Role,
    /// All operations, in the order of declaration.
    pub operations: Vec<Signature>,
    /// How many elements of a list the conditions of the graph look at, where they do not look at all of them; what
    /// happens with longer lists, the graph does not say.
    pub list_bound: Option<usize>,
    /// What the model says and its graph does not follow, in words; the graph leaves it open.
    pub unfollowed: Vec<String>,
    /// Whether a correct service may do what the graph does not allow, because of that.
    pub misread: bool,
    /// Other ways in which messages may travel than that of the tests, in words: a service that is reached in one of
    /// them does not answer.
    pub transports: Vec<String>,
}

/// Why nothing holds of a model that is not followed as it is written: the first thing that is not, and how many more.
pub fn not_followed(first: &str, more: usize) -> String {
    match more {
        0 => format!("{first} is not followed"),
        more => format!("{first} and {more} more are not followed"),
    }
}

/// One operation between the orchestrator and a partner.
#[derive(Debug, Clone)]
pub struct Signature {
    pub partner: Role,
    pub operation: Operation,
    /// Who offers it.
    pub side: Side,
    /// What the caller sends.
    pub input: MessageType,
    /// What comes back; a one-way operation has none.
    pub output: Option<MessageType>,
    /// The faults that may come back instead, by name.
    pub faults: Vec<(Name, MessageType)>,
    /// What relates input and output, if the partner promises something: π(o).
    pub contract: Option<Contract>,
}

/// Who offers an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The orchestrator: its partner calls.
    Provided,
    /// The partner: the orchestrator calls.
    Used,
}

/// What a message is made of.
#[derive(Debug, Clone)]
pub struct MessageType {
    /// How it is called: `requestIn`.
    pub name: Name,
    pub sort: Sort,
    /// What its values obey beyond their sort (facets, numbers of occurrences): a variable of that sort and a closed
    /// formula over it alone.
    pub constraint: Option<(Var, Term)>,
}

/// π(o): a closed formula over one input and one output of an operation.
#[derive(Debug, Clone, Copy)]
pub struct Contract {
    /// Stands for what was sent.
    pub input: Var,
    /// Stands for what came back.
    pub output: Var,
    /// The promise.
    pub formula: Term,
}

impl Interface {
    /// The signature that a message of the orchestrator's graph belongs to.
    ///
    /// A call and its answer have the same operation and partner; they differ in their direction.
    pub fn signature(&self, message: &Message) -> Option<&Signature> {
        let partner = if message.from == self.orchestrator {
            message.to
        } else {
            message.from
        };
        self.operations
            .iter()
            .find(|one| one.partner == partner && one.operation == message.operation)
    }

    /// Whether a message is the answer (or the fault) of a used or provided operation, rather than its call.
    pub fn is_answer(&self, message: &Message) -> bool {
        let sent = message.from == self.orchestrator;
        self.signature(message)
            .is_some_and(|signature| sent == (signature.side == Side::Provided))
    }

    /// The type of what a message carries.
    pub fn message_type(&self, message: &Message) -> Option<&MessageType> {
        let signature = self.signature(message)?;
        match message.fault {
            Some(fault) => signature
                .faults
                .iter()
                .find(|(name, _)| *name == fault)
                .map(|(_, carried)| carried),
            None if self.is_answer(message) => signature.output.as_ref(),
            None => Some(&signature.input),
        }
    }
}

#[cfg(test)]
mod tests {
    use choros_data::Terms;

    use super::*;
    use crate::stg::Direction;

    #[test]
    fn a_call_and_its_answer_are_told_apart_by_who_sends() {
        let mut terms = Terms::new();
        let mut name = |text: &str| terms.names.intern(text);
        let (shop, user, bank) = (Role(name("shop")), Role(name("USER")), Role(name("BK")));
        let (order, pay) = (Operation(name("order")), Operation(name("pay")));
        let (asked, told) = (name("asked"), name("told"));
        let carries = |name| MessageType {
            name,
            sort: Sort::INT,
            constraint: None,
        };
        let signature = |partner, operation, side| Signature {
            partner,
            operation,
            side,
            input: carries(asked),
            output: Some(carries(told)),
            faults: Vec::new(),
            contract: None,
        };
        let interface = Interface {
            orchestrator: shop,
            user,
            operations: vec![
                signature(user, order, Side::Provided),
                signature(bank, pay, Side::Used),
            ],
            list_bound: None,
            unfollowed: Vec::new(),
            misread: false,
            transports: Vec::new(),
        };
        let type_of = |operation, from, to, direction| {
            let message = Message {
                operation,
                from,
                to,
                direction,
                fault: None,
                fields: Vec::new(),
            };
            interface.message_type(&message).map(|it| it.name)
        };
        assert_eq!(type_of(order, user, shop, Direction::Receive), Some(asked));
        assert_eq!(type_of(order, shop, user, Direction::Send), Some(told));
        assert_eq!(type_of(pay, shop, bank, Direction::Send), Some(asked));
        assert_eq!(type_of(pay, bank, shop, Direction::Receive), Some(told));
        assert_eq!(type_of(pay, user, shop, Direction::Receive), None);
    }
}
