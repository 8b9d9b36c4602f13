#![doc = include_str!("../README.md")]

mod among_partners;
mod as_known;
mod beliefs;
mod beyond;
mod branching;
mod certificate;
mod closing;
mod compatibility;
mod composition;
mod conditions;
mod cut;
mod defect;
mod diagnostics;
mod doomed;
mod excess;
mod feasible;
pub mod gchor;
mod independent;
mod knowable;
mod knowledge;
#[cfg(test)]
mod laws;
mod machine_proof;
mod mend;
mod mode;
mod outlook;
mod part;
mod peers;
mod projection;
mod projections;
mod prospect;
mod question;
mod reachability;
mod realizability;
mod repair;
mod roles;
mod safety;
mod semantic;
mod service_view;
mod shape;
mod shared;
mod soundness;
mod stopped;
mod stranded;
mod told;
mod tools;
mod violation;

pub use among_partners::{AmongPartners, among_partners, verdict_on_service};
pub use branching::{Branching, Decision};
pub use certificate::{Assembly, Settled, settled};
pub use closing::Closing;
pub use compatibility::{Breach, Compatibility, compatibility};
pub use conditions::{Conditions, conditions};
pub use defect::Defect;
pub use diagnostics::{CODES, dead_transition, no_choreography, undecided_transition};
pub use knowable::knowable;
pub use machine_proof::machine_proof;
pub use mend::Mended;
pub use mode::Mode;
pub use part::part;
pub use peers::{Peers, peers};
pub use projection::{Foresight, Projection, project};
pub use projections::{Memory, Projected, part_of, projections};
pub use question::{Criterion, Effort, Question};
pub use reachability::{
    Contradiction, Liveness, Reachability, Sentence, StuckState, StuckStates, reachability,
    stuck_states,
};
pub use realizability::{Realizability, realizability, without_dead};
pub use repair::{Addition, Class, Minimality, Repair, repair};
pub use safety::{Gap, Proof, Safety, safety};
pub use semantic::{Obstacle, Semantic};
pub use soundness::{Soundness, soundness};
pub use stopped::Stopped;
pub use told::{Fault, Parting, Told, Untold};
pub use violation::Violation;
