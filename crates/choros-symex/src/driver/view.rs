//! What a tester sees of the service: the two test architectures.

use choros_model::stg::{Direction, Message, Operation, Role};

/// Who is tested and whom the tester plays.
///
/// In the restricted architecture the tester plays the user alone, and messages between the service and its other
/// partners are hidden; in the large, it plays all partners and sees everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// The service under test.
    pub service: Role,
    /// The roles that the tester plays.
    pub played: Vec<Role>,
    /// Who has chosen the values that were not seen.
    pub unseen: Unseen,
    /// The field of a message that says which session it belongs to, where the service serves several.
    pub identities: Vec<(Operation, usize)>,
}

/// Who has chosen the values of a model that were not seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unseen {
    /// The service, or someone of whom nothing is known: it is the model of a service alone.
    ByService,
    /// Partners who keep the choreography: it is the part of a role.
    /// They send a message only where the choreography has it, so a service that can take it has to.
    ByPartners,
}

/// What a message of the service is to the tester.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sight {
    /// The tester sends it.
    Input,
    /// The tester receives it.
    Output,
    /// It passes between others.
    Hidden,
}

impl View {
    /// Where messages of an operation have the identity of their session.
    pub(crate) fn identity_of(&self, operation: Operation) -> Option<usize> {
        let known = self.identities.iter().find(|it| it.0 == operation)?;
        Some(known.1)
    }

    pub(crate) fn sight(&self, message: &Message) -> Sight {
        let is_sent = match message.direction {
            Direction::Send => true,
            Direction::Receive => false,
            Direction::Interaction => message.from == self.service,
        };
        let partner = if is_sent { message.to } else { message.from };
        match (self.played.contains(&partner), is_sent) {
            (false, _) => Sight::Hidden,
            (true, true) => Sight::Output,
            (true, false) => Sight::Input,
        }
    }
}
