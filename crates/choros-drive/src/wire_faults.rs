//! Answers of partners that do wrong, on the wire.

use std::time::Duration;

use choros_model::stg::{Operation, Role};
use choros_symex::driver::ConcreteMessage;

use crate::codec::Reply;
use crate::partner_fault::{DisturbedAnswer, PartnerFault};
use crate::wire::Wire;

/// How much later a slow partner answers.
const LATER: Duration = Duration::from_secs(1);

impl Wire {
    /// Answers a request of the service.
    pub(crate) fn reply(&self, ticket: u64, reply: Reply) -> bool {
        let disturbed = match self.fault {
            Some(fault) => fault.answer(&reply),
            None => DisturbedAnswer::Same,
        };
        if !matches!(disturbed, DisturbedAnswer::Same) {
            self.inject();
        }
        match disturbed {
            DisturbedAnswer::Same => self.board.answer(ticket, reply),
            DisturbedAnswer::Other(reply) => self.board.answer(ticket, reply),
            DisturbedAnswer::Never => {
                self.board.hang_up(ticket);
                true
            }
            DisturbedAnswer::Later => {
                let board = self.board.clone();
                self.runtime.spawn(async move {
                    tokio::time::sleep(LATER).await;
                    board.answer(ticket, reply)
                });
                true
            }
        }
    }

    /// Partners do this wrong from now on; how often they did something wrong until now.
    pub(crate) fn disturb(&mut self, fault: Option<PartnerFault>) -> usize {
        self.fault = fault;
        self.injected.replace(0)
    }

    /// Messages that are sent a second time, once they have arrived.
    pub(crate) fn copy(&mut self, messages: Vec<(Operation, Role, Role)>) {
        self.copied = messages;
    }

    /// Whether any message is sent a second time.
    pub(crate) fn is_copying(&self) -> bool {
        !self.copied.is_empty()
    }

    /// Whether this message is sent a second time.
    pub(crate) fn copies(&self, message: &ConcreteMessage) -> bool {
        self.copied
            .contains(&(message.operation, message.from, message.to))
    }

    pub(crate) fn inject(&self) {
        self.injected.set(self.injected.get() + 1);
    }
}
