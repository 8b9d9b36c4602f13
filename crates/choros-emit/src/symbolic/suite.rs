//! What HTTP tests are made of: ready bodies, and which of their values matter.

/// A suite of tests of one service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpSuite {
    /// The file of the model.
    pub model: String,
    /// The service: its name in the model.
    pub service: String,
    /// Where the service is, if nobody says otherwise.
    pub target: String,
    /// How long a tick of the model is, in milliseconds.
    pub tick: u64,
    /// How bodies are written.
    pub bodies: BodyKind,
    /// The tests.
    pub tests: Vec<HttpTest>,
    /// Test cases that are no such tests, and why.
    pub left_out: Vec<(String, String)>,
}

/// How bodies are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyKind {
    /// As JSON.
    Json,
    /// As XML.
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
    /// A tick of the model passes.
    Tick,
}

/// A request and its response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpCall {
    /// What is sent and awaited, in words.
    pub about: String,
    /// `POST`.
    pub method: String,
    /// What is put behind the target.
    pub path: String,
    /// Names and values.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
    /// Values of the body that are taken from earlier responses.
    pub copies: Vec<(String, Place)>,
    /// The status of the response; any of success if none is said.
    pub status: Option<u16>,
    /// Values of the response, by where they stand.
    pub expected: Vec<(String, Expected)>,
}

/// What a value of a response must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// This: the text of an element, or a value as JSON writes it.
    Value(String),
    /// What stood in an earlier response.
    Same(Place),
}

/// A value of an earlier response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The number of the call in its test, from 0.
    pub call: usize,
    /// Where it stands in the body.
    pub path: String,
}
