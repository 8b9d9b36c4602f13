//! Tests of either kind.

use choros_data::Terms;
use choros_report::{NotASuite, SavedSuite, SavedSymbolicSuite};
use choros_symex::DerivedTests;
use choros_testgen::MachineSuite;

use crate::options::{Origin, SymbolicTestOptions};

/// The tests of a model.
#[derive(Debug)]
pub enum Suite {
    /// Of machines: each test is a set of machines with success states.
    Machines(MachineSuite),
    /// Of a graph with data: each test is a path with a condition on its symbols.
    Paths(Box<DerivedTests>),
}

impl Suite {
    /// The suite as JSON, to be run later.
    pub fn save(&self, origin: &Origin, asked: &SymbolicTestOptions, terms: &Terms) -> String {
        match self {
            Suite::Machines(made) => {
                crate::machines::save(made, &origin.model, &terms.names).to_json()
            }
            Suite::Paths(derived) => save_paths(derived, origin, asked, terms).to_json(),
        }
    }
}

/// A suite of paths in the form that is saved.
pub fn save_paths(
    derived: &DerivedTests,
    origin: &Origin,
    asked: &SymbolicTestOptions,
    terms: &Terms,
) -> SavedSymbolicSuite {
    crate::save::save(derived, origin, asked, terms)
}

/// Reads a suite of machines.
pub fn read_machines(text: &str) -> Result<SavedSuite, NotASuite> {
    SavedSuite::of_json(text).map_err(|error| match SavedSymbolicSuite::of_json(text) {
        Ok(_) => NotASuite {
            reason: "its tests are paths of a model with data, which `choros drive` runs"
                .to_owned(),
        },
        Err(_) => error,
    })
}

/// Reads a suite of paths.
pub fn read_paths(text: &str) -> Result<SavedSymbolicSuite, NotASuite> {
    SavedSymbolicSuite::of_json(text).map_err(|error| match SavedSuite::of_json(text) {
        Ok(_) => NotASuite {
            reason: "its tests are machines, against which `choros comply` runs a machine"
                .to_owned(),
        },
        Err(_) => error,
    })
}
