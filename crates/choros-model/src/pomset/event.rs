//! What a participant does: one end of an interaction.

use choros_base::{Name, Names};

use crate::gchor::Interaction;
use crate::stg::Direction;

/// `AB!m` or `AB?m`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Event {
    pub interaction: Interaction,
    /// Whether it is the sending; otherwise it is the receiving.
    pub is_output: bool,
}

impl Event {
    /// The sending of an interaction.
    pub fn output(interaction: Interaction) -> Event {
        Event {
            interaction,
            is_output: true,
        }
    }

    /// The receiving of an interaction.
    pub fn input(interaction: Interaction) -> Event {
        Event {
            interaction,
            is_output: false,
        }
    }

    /// Whose it is: the sender's for `AB!m`, the receiver's for `AB?m`.
    pub fn subject(self) -> Name {
        if self.is_output {
            self.interaction.from
        } else {
            self.interaction.to
        }
    }

    /// The direction, for evidence.
    pub fn direction(self) -> Direction {
        if self.is_output {
            Direction::Send
        } else {
            Direction::Receive
        }
    }

    /// As the papers write it: `AB!m`; with a dot between names of more than one letter, `Client·Server!m`.
    pub fn text(self, names: &Names) -> String {
        let (from, to) = (
            names.text(self.interaction.from),
            names.text(self.interaction.to),
        );
        let dot = if from.chars().count() == 1 && to.chars().count() == 1 {
            ""
        } else {
            "·"
        };
        let sign = if self.is_output { '!' } else { '?' };
        format!(
            "{from}{dot}{to}{sign}{}",
            names.text(self.interaction.message)
        )
    }
}
