#![doc = include_str!("../README.md")]

mod binding;
mod check;
mod computed;
mod diagnostics;
mod edit;
mod envelope;
mod format;
mod observe;
mod old;
mod open;
mod pattern;
mod place;
mod print;
pub mod propose;
mod read;
mod status;
mod tally;
mod template;
mod toml_text;
mod vocabulary;

pub use binding::{
    ANY_ROLE, Binding, DRAFT, FieldValues, Fields, Hiding, LogRules, MessageBinding, Part,
    PartSource, RoleBinding, TIME_FORMS, is_redaction_rule,
};
pub use computed::{FieldPlace, Step};
pub use diagnostics::{CODES, unusable_binding};
pub use edit::{named_model, symbols, wanted};
pub use envelope::{
    Assumed, Attempt, Content, Envelope, HttpExchange, RankedEnvelope, ResponseName, Side,
};
pub use format::Format;
pub use observe::{Binder, Ends, Half, NotBound, Sighting, View};
pub use old::{OldKind, Translated, drive_binding, translate, translate_as};
pub use open::{Opened, Opening};
pub use pattern::Pattern;
pub use place::{PLACES, Place, ValuePath};
pub use read::{
    BindingFile, HIDE_KEYS, IGNORE_KEYS, LOG_KEYS, MESSAGE_KEYS, OTHERS, ROLE_KEYS, TOP_KEYS,
    VALUE_KEYS,
};
pub use status::Statuses;
pub use tally::BindingTally;
pub use template::{RequestPattern, Template};
pub use vocabulary::{KnownMessage, Vocabulary};
