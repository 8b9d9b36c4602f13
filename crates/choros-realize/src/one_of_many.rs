//! Whether one conversation stands for many of its kind, side by side.
//!
//! Copies that share neither messages nor variables are independent parts, and the README says when those are judged
//! apart.
//! Here one copy is asked, and not the product: all parts are alike, so what is asked of every part is asked once.

use choros_base::Budget;
use choros_data::Terms;
use choros_model::stg::Stg;
use choros_smt::Solver;
use rustc_hash::FxHashSet;

use crate::independent::{live, receives_at_once};
use crate::question::Question;
use crate::stranded::always_ends;
use crate::tools::Tools;
use crate::{AnalysisStop, Mode, is_timed, no_choreography, reachability};

/// Why one conversation does not stand for many, although they share neither messages nor variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coupling {
    /// Roles measure time.
    Time,
    /// It does not always come to an end, and beside one that continues no other ends.
    Endless,
    /// Its messages wait in one queue with those of others, and the first may keep them from being received.
    Queue,
    /// The roles do one thing after the other, whichever conversation it belongs to.
    Order,
    /// Only one message may be under way at a time.
    OneMessage,
}

/// Whether many copies of a conversation are realizable iff one is; `own_queues` says that messages of different
/// copies never wait in one queue, and that a role does its part of each on its own.
pub fn one_of_many(
    stg: &Stg,
    asked: &Question,
    own_queues: bool,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Result<(), Coupling>, AnalysisStop> {
    no_choreography::refuse(stg, terms)?;
    if is_timed(stg) {
        return Ok(Err(Coupling::Time));
    }
    let found = reachability(stg, terms, solver, budget)?;
    let part = live(stg, &found, terms);
    let mut tools = Tools {
        terms,
        solver,
        budget,
    };
    if !always_ends(&part, &mut tools)? {
        return Ok(Err(Coupling::Endless));
    }
    Ok(match asked.mode {
        Mode::Synchronous => Ok(()),
        Mode::Disjoint => Err(Coupling::OneMessage),
        _ if own_queues => Ok(()),
        Mode::Sender => {
            let channels: FxHashSet<_> = part.messages().map(|it| (it.from, it.to)).collect();
            if receives_at_once(&part, &channels, asked, &mut tools)? {
                Ok(())
            } else {
                Err(Coupling::Queue)
            }
        }
        Mode::Receiver => Err(Coupling::Queue),
        Mode::Peers => Err(Coupling::Order),
    })
}
