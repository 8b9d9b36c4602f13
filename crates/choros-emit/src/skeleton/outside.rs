//! How messages look outside, as a program needs to know it.

use choros_data::{Sort, Terms};
use choros_model::stg::{Operation, Role};

use super::vocabulary::{Payload, Shape, Type, Vocabulary};

/// How a message looks outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideMessage {
    /// Which message of the model it is: its operation, sender and receiver, and the sorts of its fields.
    pub operation: Operation,
    pub from: Role,
    pub to: Role,
    pub sorts: Vec<Sort>,
    /// What events and logs call it.
    pub name: String,
    /// The topic or queue that it goes through.
    pub topic: Option<String>,
    /// Method and path of a request, with parameters as in `/orders/{id}`; none if it is a response.
    pub request: Option<(String, String)>,
    /// A response has one of these statuses: `201`, `4xx`; any of success if none is said.
    pub statuses: Vec<String>,
    /// The status that a response is sent with.
    pub status: u16,
    /// What is always there.
    pub constants: Vec<(OutsidePlace, OutsideConstant)>,
    /// Where each field is.
    pub fields: Vec<OutsideField>,
}

/// Where a field is, and what is computed from what is found there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideField {
    pub place: OutsidePlace,
    /// `+`, `-`, `*` or `/`, and a number such as `100`, `0.5` or `1/3`.
    pub steps: Vec<(char, String)>,
}

/// A place in a request or a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutsidePlace {
    /// Labels from the outside in; the empty list is the whole body.
    Body(Vec<String>),
    /// A parameter of the path.
    Path(String),
    Query(String),
    Header(String),
}

/// A value that is always the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutsideConstant {
    Null,
    Bool(bool),
    /// `12`, `-1.5` or `1/3`.
    Number(String),
    Text(String),
}

impl OutsidePlace {
    /// In which part it is, and its labels there.
    pub(super) fn parts(&self) -> (&'static str, &[String]) {
        match self {
            OutsidePlace::Body(labels) => ("body", labels),
            OutsidePlace::Path(name) => ("path", std::slice::from_ref(name)),
            OutsidePlace::Query(name) => ("query", std::slice::from_ref(name)),
            OutsidePlace::Header(name) => ("header", std::slice::from_ref(name)),
        }
    }
}

/// The payloads, and how each looks.
pub(super) fn payloads<'v>(
    vocabulary: &'v Vocabulary,
    outside: &'v [OutsideMessage],
) -> impl Iterator<Item = (&'v Payload, Option<&'v OutsideMessage>)> {
    vocabulary.payloads.iter().map(|payload| {
        let is_it = |it: &&OutsideMessage| payload.is(it.operation, it.from, it.to, &it.sorts);
        (payload, outside.iter().find(is_it))
    })
}

/// The records, and the labels of their fields in the model.
pub(super) fn records<'v>(
    vocabulary: &'v Vocabulary,
    terms: &'v Terms,
) -> impl Iterator<Item = (&'v Type, Vec<&'v str>)> {
    let types = vocabulary.types.iter();
    let records = types.filter(|it| matches!(it.shape, Shape::Record(_)));
    records.map(|it| (it, it.labels(terms)))
}
