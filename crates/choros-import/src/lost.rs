//! What a description says and a model does not.

use choros_base::Span;

use crate::library::{At, Library};

/// Something that was not carried over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// Where the description says it.
    pub span: Option<Span>,
    /// What it is, in its words.
    pub what: String,
    /// Why it is not in the model, and what to do.
    pub why: &'static str,
}

/// Collects what is lost, each once.
#[derive(Debug, Default)]
pub(crate) struct LostList {
    /// Which operation is read, for the words.
    pub(crate) within: String,
    found: Vec<(At, String, Reason)>,
}

impl LostList {
    pub(crate) fn note(&mut self, at: At, what: &str, why: Reason) {
        let what = match (self.within.is_empty(), what.is_empty()) {
            (true, _) => what.to_owned(),
            (false, true) => self.within.clone(),
            (false, false) => format!("{what} in {}", self.within),
        };
        self.found.push((at, what, why));
    }

    /// All of it, in the order of the reasons and of the description; what many operations share occurs once.
    pub(crate) fn listed(self, library: &Library<'_>) -> Vec<Lost> {
        let mut found = self.found;
        found.sort_by_key(|(at, _, why)| (*why, *at));
        found.dedup_by(|next, first| next.0 == first.0 && next.2 == first.2);
        let lost = found.into_iter().map(|(at, what, why)| Lost {
            span: library.span(at),
            what,
            why: why.text(),
        });
        lost.collect()
    }
}

/// Why something is not in the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reason {
    NoJson,
    NotDescribed,
    AnyValue,
    AnyItems,
    SeveralTypes,
    ContainsItself,
    TooDeep,
    TooLarge,
    PartsInHead,
    Cookie,
    ParameterContent,
    EmptyObject,
    RecordLabels,
    OneItem,
    FirstAlternative,
    CommonPart,
    NoResponses,
    Credentials,
    OtherCredentials,
    Callback,
    Webhook,
    Link,
    LinkCycle,
    Servers,
    Optional,
    Nullable,
    ResponseLimit,
    ResponseValues,
    ItemLimit,
    Pattern,
    PatternOfFormat,
    PatternValues,
    UniqueItems,
    FreeKeys,
    Format,
    BadNumber,
    Keyword,
    Method,
    PathTemplate,
    Place,
    Status,
    NotInPath,
}

impl Reason {
    fn text(self) -> &'static str {
        match self {
            Reason::NoJson => "the body is not JSON: the message has no fields from it",
            Reason::NotDescribed => {
                "it is required, but no schema describes it: add the field by hand"
            }
            Reason::AnyValue => {
                "the schema allows any value: add a field with the type that you use"
            }
            Reason::AnyItems => {
                "the items of the list have no schema: add a field with the type that you use"
            }
            Reason::SeveralTypes => "a field has one type: choose one and add the field",
            Reason::ContainsItself => {
                "the schema contains itself, and values of the model are finite"
            }
            Reason::TooDeep => "the schema nests too deeply",
            Reason::TooLarge => "the message is too large; the rest of it is left out",
            Reason::PartsInHead => "a list or an object has room only in the body",
            Reason::Cookie => {
                "it is not a field: every request to the service has it, see `headers` in the binding"
            }
            Reason::ParameterContent => "the parameter is a document of its own",
            Reason::EmptyObject => {
                "no field of this object is in the message, so the object is not sent"
            }
            Reason::RecordLabels => "a key within a list is not a name of the language",
            Reason::OneItem => "exactly one item is sent, so that its formats and limits hold",
            Reason::FirstAlternative => {
                "only the first alternative is sent: use the others by hand"
            }
            Reason::CommonPart => "only the fields that all alternatives have are in the message",
            Reason::NoResponses => "no response is described: the call ends with the request",
            Reason::Credentials => "credentials in a query are not sent: add them to the binding",
            Reason::OtherCredentials => {
                "another way to log in is used: see `headers` in the binding"
            }
            Reason::Callback => {
                "its address is known at run time only: set its path and `listen` in the binding"
            }
            Reason::Webhook => {
                "the description does not say when it happens: include its choreography where it belongs"
            }
            Reason::Link => {
                "the link does not say where its values come from, or leads to no operation that is imported"
            }
            Reason::LinkCycle => "the links lead back to the operation: this one is left out",
            Reason::Servers => "only the first server is used",
            Reason::Optional => {
                "it is optional, and a message has all its fields: add it if your services use it"
            }
            Reason::Nullable => "it can be null, which no type of the model allows",
            Reason::ResponseLimit => {
                "a choreography limits what is sent to a service, not what it answers: use a property"
            }
            Reason::ResponseValues => {
                "these values are not names of the language, or belong to another type: any text is accepted"
            }
            Reason::ItemLimit => "limits within a list are not carried over",
            Reason::Pattern => {
                "the pattern is not understood, or no text that it allows was found: give examples in the binding"
            }
            Reason::PatternOfFormat => {
                "texts of the format are sent, which might not match: give examples in the binding"
            }
            Reason::PatternValues => {
                "texts that match it are sent; whether the service refuses others is not tested"
            }
            Reason::UniqueItems => "the model does not compare the items of a list",
            Reason::FreeKeys => "fields of a message have fixed names",
            Reason::Format => "no values are made for this format: give examples in the binding",
            Reason::BadNumber => "the bound is not a number that the type has",
            Reason::Keyword => "this keyword is not understood",
            Reason::Method => "this method is not imported",
            Reason::Place => "a binding cannot name a parameter or header with quotes or spaces",
            Reason::NotInPath => "the path does not have this parameter",
            Reason::Status => "it is not a status such as 201, 4XX or default",
            Reason::PathTemplate => {
                "a binding cannot have this path: each parameter is a whole part of it, between slashes, and occurs once"
            }
        }
    }
}
