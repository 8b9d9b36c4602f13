//! What executable tests are made of.

use choros_base::{Name, Names};
use choros_model::cfsm::{Cfsm, LocalState};

use super::Payloads;

/// A choreography as machines, and the tests of some of its roles.
#[derive(Debug, Clone, Copy)]
pub struct SessionTests<'a> {
    /// The name of the model, from which names of files are made.
    pub name: &'a str,
    /// All machines, one per role.
    pub machines: &'a [Cfsm],
    /// The roles under test.
    pub roles: &'a [RoleTests],
    /// What messages carry.
    pub payloads: &'a Payloads,
    /// The names in all of these.
    pub names: &'a Names,
}

/// The tests of one role.
#[derive(Debug, Clone)]
pub struct RoleTests {
    /// The role under test.
    pub role: Name,
    /// Abstract tests in which all choices are made; there may be none, as one test with choices that are drawn is
    /// always emitted.
    pub tests: Vec<AbstractTest>,
}

/// An abstract test: a machine without choices of its own for every other role.
#[derive(Debug, Clone)]
pub struct AbstractTest {
    /// What it is called.
    pub name: String,
    /// The machines.
    pub played: Vec<Played>,
}

/// What a role that is not under test does in an abstract test.
#[derive(Debug, Clone)]
pub struct Played {
    /// The role's machine with some transitions left out; its states are those of the whole machine.
    pub machine: Cfsm,
    /// Its success states.
    pub success: Vec<LocalState>,
}
