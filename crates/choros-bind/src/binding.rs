//! What a binding says.

use choros_model::observation::Datum;

use crate::{FieldPlace, Format, Opening, Pattern, Place, RequestPattern, Side, Statuses};

/// How the messages of a model look outside.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Binding {
    /// The file of the model, as the binding names it.
    pub model: Option<String>,
    /// Something is left to do in it, so that no verdict can rest on it.
    pub draft: bool,
    pub roles: Vec<RoleBinding>,
    /// Where the session stands: the first place that has a value.
    pub session: Vec<Place>,
    /// Where the identity of a message stands: the first place that has a value.
    pub id: Vec<Place>,
    /// Where the name of a message stands: the first place that has a value, then what its form calls it.
    pub op: Vec<Place>,
    pub messages: Vec<MessageBinding>,
    /// What is not a message of the model, recognized as messages are: health checks, acknowledgements.
    pub ignored: Vec<MessageBinding>,
    /// A record that no message fits is what it calls itself; otherwise it is not bound.
    pub others_by_name: bool,
    /// What is known of the values of fields, by the field's name.
    pub values: Vec<(String, FieldValues)>,
    pub hide: Hiding,
    /// How records of logs look, where their form does not say it itself.
    pub logs: Vec<LogRules>,
}

/// Where a role is, and what others call it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RoleBinding {
    pub name: String,
    /// Where the service is.
    pub address: Option<String>,
    /// Where Choros listens when it plays this role.
    pub listen: Option<String>,
    /// What logs call it.
    pub names: Vec<Pattern>,
    /// Headers of every request to it, before `$NAME` is replaced.
    pub headers: Vec<(String, String)>,
}

/// How one message looks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MessageBinding {
    pub name: String,
    /// What logs, events and topics call it.
    pub names: Vec<Pattern>,
    /// Its method and path over HTTP.
    pub request: Option<RequestPattern>,
    /// Other requests that are it, too; the first is the one that is sent.
    pub more_requests: Vec<RequestPattern>,
    /// It answers the requests with these names.
    pub response: Vec<String>,
    /// It answers these requests, which need not be messages.
    pub answers: Vec<RequestPattern>,
    /// With one of these statuses, or codes of a remote call; where none is said, any of success.
    pub status: Vec<Statuses>,
    /// It goes through this topic or queue.
    pub topic: Option<Pattern>,
    /// Who sends it, where the model is not at hand or several roles do.
    pub from: Option<String>,
    /// Who receives it.
    pub to: Option<String>,
    /// At which end its records are written, where they do not say it themselves.
    pub dir: Option<Side>,
    /// What else tells it from others.
    pub when: Vec<(Place, Datum<'static>)>,
    pub fields: Fields,
    /// What is known of the values of its fields.
    pub values: Vec<(String, FieldValues)>,
}

/// Where the fields of a message stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fields {
    /// By name; each at the first of its places that has a value. Others are in the body, by their names.
    Named(Vec<(String, Vec<FieldPlace>)>),
    /// All of them, in the order of the model: for messages whose fields have no names.
    Listed(Vec<FieldPlace>),
}

impl Default for Fields {
    fn default() -> Fields {
        Fields::Named(Vec::new())
    }
}

/// What is known of the values of a field.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FieldValues {
    pub format: Option<Format>,
    pub examples: Vec<Datum<'static>>,
}

/// Whether a text is a rule of redaction: names of fields, from the outside in, the last of them not `*`.
///
/// A rule of stars alone would be read as "everything" by one and as "nothing" by another.
pub fn is_redaction_rule(text: &str) -> bool {
    let is_name =
        |name: &str| !name.is_empty() && !name.contains(|it: char| it == ',' || it.is_whitespace());
    text.split('.').all(is_name) && text.rsplit('.').next() != Some("*")
}

/// What is not shown, and what is not data.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hiding {
    /// Rules of redaction: names of fields, or paths such as `*.password`.
    pub secret: Vec<String>,
    /// Nothing at these places, or below them, is data.
    pub noise: Vec<Place>,
    /// Secrets that are known by their names or forms are shown all the same, except those above.
    pub keep_known_secrets: bool,
}

/// How the records of some logs look.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LogRules {
    /// Which logs; all of them where none is named.
    pub files: Vec<Pattern>,
    /// The form, by its name.
    pub form: Option<String>,
    /// Where parts of an envelope stand in a record, the first that has a value.
    pub parts: Vec<(Part, Vec<PartSource>)>,
    /// How times are written, by its name.
    pub time: Option<String>,
    /// Words for directions other than `send` and `recv`: the word, and whether it means a sending.
    pub directions: Vec<(String, bool)>,
    /// The element of an XML stream that is one record.
    pub element: Option<String>,
    /// What is closed in a text, and how it is opened.
    pub open: Vec<(Place, Opening)>,
    /// Where fields stand that no one placed: a place with `{field}` in it.
    pub fields: Option<String>,
    /// Whether the log loses records by design; unless it is given, the form of the log decides.
    pub lossy: Option<bool>,
}

/// A part of an envelope that a record may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    At,
    By,
    Dir,
    From,
    To,
    Op,
    Id,
    Session,
    Topic,
    Method,
    Path,
    Status,
    /// The body of the message, or of the request.
    Body,
    /// The body of the response.
    Response,
    /// The headers of the message, or of the request.
    Headers,
}

impl Part {
    pub const ALL: [Part; 15] = [
        Part::At,
        Part::By,
        Part::Dir,
        Part::From,
        Part::To,
        Part::Op,
        Part::Id,
        Part::Session,
        Part::Topic,
        Part::Method,
        Part::Path,
        Part::Status,
        Part::Body,
        Part::Response,
        Part::Headers,
    ];

    /// Its key in a binding.
    pub fn name(self) -> &'static str {
        match self {
            Part::At => "at",
            Part::By => "by",
            Part::Dir => "dir",
            Part::From => "from",
            Part::To => "to",
            Part::Op => "op",
            Part::Id => "id",
            Part::Session => "session",
            Part::Topic => "topic",
            Part::Method => "method",
            Part::Path => "path",
            Part::Status => "status",
            Part::Body => "body",
            Part::Response => "response",
            Part::Headers => "headers",
        }
    }
}

/// Where a part comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartSource {
    /// From the record, by path.
    Path(String),
    /// It is always this.
    Value(String),
}

/// How times may be written: since 1970 in a unit, or by the calendar.
pub const TIME_FORMS: [&str; 5] = ["s", "ms", "us", "ns", "iso"];

/// The name of the role that stands for every role that is not named otherwise.
pub const ANY_ROLE: &str = "*";

/// Why no verdict rests on a draft.
pub const DRAFT: &str = "the binding is a draft: finish it, and remove `draft` from it";

impl Binding {
    /// Whether nothing is said in it, not even of which model it is.
    pub fn is_empty(&self) -> bool {
        let Binding { draft, .. } = *self;
        *self
            == Binding {
                draft,
                ..Binding::default()
            }
    }

    /// Where the service with this role is.
    pub fn address(&self, role: &str) -> Option<&str> {
        self.of_role(role, |it| it.address.as_deref())
    }

    /// Where Choros listens when it plays this role.
    pub fn listen(&self, role: &str) -> Option<&str> {
        self.of_role(role, |it| it.listen.as_deref())
    }

    /// Headers of every request to this role.
    pub fn headers(&self, role: &str) -> &[(String, String)] {
        let found = self.of_role(role, |it| Some(&it.headers[..]).filter(|it| !it.is_empty()));
        found.unwrap_or(&[])
    }

    /// What is said of a role, or else of all.
    fn of_role<'b, T>(
        &'b self,
        role: &str,
        get: impl Fn(&'b RoleBinding) -> Option<T>,
    ) -> Option<T> {
        let own = self.role(role).and_then(&get);
        own.or_else(|| self.role(ANY_ROLE).and_then(&get))
    }

    pub fn role(&self, name: &str) -> Option<&RoleBinding> {
        self.roles.iter().find(|it| it.name == name)
    }

    pub fn message(&self, name: &str) -> Option<&MessageBinding> {
        self.messages.iter().find(|it| it.name == name)
    }

    /// The messages that a message answers: those that it names, and those whose requests it answers.
    pub fn calls<'b>(&'b self, message: &'b MessageBinding) -> impl Iterator<Item = &'b str> {
        let is_answered = |call: &&MessageBinding| {
            let mut requests = call.requests();
            let is_named = message.response.contains(&call.name);
            !is_named && requests.any(|it| message.answers.iter().any(|wide| wide.covers(it)))
        };
        let named = message.response.iter().map(String::as_str);
        let others = self.messages.iter().filter(is_answered);
        named.chain(others.map(|it| it.name.as_str()))
    }

    /// What is known of the values of a field: of this message first, then of all.
    pub fn values(&self, message: &str, field: &str) -> Option<&FieldValues> {
        let own = self.message(message).map_or(&[][..], |it| &it.values);
        own.iter()
            .chain(&self.values)
            .find(|(name, _)| name == field)
            .map(|(_, values)| values)
    }

    /// The rules for a log: the first whose `files` match its path, or the last part of it.
    pub fn log_rules(&self, path: &str) -> Option<&LogRules> {
        let last = path.rsplit(['/', '\\']).next().unwrap_or(path);
        self.logs.iter().find(|rules| {
            rules.files.is_empty()
                || rules
                    .files
                    .iter()
                    .any(|it| it.matches(last) || it.matches(path))
        })
    }
}

impl MessageBinding {
    /// A message of which only the name is known.
    pub fn new(name: impl Into<String>) -> MessageBinding {
        MessageBinding {
            name: name.into(),
            ..MessageBinding::default()
        }
    }

    /// The one that is sent, and the others.
    pub fn requests(&self) -> impl Iterator<Item = &RequestPattern> {
        self.request.iter().chain(&self.more_requests)
    }

    /// Whether it answers something.
    pub fn is_response(&self) -> bool {
        !(self.response.is_empty() && self.answers.is_empty())
    }

    /// Whether a response with this status may be it.
    pub fn has_status(&self, status: u16) -> bool {
        self.status_exactness(status).is_some()
    }

    /// How exactly the binding says that a response with this status may be it, if it does.
    pub(crate) fn status_exactness(&self, status: u16) -> Option<u8> {
        if self.status.is_empty() {
            // What succeeds; 0 is the code of a remote call that did.
            return matches!(status, 0 | 200..300).then_some(0);
        }
        let known = self.status.iter().filter(|it| it.has(status));
        known.map(|it| it.exactness()).max()
    }
}

impl LogRules {
    /// Where a part stands.
    pub fn part(&self, part: Part) -> &[PartSource] {
        let found = self.parts.iter().find(|(it, _)| *it == part);
        found.map_or(&[], |(_, sources)| sources)
    }
}
