#![doc = include_str!("../README.md")]

mod budget;
mod choice;
mod crew;
mod diagnostic;
mod file_set;
mod formatting;
mod index;
mod manifest;
mod meter;
mod names;
mod nearest;
mod source;
mod sources;

pub use budget::{Budget, StopReason};
pub use choice::Choice;
pub use crew::{Alone, Crew, Job};
pub use diagnostic::{CodeInfo, Diagnostic, DiagnosticLabel, Severity, Suggestion, has_errors};
pub use file_set::FileSet;
pub use formatting::NotFormatted;
pub use manifest::{FileFate, Manifest};
pub use meter::{Measure, Meter};
pub use names::{Name, Names};
pub use nearest::nearest;
pub use source::{FileId, Position, SourceFile, SourceMap, Span};
pub use sources::{MemorySources, SourceError, Sources};
