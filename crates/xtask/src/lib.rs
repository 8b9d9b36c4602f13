#![doc = include_str!("../README.md")]

mod book;
mod chores;
mod grammars;
mod instructions;
mod manifest;
mod new_code;
mod repository;
mod rust_code;
mod tidy;

pub use book::write_book;
pub use chores::{bench, bless};
pub use grammars::grammars;
pub use instructions::{Counting, instructions};
pub use new_code::new_codes;
pub use repository::{File, Repository, RepositoryError};
pub use tidy::{Finding, tidy};
