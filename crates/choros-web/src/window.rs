//! One window of a browser: its language server and the questions that it asked.
//!
//! All ends with the window.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::mpsc::Sender;

use crate::job::{Job, JobEvent};
use crate::language::Language;
use crate::state::State;

pub(crate) struct Window {
    state: Arc<State>,
    /// What the browser gets.
    out: Sender<String>,
    language: Option<Language>,
    jobs: BTreeMap<u64, Job>,
}

/// More questions at a time are not taken from one window.
const MAX_JOBS: usize = 32;

impl Window {
    pub(crate) fn new(state: Arc<State>, out: Sender<String>) -> Window {
        Window {
            state,
            out,
            language: None,
            jobs: BTreeMap::new(),
        }
    }

    /// Obeys what the browser says; what makes no sense is answered with why.
    pub(crate) fn hear(&mut self, text: &str) {
        let Ok(said) = serde_json::from_str::<Value>(text) else {
            return self.tell(&json!({"from": "page", "error": "that is not JSON"}));
        };
        match said["to"].as_str() {
            Some("language") => self.hear_language(&said["message"]),
            Some("job") => self.hear_job(&said),
            _ => self.tell(&json!({"from": "page", "error": "to whom?"})),
        }
    }

    fn tell(&self, value: &Value) {
        let _ = self.out.blocking_send(value.to_string());
    }

    fn hear_language(&mut self, message: &Value) {
        if self.language.is_none() || message["method"] == "initialize" {
            let out = self.out.clone();
            let tell = move |message: Option<String>| {
                let text = match message {
                    Some(message) => format!("{{\"from\":\"language\",\"message\":{message}}}"),
                    None => "{\"from\":\"language\",\"over\":true}".to_owned(),
                };
                let _ = out.blocking_send(text);
            };
            self.language = None;
            let state = &self.state;
            let (folder, words) = (&state.project.folder, &state.language_words);
            let started = Language::start(&state.command, folder, words, tell);
            self.language = started.ok();
        }
        let said = self
            .language
            .as_mut()
            .is_some_and(|it| it.say(&message.to_string()));
        if !said {
            self.language = None;
        }
    }

    fn hear_job(&mut self, said: &Value) {
        let Some(number) = said["number"].as_u64() else {
            return self.tell(&json!({"from": "page", "error": "a job has a number"}));
        };
        if said["stop"] == true {
            if let Some(job) = self.jobs.get(&number) {
                job.stop();
            }
            return;
        }
        match self.start(number, said) {
            Ok(job) => {
                self.jobs.insert(number, job);
            }
            Err(reason) => self.tell(&json!({
                "from": "job", "number": number,
                "over": {"exit": 2, "complaint": reason},
            })),
        }
        // Those that are over are forgotten now and then.
        self.jobs.retain(|_, job| !job.is_over());
    }

    fn start(&self, number: u64, said: &Value) -> Result<Job, String> {
        if self.jobs.values().filter(|it| !it.is_over()).count() >= MAX_JOBS {
            return Err(format!(
                "{MAX_JOBS} questions are open in this window; stop some"
            ));
        }
        let verb = said["verb"].as_str().unwrap_or_default();
        let form = self.state.forms.iter().find(|it| it.verb == verb);
        let form = form.ok_or_else(|| format!("there is no question `{verb}`"))?;
        let root = self.state.root(said["root"].as_str().unwrap_or("project"));
        let root = root.ok_or("there is no such folder")?;
        let mut words = form.words(&said["filled"])?;
        for (option, value) in &self.state.defaults {
            let is_known = form
                .fields
                .iter()
                .any(|it| it.option.as_ref() == Some(option));
            let is_given = words
                .iter()
                .any(|it| it.starts_with(&format!("--{option}=")));
            if is_known && !is_given {
                words.insert(1, format!("--{option}={value}"));
            }
        }
        let typed: Vec<String> = words.iter().map(|it| typed(it)).collect();
        let typed = format!("choros {}", typed.join(" "));
        let (out, state) = (self.out.clone(), self.state.clone());
        let tell = move |heard: JobEvent| {
            let mut message = json!({"from": "job", "number": number});
            match heard {
                JobEvent::Waiting => message["waiting"] = json!(true),
                JobEvent::Event(mut event, bytes) => {
                    if event["event"] == "finished" {
                        event["typed"] = json!(typed);
                        let answer = state.answers.keep(event.clone(), bytes);
                        event["answer"] = json!(answer);
                        // These have addresses of their own.
                        for form in ["html", "junit"] {
                            event[form] = Value::Null;
                        }
                    }
                    message["event"] = event;
                }
                JobEvent::Over(exit, complaint) => {
                    message["over"] = json!({"exit": exit, "complaint": complaint, "typed": typed});
                }
            }
            let _ = out.blocking_send(message.to_string());
        };
        Ok(Job::start(
            &self.state.command,
            words,
            &root.folder,
            &self.state.lanes,
            tell,
        ))
    }
}

/// A word as one types it in a shell.
fn typed(word: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "-_=./,:@%+".contains(it);
    if word.chars().all(is_plain) && !word.is_empty() {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
