//! Symbolic test cases with concrete values, as tests that talk HTTP to a running service.

mod python;
mod suite;

pub use python::python;
pub use suite::{
    BodyKind, Expected, HttpCall, HttpStep, HttpSuite, HttpTest, PartnerCall, Place, Said,
};
