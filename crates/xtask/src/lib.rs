#![doc = include_str!("../README.md")]

mod chores;
mod manifest;
mod repository;
mod rust_code;
mod tidy;

pub use chores::{bench, bless};
pub use repository::{File, Repository, RepositoryError};
pub use tidy::{Finding, tidy};
