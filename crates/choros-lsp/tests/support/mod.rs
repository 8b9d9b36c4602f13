//! An editor without a window.
#![allow(dead_code, reason = "each test uses some of it")]

use std::sync::mpsc::Receiver;
use std::thread::JoinHandle;
use std::time::Duration;

use choros_lsp::{Input, Inputs, MemoryLimit, start, start_with};
use serde_json::{Value, json};

/// A client and its server.
pub(crate) struct Client {
    inputs: Inputs,
    outputs: Receiver<Value>,
    server: Option<JoinHandle<bool>>,
    next: i64,
    version: i64,
    /// Notifications that came while something else was waited for.
    pub(crate) heard: Vec<Value>,
    /// What the server can do, once it has said so.
    pub(crate) capabilities: Value,
}

/// Longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

impl Client {
    /// A client that has said hello.
    pub(crate) fn new(options: Value) -> Client {
        Client::silent().hello(options)
    }

    /// One whose server has a limit on its memory.
    pub(crate) fn within(memory: MemoryLimit, options: Value) -> Client {
        Client::of(start_with(None, Some(memory))).hello(options)
    }

    fn hello(self, options: Value) -> Client {
        self.hello_as(json!({}), options)
    }

    /// One that wants no work in the background and can do this.
    pub(crate) fn able(capabilities: Value) -> Client {
        Client::silent().hello_as(capabilities, json!({"check": false}))
    }

    fn hello_as(self, capabilities: Value, options: Value) -> Client {
        let mut client = self;
        let hello = json!({"capabilities": capabilities, "initializationOptions": options});
        let welcome = client.ask("initialize", hello).expect("it is welcome");
        client.capabilities = welcome["capabilities"].clone();
        client.tell("initialized", json!({}));
        client
    }

    /// One that wants no work in the background.
    pub(crate) fn quiet() -> Client {
        Client::new(json!({"check": false}))
    }

    /// One that has not said anything.
    pub(crate) fn silent() -> Client {
        Client::of(start())
    }

    fn of((inputs, outputs, server): (Inputs, Receiver<Value>, JoinHandle<bool>)) -> Client {
        Client {
            inputs,
            outputs,
            server: Some(server),
            next: 0,
            version: 0,
            heard: Vec::new(),
            capabilities: Value::Null,
        }
    }

    pub(crate) fn say(&self, message: Value) -> bool {
        self.inputs.send(Input::Message(message))
    }

    pub(crate) fn stammer(&self, what: &str) {
        self.inputs.send(Input::Malformed(what.to_owned()));
    }

    pub(crate) fn tell(&self, method: &str, params: Value) {
        self.say(json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and does not wait.
    pub(crate) fn begin(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        let id = self.next;
        self.say(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The answer to a request: its result, or its error.
    pub(crate) fn answer(&mut self, id: i64) -> Result<Value, Value> {
        loop {
            let message = self.hear();
            if message.get("method").is_none() && message["id"] == id {
                return match message.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(message["result"].clone()),
                };
            }
            self.heard.push(message);
        }
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.begin(method, params);
        self.answer(id)
    }

    /// The next message of the server.
    pub(crate) fn hear(&self) -> Value {
        let heard = self.outputs.recv_timeout(PATIENCE);
        heard.expect("the server says something")
    }

    /// The next findings about a file, of this version or a later one.
    pub(crate) fn findings(&mut self, uri: &str, version: i64) -> Vec<Value> {
        let is_it = |message: &Value| {
            let params = &message["params"];
            message["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == uri
                && params["version"].as_i64().is_some_and(|it| it >= version)
        };
        let told = match self.heard.iter().position(is_it) {
            Some(at) => self.heard.remove(at),
            None => loop {
                let message = self.hear();
                if is_it(&message) {
                    break message;
                }
                self.heard.push(message);
            },
        };
        let findings = &told["params"]["diagnostics"];
        findings.as_array().expect("a list").clone()
    }

    /// Opens a text and gives what is found in it.
    pub(crate) fn open(&mut self, uri: &str, text: &str) -> Vec<Value> {
        self.version += 1;
        let version = self.version;
        let document = json!({"uri": uri, "languageId": "", "version": version, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
        self.findings(uri, version)
    }

    /// Changes a text and gives what is found in it then.
    pub(crate) fn change(&mut self, uri: &str, changes: Value) -> Vec<Value> {
        let version = self.change_only(uri, changes);
        self.findings(uri, version)
    }

    /// Changes a text and waits for nothing.
    pub(crate) fn change_only(&mut self, uri: &str, changes: Value) -> i64 {
        self.version += 1;
        let document = json!({"uri": uri, "version": self.version});
        self.tell(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": changes}),
        );
        self.version
    }

    /// Asks about a place.
    pub(crate) fn at(
        &mut self,
        feature: &str,
        uri: &str,
        (line, character): (usize, usize),
    ) -> Value {
        let params = place(uri, line, character);
        let answered = self.ask(&format!("textDocument/{feature}"), params);
        answered.expect("the server answers")
    }

    /// Asks about a whole text.
    pub(crate) fn about(&mut self, feature: &str, uri: &str) -> Value {
        let everywhere = json!({
            "start": {"line": 0, "character": 0},
            "end": {"line": 1_000_000, "character": 0},
        });
        let params = json!({
            "textDocument": {"uri": uri},
            "range": everywhere,
            "context": {"diagnostics": []},
            "options": {"tabSize": 4, "insertSpaces": true},
        });
        let answered = self.ask(&format!("textDocument/{feature}"), params);
        answered.expect("the server answers")
    }

    /// Takes leave; whether the server ended in order.
    pub(crate) fn leave(mut self) -> bool {
        self.ask("shutdown", Value::Null).expect("it may leave");
        self.tell("exit", Value::Null);
        self.ended()
    }

    /// Waits for the end of the server.
    pub(crate) fn ended(mut self) -> bool {
        let server = self.server.take().expect("it is waited for once");
        server.join().expect("the server does not panic")
    }

    /// The stream ends.
    pub(crate) fn close(&self) {
        self.inputs.send(Input::Closed);
    }
}

/// The parameters of a question about a place.
pub(crate) fn place(uri: &str, line: usize, character: usize) -> Value {
    json!({
        "textDocument": {"uri": uri},
        "position": {"line": line, "character": character},
    })
}

/// The text without its `^`, and the line and column where that stands, in units of UTF-16.
pub(crate) fn marked(text: &str) -> (String, (usize, usize)) {
    let at = text.find('^').expect("a mark");
    let before = &text[..at];
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap_or("");
    let clean = text.replacen('^', "", 1);
    (clean, (line, column.encode_utf16().count()))
}

/// A text after edits of the protocol, all of which are about the text before; counted in UTF-16.
pub(crate) fn edited(text: &str, edits: &Value) -> String {
    let mut units: Vec<u16> = text.encode_utf16().collect();
    let mut edits: Vec<(usize, usize, String)> = edits
        .as_array()
        .expect("a list")
        .iter()
        .map(|edit| {
            let at = |end: &str| {
                let place = &edit["range"][end];
                let number = |key: &str| place[key].as_u64().expect("a number") as usize;
                unit(&units, number("line"), number("character"))
            };
            let new = edit["newText"].as_str().expect("a text").to_owned();
            (at("start"), at("end"), new)
        })
        .collect();
    edits.sort_by_key(|it| (it.0, it.1));
    for (start, end, new) in edits.into_iter().rev() {
        units.splice(start..end, new.encode_utf16());
    }
    String::from_utf16(&units).expect("edits do not cut characters")
}

/// The number of the unit at a line and a column: the twin of what the server does with bytes.
pub(crate) fn unit(units: &[u16], line: usize, column: usize) -> usize {
    let mut start = 0;
    for _ in 0..line {
        let rest = &units[start..];
        let Some(end) = rest
            .iter()
            .position(|&it| it == u16::from(b'\n') || it == u16::from(b'\r'))
        else {
            return units.len();
        };
        let pair = rest[end] == u16::from(b'\r') && rest.get(end + 1) == Some(&u16::from(b'\n'));
        start += end + 1 + usize::from(pair);
    }
    let rest = &units[start..];
    let end = rest
        .iter()
        .position(|&it| it == u16::from(b'\n') || it == u16::from(b'\r'));
    start + column.min(end.unwrap_or(rest.len()))
}

/// The codes of findings.
pub(crate) fn codes(findings: &[Value]) -> Vec<&str> {
    findings
        .iter()
        .map(|it| it["code"].as_str().expect("a code"))
        .collect()
}

/// A range in short: `line:column-line:column`.
pub(crate) fn short(range: &Value) -> String {
    let end = |end: &str| format!("{}:{}", range[end]["line"], range[end]["character"]);
    format!("{}-{}", end("start"), end("end"))
}

/// The files of the examples, with their texts.
pub(crate) fn examples() -> Vec<(String, String)> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let root = root.canonicalize().expect("the examples are there");
    let mut found = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let Some(name) = path.to_str().map(str::to_owned) else {
                continue;
            };
            let is_ours = choros::FileKind::of_path(&name).is_some() || name.ends_with(".solve");
            if is_ours && let Ok(text) = std::fs::read_to_string(&path) {
                found.push((format!("file://{name}"), text));
            }
        }
    }
    found.sort();
    found
}
