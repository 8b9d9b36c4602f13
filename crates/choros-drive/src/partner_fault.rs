//! What partners that the tester plays do wrong.

use choros_base::Choice;

use crate::codec::{Outgoing, Reply};

/// What partners do wrong for the length of one conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartnerFault {
    /// They answer later.
    Slow,
    /// They send every request twice.
    Twice,
    /// They end the connection without an answer.
    HangUp,
    /// They answer with status 500.
    Error,
    /// They send bodies that no contract allows.
    Nonsense,
}

impl Choice for PartnerFault {
    const CHOICES: &'static [(&'static str, PartnerFault, &'static str)] = &[
        ("slow", PartnerFault::Slow, "Partners answer late"),
        (
            "twice",
            PartnerFault::Twice,
            "Partners and the client send every request twice",
        ),
        (
            "hangup",
            PartnerFault::HangUp,
            "Partners do not answer: they say nothing more, or end the connection",
        ),
        (
            "error",
            PartnerFault::Error,
            "Partners answer with status 500",
        ),
        (
            "nonsense",
            PartnerFault::Nonsense,
            "Partners and the client send bodies that no contract allows",
        ),
    ];
}

/// A body that is neither JSON nor XML.
const NONSENSE: &[u8] = b"{\"choros\": <nonsense";

impl PartnerFault {
    /// Whether requests are sent a second time.
    pub(crate) fn sends_twice(self) -> bool {
        self == PartnerFault::Twice
    }

    /// A request as it is sent, if it is changed.
    pub(crate) fn request(self, outgoing: &Outgoing) -> Option<Outgoing> {
        // A request without a body has nothing in which the nonsense could be.
        let changed = self == PartnerFault::Nonsense && !outgoing.body.is_empty();
        changed.then(|| Outgoing {
            body: NONSENSE.to_vec(),
            ..outgoing.clone()
        })
    }

    /// What becomes of an answer.
    pub(crate) fn answer(self, reply: &Reply) -> DisturbedAnswer {
        match self {
            PartnerFault::Twice => DisturbedAnswer::Same,
            PartnerFault::Slow => DisturbedAnswer::Later,
            PartnerFault::HangUp => DisturbedAnswer::Never,
            PartnerFault::Error => DisturbedAnswer::Other(Reply {
                status: 500,
                content_type: Some("text/plain".to_owned()),
                body: b"choros drive: an error was injected\n".to_vec(),
                headers: Vec::new(),
                remark: None,
            }),
            PartnerFault::Nonsense => DisturbedAnswer::Other(Reply {
                body: NONSENSE.to_vec(),
                ..reply.clone()
            }),
        }
    }
}

/// What becomes of an answer under a fault.
pub(crate) enum DisturbedAnswer {
    Same,
    Later,
    Never,
    Other(Reply),
}
