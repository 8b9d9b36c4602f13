#![doc = include_str!("../README.md")]

mod code;
mod identifiers;
mod language;
pub mod sessions;
mod skeleton;
pub mod symbolic;
#[cfg(feature = "xquery")]
mod xquery;

pub use choros_base::FileSet;
pub use code::Code;
pub use identifiers::{Identifiers, NamingCase};
pub use language::TargetLanguage;
pub use skeleton::{
    NotExecutable, OutsideConstant, OutsideField, OutsideMessage, OutsidePlace, skeleton,
};
#[cfg(feature = "xquery")]
pub use xquery::xquery;
