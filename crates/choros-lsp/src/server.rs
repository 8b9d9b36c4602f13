//! The conversation with an editor.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::capabilities::capabilities;
use crate::commands::VERBS;
use crate::documents::{Document, Documents};
use crate::features::About;
use crate::findings::{Finding, Places};
use crate::jobs::{FinishedJob, Jobs, Purpose};
use crate::memory::MemoryLimit;
use crate::position::Encoding;
use crate::protocol::{
    INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, NOT_INITIALIZED, PARSE_ERROR, Refusal,
};
use crate::requests;
use crate::transport::Input;
use crate::uri::path_of;
use crate::verbs::Verbs;

/// What happens to a server.
pub(crate) enum Event {
    /// The client said something.
    Input(Input),
    /// A job is over.
    Done(FinishedJob),
}

/// How far the conversation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing is agreed yet.
    New,
    Running,
    /// The client said that it is about to leave.
    Leaving,
}

/// A server and what it knows.
pub(crate) struct Server {
    out: Sender<Value>,
    events: Sender<Event>,
    stage: Stage,
    pub(crate) encoding: Encoding,
    pub(crate) documents: Documents,
    pub(crate) jobs: Jobs,
    /// Buffers whose findings have to be told again.
    dirty: BTreeSet<String>,
    /// When a buffer is checked in the background.
    due: BTreeMap<String, Instant>,
    checks: bool,
    pub(crate) tells_progress: bool,
    /// Whether the client makes changes that it is asked for.
    pub(crate) takes_edits: bool,
    /// Whether it refuses those of a text that is not there any more.
    pub(crate) versions_edits: bool,
    pub(crate) next_token: u64,
    /// Where a service is and how it is talked to, if the client said so.
    pub(crate) drive: Value,
    /// The command that the server is a part of.
    pub(crate) verbs: Option<Arc<dyn Verbs>>,
    /// The names of its verbs.
    pub(crate) offered: Vec<String>,
}

/// How long someone pauses who does not type any more.
const PAUSE: Duration = Duration::from_millis(300);
/// How long a check in the background may take.
pub(crate) const CHECK: Duration = Duration::from_secs(20);
/// How often progress is told.
const TICK: Duration = Duration::from_millis(250);

/// Serves a client until it leaves; whether it said so before it did.
pub(crate) fn serve(
    inputs: &Receiver<Event>,
    events: Sender<Event>,
    out: Sender<Value>,
    verbs: Option<Arc<dyn Verbs>>,
    memory: Option<MemoryLimit>,
) -> bool {
    let declared = verbs.as_ref().map(|it| it.declarations());
    let declared = declared.as_ref().and_then(Value::as_array);
    let names = declared.into_iter().flatten();
    let names = names.filter_map(|it| it["verb"].as_str().map(str::to_owned));
    let mut server = Server {
        out,
        events,
        stage: Stage::New,
        encoding: Encoding::default(),
        documents: Documents::default(),
        jobs: Jobs::within(memory),
        dirty: BTreeSet::new(),
        due: BTreeMap::new(),
        checks: true,
        tells_progress: false,
        takes_edits: false,
        versions_edits: false,
        next_token: 0,
        drive: Value::Null,
        offered: names.collect(),
        verbs,
    };
    loop {
        // What waits is taken first: findings of a text that is changed already are not worth telling.
        let event = match inputs.try_recv() {
            Ok(event) => event,
            Err(TryRecvError::Disconnected) => break,
            Err(TryRecvError::Empty) => {
                server.publish();
                match inputs.recv_timeout(server.wait()) {
                    Ok(event) => event,
                    Err(RecvTimeoutError::Disconnected) => break,
                    Err(RecvTimeoutError::Timeout) => {
                        server.tick();
                        continue;
                    }
                }
            }
        };
        match event {
            Event::Input(Input::Closed) => break,
            Event::Input(Input::Malformed(reason)) => {
                server.refuse(&Value::Null, (PARSE_ERROR, reason));
            }
            Event::Input(Input::Message(message)) => {
                if let Some(orderly) = server.message(&message) {
                    server.jobs.cancel_where(|_| true);
                    return orderly;
                }
            }
            Event::Done(done) => server.done(done),
        }
    }
    server.jobs.cancel_where(|_| true);
    server.stage == Stage::Leaving
}

impl Server {
    pub(crate) fn send(&self, message: Value) {
        // A client that is gone hears nothing, and the end of its stream ends the server.
        let _ = self.out.send(message);
    }

    pub(crate) fn notify(&self, method: &str, params: Value) {
        self.send(json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn refuse(&self, id: &Value, (code, message): Refusal) {
        let error = json!({"code": code, "message": message});
        self.send(json!({"jsonrpc": "2.0", "id": id, "error": error}));
    }

    pub(crate) fn respond(&self, id: &Value, result: Result<Value, Refusal>) {
        match result {
            Ok(result) => self.send(json!({"jsonrpc": "2.0", "id": id, "result": result})),
            Err(refusal) => self.refuse(id, refusal),
        }
    }

    /// Hears a message; whether the client left in order, if it did.
    fn message(&mut self, message: &Value) -> Option<bool> {
        let method = message.get("method").and_then(Value::as_str);
        let id = message.get("id");
        let params = message.get("params").unwrap_or(&Value::Null);
        match (method, id) {
            (Some("exit"), _) => return Some(self.stage == Stage::Leaving),
            (Some(method), Some(id)) => self.request(id, method, params),
            (Some(method), None) => {
                if self.stage == Stage::Running {
                    let handled = AssertUnwindSafe(|| self.notification(method, params));
                    // A notification has no answer in which a mistake of ours could be told.
                    let _ = catch_unwind(handled);
                }
            }
            // An answer to something that we asked, of which we need nothing.
            (None, Some(_))
                if message.get("result").is_some() || message.get("error").is_some() => {}
            (None, id) => {
                let reason = "this is neither a request nor a notification".to_owned();
                let id = id.unwrap_or(&Value::Null);
                self.refuse(id, (INVALID_REQUEST, reason));
            }
        }
        None
    }

    fn request(&mut self, id: &Value, method: &str, params: &Value) {
        let result = match (self.stage, method) {
            (Stage::New, "initialize") => Ok(self.initialize(params)),
            (Stage::New, _) => Err((NOT_INITIALIZED, "`initialize` comes first".to_owned())),
            (Stage::Running, "initialize") => {
                Err((INVALID_REQUEST, "`initialize` comes once".to_owned()))
            }
            (Stage::Running, "shutdown") => {
                self.stage = Stage::Leaving;
                self.jobs.cancel_where(|_| true);
                self.dirty.clear();
                self.due.clear();
                Ok(Value::Null)
            }
            (Stage::Leaving, _) => {
                let reason = "after `shutdown` only `exit` is taken".to_owned();
                Err((INVALID_REQUEST, reason))
            }
            (Stage::Running, "workspace/executeCommand") => match self.execute(id, params) {
                Ok(()) => return,
                Err(refusal) => Err(refusal),
            },
            (Stage::Running, method) => {
                let handled = AssertUnwindSafe(|| self.answer(method, params));
                catch_unwind(handled)
                    .unwrap_or_else(|_| Err((INTERNAL_ERROR, "a mistake of ours".to_owned())))
            }
        };
        self.respond(id, result);
    }

    fn answer(&self, method: &str, params: &Value) -> Result<Value, Refusal> {
        let about = || self.asked_about(params);
        if method == "choros/verbs" {
            let verbs = self.verbs.as_ref();
            return Ok(verbs.map_or_else(|| json!([]), |it| it.declarations()));
        }
        requests::answer(method, params, about, |it| self.shown(it))
    }

    /// The verbs that commands can ask for.
    fn commands(&self) -> BTreeSet<&str> {
        let own = VERBS.iter().copied();
        let mut commands: BTreeSet<&str> = own.collect();
        if self.verbs.is_some() {
            commands.insert("run");
            commands.extend(self.offered.iter().map(String::as_str));
        }
        commands
    }

    /// Where jobs tell that they are over.
    pub(crate) fn ear(&self) -> impl Fn(FinishedJob) + Clone + Send + use<> {
        let events = self.events.clone();
        move |done| {
            // The server listens as long as it is there.
            let _ = events.send(Event::Done(done));
        }
    }

    fn initialize(&mut self, params: &Value) -> Value {
        self.stage = Stage::Running;
        let client = &params["capabilities"];
        self.encoding = Encoding::negotiated(&client["general"]["positionEncodings"]);
        self.tells_progress = client["window"]["workDoneProgress"] == true;
        self.takes_edits = client["workspace"]["applyEdit"] == true;
        self.versions_edits = client["workspace"]["workspaceEdit"]["documentChanges"] == true;
        let options = &params["initializationOptions"];
        self.checks = options["check"] != false;
        self.drive = options["drive"].clone();
        let folders = params["workspaceFolders"].as_array();
        let folders = folders.map_or(&[][..], Vec::as_slice);
        let uris = folders.iter().filter_map(|it| it["uri"].as_str());
        let roots = uris.chain(params["rootUri"].as_str());
        self.documents.roots = roots.map(|it| PathBuf::from(path_of(it))).collect();
        json!({
            "capabilities": capabilities(self.encoding, &self.commands()),
            "serverInfo": {"name": "choros", "version": env!("CARGO_PKG_VERSION")},
        })
    }

    fn notification(&mut self, method: &str, params: &Value) {
        let document = &params["textDocument"];
        let uri = document["uri"].as_str();
        match (method, uri) {
            ("textDocument/didOpen", Some(uri)) => {
                let text = document["text"].as_str().unwrap_or_default();
                let language = document["languageId"].as_str().unwrap_or_default();
                let version = document["version"].as_i64().unwrap_or(0);
                self.documents.open(uri, language, version, text);
                self.touched(uri);
            }
            ("textDocument/didChange", Some(uri)) => {
                let encoding = self.encoding;
                let Some(open) = self.documents.get_mut(uri) else {
                    return;
                };
                for change in params["contentChanges"].as_array().into_iter().flatten() {
                    open.change(change, encoding);
                }
                open.version = document["version"]
                    .as_i64()
                    .unwrap_or(open.version.saturating_add(1));
                self.touched(uri);
            }
            ("textDocument/didClose", Some(uri)) if self.documents.close(uri) => {
                self.jobs.cancel_where(|it| it.uri == uri);
                self.dirty.remove(uri);
                self.due.remove(uri);
                let nothing = json!({"uri": uri, "diagnostics": []});
                self.notify("textDocument/publishDiagnostics", nothing);
                self.others_changed(uri);
            }
            ("workspace/didChangeWatchedFiles", _) => self.others_changed(""),
            ("$/cancelRequest", _) => {
                let asked = &params["id"];
                self.jobs.cancel_where(
                    |it| matches!(&it.purpose, Purpose::Command { id, .. } if id == asked),
                );
            }
            ("window/workDoneProgress/cancel", _) => {
                let asked = &params["token"];
                self.jobs.cancel_where(|it| {
                    matches!(&it.purpose, Purpose::Command { token: Some(it), .. } if it == asked)
                });
            }
            _ => {}
        }
    }

    /// A buffer has another text: what was being found out about the old one is of no use.
    fn touched(&mut self, uri: &str) {
        self.jobs.cancel_where(|it| it.uri == uri);
        self.dirty.insert(uri.to_owned());
        self.others_changed(uri);
        // What was answered about others may rest on it too.
        self.dirty.extend(self.documents.forget_answers(uri));
    }

    /// Something else than these buffers changed that some of them read.
    fn others_changed(&mut self, but: &str) {
        let reads_others = |it: &&Document| match it.language() {
            Some(kind) => matches!(kind.name(), "bpel" | "socl"),
            None => true,
        };
        let others = self.documents.all().filter(|it| it.uri != but);
        let others: Vec<String> = others
            .filter(reads_others)
            .map(|it| it.uri.clone())
            .collect();
        for uri in others {
            self.jobs.cancel_where(|it| it.uri == uri);
            if let Some(document) = self.documents.get_mut(&uri) {
                document.forget();
            }
            self.dirty.insert(uri);
        }
    }

    /// Tells what is known of buffers that changed, and plans to find out more.
    fn publish(&mut self) {
        for uri in std::mem::take(&mut self.dirty) {
            let found = catch_unwind(AssertUnwindSafe(|| self.tell(&uri)));
            if found.is_ok() && self.checks {
                self.due.insert(uri, Instant::now() + PAUSE);
            }
        }
    }

    pub(crate) fn tell(&self, uri: &str) {
        let Some(document) = self.documents.get(uri) else {
            return;
        };
        let shown = self.shown(document);
        let diagnostics: Vec<Value> = shown.into_iter().map(|it| it.json).collect();
        self.notify(
            "textDocument/publishDiagnostics",
            json!({"uri": uri, "version": document.version, "diagnostics": diagnostics}),
        );
    }

    /// Everything that is to be shown in a buffer.
    fn shown(&self, document: &Document) -> Vec<Finding> {
        let mut shown = match &document.checked {
            Some(checked) => checked.findings.clone(),
            None => {
                let reading = self.documents.reading(document);
                let uri = |path: &str| self.documents.uri(path);
                let sources = &reading.sources;
                let mut places = Places::new(sources, self.encoding, &document.path, &uri);
                places.findings(&reading.findings)
            }
        };
        for answer in document.answers.values().flat_map(|it| &it.findings) {
            if !shown.contains(answer) {
                shown.push(answer.clone());
            }
        }
        shown
    }

    /// How long nothing has to be done.
    fn wait(&self) -> Duration {
        let now = Instant::now();
        let due = self.due.values().min();
        let due = due.map(|it| it.saturating_duration_since(now));
        let tick = self.jobs.all().next().map(|_| TICK);
        let wait = [due, tick].into_iter().flatten().min();
        wait.unwrap_or(Duration::from_secs(3600))
    }

    fn tick(&mut self) {
        let now = Instant::now();
        self.jobs.tick(now);
        for job in self.jobs.all() {
            if let Purpose::Command {
                token: Some(token), ..
            } = &job.purpose
            {
                let measure = job.events.measure();
                let mut value = json!({"kind": "report", "message": job.doing()});
                if let Some(total) = measure.total.filter(|it| *it > 0) {
                    value["percentage"] = json!((measure.done * 100 / total).min(100));
                }
                self.notify("$/progress", json!({"token": token, "value": value}));
            }
        }
        let due: Vec<String> = self
            .due
            .iter()
            .filter(|(_, at)| **at <= now)
            .map(|(uri, _)| uri.clone())
            .collect();
        for uri in due {
            self.due.remove(&uri);
            self.check(&uri);
        }
    }

    fn about<'a>(&'a self, document: &'a Document) -> About<'a> {
        About {
            documents: &self.documents,
            document,
            encoding: self.encoding,
            drives: self.drive["target"].is_string(),
        }
    }

    /// The buffer that a question is about.
    fn asked_about(&self, params: &Value) -> Result<About<'_>, Refusal> {
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        let document = self.documents.get(uri);
        let document = document.ok_or_else(|| (INVALID_PARAMS, format!("`{uri}` is not open")))?;
        Ok(self.about(document))
    }
}
