//! Symbolic test cases with concrete values, as tests that talk HTTP to a running service.

mod python;
mod suite;

pub use python::python;
pub use suite::{
    BodyKind, Expected, HeaderPart, HttpCall, HttpStep, HttpSuite, HttpTest, MessageValue,
    OtherAnswer, PartnerCall, ServiceMessage,
};
