#![doc = include_str!("../README.md")]

mod codec;
mod crank;
mod event;
mod files;
pub mod http_tests;
mod json_codec;
mod json_exact;
mod json_mapping;
mod json_place;
mod json_value;
mod plan;
mod record;
mod runner;
mod secrets;
mod soap_codec;
mod soap_text;
mod switchboard;
mod wire;

pub use codec::{BodyKind, Call, Codec, Incoming, Misread, Outgoing, Reply, Response};
pub use crank::{Abandoned, Broken, Ran, turn};
pub use files::{Files, NotOpened};
pub use json_codec::{JsonCodec, Shape};
pub use json_mapping::{Exchange, JsonMapping, Piece, pieces, read_mapping};
pub use json_place::Place;
pub use json_value::{from_json, json_leaves, to_json};
pub use plan::{Before, Driven, Plan, Run, Tested, Values};
pub use record::{Done, LineFile, done_line, read_done, transcript};
pub use runner::run;
pub use secrets::Secrets;
pub use soap_codec::{SoapCodec, SoapOperation};
pub use switchboard::Switchboard;
pub use wire::{Wire, WireLimits, check_target};
