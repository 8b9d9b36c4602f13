//! A model of one role, its tree, and the tests that were chosen from it.

use std::sync::Arc;

use choros_model::interface::Interface;
use choros_model::stg::{Role, Stg};
use choros_query::purpose::Purpose;

use crate::driver::{Unseen, View};
use crate::{Graph, Selection, Suite, Tree};

/// A model of one role with its operations.
#[derive(Debug, Clone)]
pub struct Orchestration {
    /// How it is called.
    pub name: String,
    /// Its graph.
    pub stg: Stg,
    /// Its operations, with the contracts that were given.
    pub interface: Interface,
    /// The roles that a tester plays.
    pub played: Vec<Role>,
    /// Who has chosen the values that a tester does not see.
    pub unseen: Unseen,
}

impl Orchestration {
    /// Lets the tester play everybody; steps that were hidden become its own.
    pub fn play_all(&mut self) {
        let service = self.interface.orchestrator;
        self.played = self.stg.roles();
        self.played.retain(|&role| role != service);
    }

    /// What a tester sees of the service.
    pub fn view(&self) -> View {
        View {
            service: self.interface.orchestrator,
            played: self.played.clone(),
            unseen: self.unseen,
        }
    }
}

/// A tree and the tests that were chosen from it.
#[derive(Debug)]
pub struct Derived {
    /// The model.
    pub orchestration: Orchestration,
    /// The purpose, where one was given.
    pub purpose: Option<Purpose>,
    /// What was executed: the model, or its product with the purpose.
    pub graph: Graph,
    /// The product before pruning.
    pub unpruned: Option<Graph>,
    /// The tree.
    pub tree: Tree,
    /// The tests.
    pub selection: Selection,
    /// The same as paths, with the values at the edges of guards.
    pub suite: Suite,
    /// The words that strings from outside are among.
    pub words: Vec<Arc<str>>,
}
