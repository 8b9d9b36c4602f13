//! Verbs as work in the background: started, followed, answered unless the text has changed.

use std::sync::Arc;

use choros::Secrets;
use choros::model::symbols::{Section, Symbol, SymbolKind, Symbols};
use serde_json::{Value, json};

use crate::commands::{Question, Tested, VERBS, answer};
use crate::documents::Document;
use crate::findings::{Edit, changes};
use crate::jobs::{FinishedJob, Purpose};
use crate::protocol::{
    CONTENT_MODIFIED, INVALID_PARAMS, REQUEST_CANCELLED, REQUEST_FAILED, Refusal,
};
use crate::server::{CHECK, Server};

impl Server {
    /// Starts to find out what only `check` finds.
    pub(crate) fn check(&mut self, uri: &str) {
        let Some(document) = self.documents.get(uri) else {
            return;
        };
        if document.language().is_none() {
            return;
        }
        let generation = document.generation;
        let question = self.question("check", Some(document), None, Value::Null);
        let snapshot = self.documents.snapshot();
        let tell = self.ear();
        self.jobs.start(
            uri,
            generation,
            Purpose::Checking,
            Some(CHECK),
            tell,
            move |settings| answer(&question, &snapshot, settings),
        );
    }

    fn question(
        &self,
        verb: &str,
        document: Option<&Document>,
        component: Option<&str>,
        options: Value,
    ) -> Question {
        let documents = self.documents.all();
        let names = document.map_or_else(Vec::new, |document| {
            let sections = self.documents.reading(document).symbols.sections.iter();
            sections.map(|it| (it.name.clone(), it.name_span)).collect()
        });
        Question {
            verb: verb.to_owned(),
            request: document.map_or_else(Default::default, |it| it.request(component)),
            options,
            encoding: self.encoding,
            secrets: Secrets::default(),
            uris: documents
                .map(|it| (it.path.clone(), it.uri.clone()))
                .collect(),
            names,
            tested: match document {
                Some(document) if verb == "tests" => self.tested(document, component),
                _ => Vec::new(),
            },
            verbs: self.verbs.clone(),
        }
    }

    /// What has tests in a buffer: each role of each choreography, each described role, or the whole.
    fn tested(&self, document: &Document, component: Option<&str>) -> Vec<Tested> {
        let symbols = &self.documents.reading(document).symbols;
        let is_asked = |it: &&Section| {
            it.is_model
                && it.word != "system"
                && component.is_none_or(|component| component == it.name)
        };
        let mut tested = Vec::new();
        for section in symbols.sections.iter().filter(is_asked) {
            let of = |role: Option<String>| Tested {
                component: Some(section.name.clone()),
                role,
                name: Some(section.name_span),
            };
            let roles = roles_of(symbols, section);
            if section.word == "choreography" && !roles.is_empty() {
                tested.extend(roles.into_iter().map(|it| of(Some(it))));
            } else {
                tested.push(of(None));
            }
        }
        if tested.is_empty() {
            tested.push(Tested {
                component: component.map(str::to_owned),
                role: None,
                name: None,
            });
        }
        tested
    }

    /// The verb that a command asks for, and what it says besides.
    fn asked(&self, params: &Value) -> Result<(String, Value), String> {
        let command = params["command"].as_str().unwrap_or_default();
        let mut options = params["arguments"].get(0).cloned().unwrap_or(Value::Null);
        let verb = match command.strip_prefix("choros.") {
            Some("run") => {
                if !options["args"].is_array() && options.is_object() {
                    options["args"] = json!([]);
                }
                options["verb"].as_str().unwrap_or_default().to_owned()
            }
            Some(verb) => verb.to_owned(),
            None => String::new(),
        };
        let is_offered = self.offered.contains(&verb);
        let is_own = !options["args"].is_array() && VERBS.contains(&verb.as_str());
        if is_offered || is_own {
            Ok((verb, options))
        } else if command == "choros.run" && !verb.is_empty() {
            Err(format!("there is no verb `{verb}`"))
        } else {
            Err(format!("there is no command `{command}`"))
        }
    }

    /// Starts a verb; it is answered when it is done.
    pub(crate) fn execute(&mut self, id: &Value, params: &Value) -> Result<(), Refusal> {
        let refused = |reason: String| (INVALID_PARAMS, reason);
        let (verb, mut options) = self.asked(params).map_err(refused)?;
        if let Some(asked) = options.as_object_mut() {
            // What the question does not say, the settings may.
            for (key, value) in self.drive.as_object().into_iter().flatten() {
                asked.entry(key.clone()).or_insert_with(|| value.clone());
            }
        }
        let uri = options["uri"].as_str().unwrap_or_default().to_owned();
        let document = self.documents.get(&uri);
        // Words may name all files that they are about.
        let names_files = options["args"].is_array() && uri.is_empty();
        if document.is_none() && !names_files {
            return Err(refused(format!("`{uri}` is not open")));
        }
        let component = match options["component"].as_str() {
            Some(component) => Some(component.to_owned()),
            None => document.and_then(|it| self.component_at(it, &options)),
        };
        let generation = document.map_or(0, |it| it.generation);
        let question = self.question(&verb, document, component.as_deref(), options);
        let is_quiet = question.is_quiet();
        let token = match &params["workDoneToken"] {
            // No one waits for it.
            Value::Null if is_quiet => None,
            given => self.begin(&verb, given),
        };
        let at_most = is_quiet.then_some(CHECK);
        let purpose = Purpose::Command {
            id: id.clone(),
            token,
            verb,
        };
        let snapshot = self.documents.snapshot();
        let tell = self.ear();
        self.jobs
            .start(&uri, generation, purpose, at_most, tell, move |settings| {
                answer(&question, &snapshot, settings)
            });
        Ok(())
    }

    /// The model that the position of a question lies in; the first one where it lies in none.
    fn component_at(&self, document: &Document, options: &Value) -> Option<String> {
        let position = options.get("position")?;
        let at = document
            .lines
            .read(&document.text, position, self.encoding)?;
        let sections = &self.documents.reading(document).symbols.sections;
        let mut models = sections.iter().filter(|it| it.is_model);
        let here = models.clone().find(|it| {
            let range = it.span.range();
            range.start <= at && at <= range.end
        });
        here.or_else(|| models.next()).map(|it| it.name.clone())
    }

    /// Says that work begins: under the client's token, or one of ours if the client takes them.
    fn begin(&mut self, verb: &str, given: &Value) -> Option<Value> {
        let token = match given {
            Value::Null if self.tells_progress => {
                let token = json!(format!("choros-{}", self.next_token));
                self.next_token += 1;
                self.send(json!({
                    "jsonrpc": "2.0",
                    "id": token,
                    "method": "window/workDoneProgress/create",
                    "params": {"token": token},
                }));
                token
            }
            Value::Null => return None,
            given => given.clone(),
        };
        let value =
            json!({"kind": "begin", "title": format!("choros {verb}"), "cancellable": true});
        self.notify("$/progress", json!({"token": token, "value": value}));
        Some(token)
    }

    /// Asks the client to make a repair, of the text that it was found for and no later one.
    fn apply(&mut self, edits: &[Edit]) {
        let said = match edits {
            [] => Some("no messages were found whose addition to the text makes it realizable"),
            _ if !self.takes_edits => {
                Some("ask for the quick fix: this editor makes no changes that it is asked for")
            }
            _ => None,
        };
        if let Some(message) = said {
            let message = json!({"type": 2, "message": message});
            return self.notify("window/showMessage", message);
        }
        let changes = changes(edits, |path| self.documents.uri(path));
        let edit = match changes.as_object() {
            Some(files) if self.versions_edits => {
                let of = |(uri, edits): (&String, &Value)| {
                    let version = self.documents.get(uri).map(|it| it.version);
                    json!({"textDocument": {"uri": uri, "version": version}, "edits": edits})
                };
                json!({"documentChanges": files.iter().map(of).collect::<Vec<_>>()})
            }
            _ => json!({"changes": changes}),
        };
        let id = format!("choros-{}", self.next_token);
        self.next_token += 1;
        self.send(json!({
            "jsonrpc": "2.0",
            "id": id,
            "method": "workspace/applyEdit",
            "params": {"label": "Make it realizable", "edit": edit},
        }));
        let added: Vec<&str> = edits.iter().map(|it| it.text.trim()).collect();
        let added = added.join("`, `");
        let message = format!("with `{added}`, the roles do what the choreography says");
        self.notify("window/showMessage", json!({"type": 3, "message": message}));
    }

    /// A job is over: what it found is shown if the texts are still those that it was about.
    pub(crate) fn done(&mut self, done: FinishedJob) {
        let Some(job) = self.jobs.take(done.number) else {
            return;
        };
        let own = self.documents.get(&job.uri);
        let is_current =
            job.uri.is_empty() || own.is_some_and(|it| it.generation == job.generation);
        let is_current = is_current
            && done
                .result
                .as_ref()
                .is_ok_and(|it| self.documents.have(&it.read));
        match job.purpose {
            Purpose::Checking => {
                if job.is_too_large && is_current {
                    let name = own.map_or("", |it| it.path.as_str());
                    let reason = self.jobs.memory_reason();
                    let message = format!("`{name}` was not checked to the end: {reason}");
                    let message = json!({"type": 2, "message": message});
                    self.notify("window/showMessage", message);
                }
                if let (true, Ok(answer)) = (is_current, done.result)
                    && !answer.is_cut
                    && let Some(document) = self.documents.get_mut(&job.uri)
                {
                    document.checked = Some(Arc::new(answer));
                    self.tell(&job.uri);
                }
            }
            Purpose::Command { id, token, verb } => {
                let result = match done.result {
                    Err(reason) => Err((REQUEST_FAILED, reason)),
                    Ok(_) if !is_current => {
                        Err((CONTENT_MODIFIED, "the text has changed".to_owned()))
                    }
                    Ok(_) if job.is_too_large => Err((REQUEST_FAILED, self.jobs.memory_reason())),
                    Ok(answer) if answer.result["exit"] == 130 => {
                        Err((REQUEST_CANCELLED, "cancelled".to_owned()))
                    }
                    Ok(answer) => Ok(Arc::new(answer)),
                };
                if let Some(token) = token {
                    let value = json!({"kind": "end"});
                    self.notify("$/progress", json!({"token": token, "value": value}));
                }
                if let Ok(answer) = &result
                    && !answer.is_quiet
                {
                    // The verdict on a text that is about to be repaired is no news.
                    if answer.change.is_none() {
                        let message = json!({"type": 3, "message": answer.summary});
                        self.notify("window/showMessage", message);
                    }
                    if let Some(document) = self.documents.get_mut(&job.uri) {
                        document.answers.insert(verb, answer.clone());
                        self.tell(&job.uri);
                    }
                }
                let change = result.as_ref().ok().and_then(|it| it.change.clone());
                self.respond(&id, result.map(|it| it.result.clone()));
                if let Some(edits) = change {
                    self.apply(&edits);
                }
            }
        }
    }
}

/// The roles that a choreography declares.
fn roles_of(symbols: &Symbols, choreography: &Section) -> Vec<String> {
    let inside = choreography.span.range();
    let is_declared = |it: &&Symbol| {
        let mut places = it.places.iter();
        it.kind == SymbolKind::Role
            && places.any(|place| place.declares && inside.contains(&place.span.range().start))
    };
    let roles = symbols.symbols.iter().filter(is_declared);
    roles.map(|it| it.name.clone()).collect()
}
