//! How the laws ask the engine, and the word for what it says.

use choros_base::Budget;
use choros_data::Terms;
use choros_model::stg::{Role, Stg};
use choros_realize::{Closing, Criterion, Effort, Mode, Question, Realizability, realizability};
use choros_smt::{LazySolver, Solver};
use choros_testkit::Random;

use super::naive::{self, Graph};
use super::random_graph::{role, stg};

/// The modes of the engine, each with that of the twin.
pub(crate) const MODES: [(Mode, naive::Mode); 4] = [
    (Mode::Synchronous, naive::Mode::Synchronous),
    (Mode::Sender, naive::Mode::Sender),
    (Mode::Receiver, naive::Mode::Receiver),
    (Mode::Disjoint, naive::Mode::Disjoint),
];

/// How a conversation of this many roles ends: together with this chance in a hundred, or each of the roles is a service
/// with that one.
pub(crate) fn random_closing(
    random: &mut Random,
    roles: usize,
    together: u32,
    service: u32,
) -> naive::Closing {
    let services: Vec<usize> = (0..roles).filter(|_| random.percent(service)).collect();
    if random.percent(together) {
        naive::Closing::Together
    } else {
        naive::Closing::Alone(services)
    }
}

/// The same as the engine knows it.
pub(crate) fn closing(of: &naive::Closing, terms: &mut Terms) -> Closing {
    match of {
        naive::Closing::Together => Closing::Together,
        naive::Closing::Alone(services) => {
            let services: Vec<Role> = services.iter().map(|&it| role(it, terms)).collect();
            Closing::Alone { services }
        }
    }
}

/// Whether the behaviour is what the choreography says, with this many places in each queue.
pub(crate) fn question(mode: Mode, closing: Closing, bound: usize) -> Question {
    Question {
        mode,
        criterion: Criterion::Semantic,
        repair: false,
        closing,
        effort: Effort {
            bound,
            states: 100_000,
        },
    }
}

/// What the engine says of a choreography without data.
pub(crate) fn judge(
    graph: &Graph,
    mode: Mode,
    ends: &naive::Closing,
    bound: usize,
) -> Realizability {
    let mut terms = Terms::new();
    let stg = stg(graph, &mut terms);
    let asked = question(mode, closing(ends, &mut terms), bound);
    ask(&stg, &asked, &mut terms, &mut LazySolver::without_any())
}

/// What the engine answers.
pub(crate) fn ask(
    stg: &Stg,
    asked: &Question,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Realizability {
    realizability(stg, asked, terms, solver, &Budget::unlimited()).expect("the solver answers")
}

/// The solver that decides on data.
pub(crate) fn solver() -> Box<dyn Solver> {
    choros_smt::find().expect("the tests need a solver: run scripts/setup-solvers.sh")
}

/// The word for an answer by behaviour.
pub(crate) fn word(found: &Realizability) -> &'static str {
    found.semantic.verdict.word()
}
