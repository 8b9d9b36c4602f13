//! What HTTP tests are made of: ready bodies, and which of their values matter.

/// A suite of tests of one service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpSuite {
    /// The file of the model.
    pub model: String,
    /// The service: its name in the model.
    pub service: String,
    /// The address of the service, if no one says otherwise.
    pub target: String,
    /// How long a tick of the model is, in milliseconds.
    pub tick: u64,
    /// How bodies are written.
    pub bodies: BodyKind,
    /// Headers of every request.
    pub headers: Vec<(String, Vec<HeaderPart>)>,
    /// The partners that the tests play, and where: `127.0.0.1:8083`.
    pub partners: Vec<(String, String)>,
    pub tests: Vec<HttpTest>,
    /// Test cases that are no such tests, and why.
    pub left_out: Vec<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeaderPart {
    /// As it stands.
    Text(String),
    /// What the environment has under this name when the tests are run.
    Environment(String),
}

/// How bodies are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyKind {
    Json,
    Xml,
}

/// One test case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpTest {
    /// Its name: `test_1`.
    pub name: String,
    /// The condition of its path.
    pub condition: Vec<String>,
    /// What partners that the tester does not play must do for the path to be taken.
    pub needs: Vec<String>,
    /// What the tester does, in order.
    pub steps: Vec<HttpStep>,
}

/// Something that the tester does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HttpStep {
    /// A request, and what is expected of its response.
    Call(Box<HttpCall>),
    /// The service will ask a partner that the test plays.
    Asked(Box<PartnerCall>),
    /// A tick of the model passes.
    Tick,
}

/// A request of the service to a partner, and what the partner answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartnerCall {
    /// What is asked and answered, in words.
    pub about: String,
    /// The partner.
    pub role: String,
    /// What tells the request from others: `POST /path`, or the name of the element in the envelope.
    pub title: String,
    /// Values of the request, by where they stand.
    pub expected: Vec<(String, Expected)>,
    /// The status of the answer.
    pub status: u16,
    /// The type of its body, if it has one.
    pub content_type: Option<String>,
    /// The body of the answer.
    pub body: String,
    /// Values of the answer that are taken from what the service said before.
    pub copies: Vec<(String, MessageValue)>,
}

/// A request and its response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpCall {
    /// What is sent and awaited, in words.
    pub about: String,
    /// `POST`.
    pub method: String,
    /// What is put after the target.
    pub path: String,
    /// Names and values.
    pub headers: Vec<(String, String)>,
    pub body: String,
    /// Values of the body that are taken from earlier responses.
    pub copies: Vec<(String, MessageValue)>,
    /// The status of the response; any of success if none is said.
    pub status: Option<u16>,
    /// Values of the response, by where they stand.
    pub expected: Vec<(String, Expected)>,
    /// What the service may answer instead; the path ends there.
    pub others: Vec<OtherAnswer>,
    /// How many units of time the service lets pass before it answers.
    pub ticks: u32,
}

/// An answer that the model allows beside the one of the path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherAnswer {
    /// Which one: `USER.Small!`.
    pub about: String,
    /// Its status; any of success if none is said.
    pub status: Option<u16>,
    /// Values of it, by where they stand.
    pub expected: Vec<(String, Expected)>,
}

/// What a value of a response must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// This: the text of an element, or a value as JSON writes it.
    Value(String),
    /// This number, however it is written: `12`, `-1.5` or `61/5`.
    Number(String),
    /// What stood in something that the service said before.
    Same(MessageValue),
    /// The number that stood there.
    SameNumber(MessageValue),
    /// A list of this many elements.
    Count(usize),
}

/// A value of something that the service said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageValue {
    /// In which of its messages.
    pub said: ServiceMessage,
    /// Where it stands in the body.
    pub path: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceMessage {
    /// The response to a call of the test, by its number from 0.
    Answer(usize),
    /// What a partner was asked, by its number from 0.
    Asked(usize),
}
