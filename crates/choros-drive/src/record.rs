//! What a run leaves behind: transcripts, and what is done already.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};

use choros_base::Name;
use choros_data::{Terms, Value};
use choros_model::stg::{Role, Stg};
use choros_symex::driver::{ConcreteMessage, ConversationEntry, TestVerdict};
use serde_json::{Map, Value as Json, json};

use crate::crank::RunResult;
use crate::secrets::Secrets;
use choros_suite::to_json;

/// A file that lines are added to; every line is whole on the disk before the next begins.
#[derive(Debug)]
pub struct LineFile {
    file: File,
    secrets: Secrets,
}

impl LineFile {
    /// Opens a file to continue with it, or begins it again; no secret reaches it.
    pub fn open(path: &str, goes_on: bool, secrets: Secrets) -> io::Result<LineFile> {
        let file = OpenOptions::new()
            .create(true)
            .write(true)
            .append(goes_on)
            .truncate(!goes_on)
            .open(path)?;
        if goes_on {
            mend(&file, path)?;
        }
        Ok(LineFile { file, secrets })
    }

    /// Adds lines.
    pub fn add(&mut self, lines: &[String]) -> io::Result<()> {
        let mut text = lines.join("\n");
        text.push('\n');
        self.file.write_all(self.secrets.masked(&text).as_bytes())?;
        self.file.flush()
    }
}

/// Ends the last line of a file: a process that was killed while writing it left half of one, which is taken away; the next
/// line must not hang on to it.
fn mend(mut file: &File, path: &str) -> io::Result<()> {
    if !file.metadata()?.is_file() {
        return Ok(());
    }
    let text = std::fs::read(path)?;
    let whole = text
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |it| it + 1);
    let last = &text[whole..];
    if last.is_empty() {
        return Ok(());
    }
    match serde_json::from_slice::<Json>(last) {
        Ok(_) => file.write_all(b"\n"),
        Err(_) => file.set_len(whole as u64),
    }
}

/// What happened in a test, as the service under test would log it: observations in the native form, with the names of
/// the model, so that `audit` and `monitor` read them.
pub fn transcript(
    ran: &RunResult,
    session: &str,
    service: Role,
    model: &Stg,
    terms: &Terms,
) -> Vec<String> {
    let line = |at: u64, message: &ConcreteMessage| {
        let name = |role: Role| terms.names.text(role.0);
        let mut operation = terms.names.text(message.operation.0).to_owned();
        if let Some(fault) = message.fault {
            operation = format!("{operation}#{}", terms.names.text(fault));
        }
        let mut object = Map::new();
        object.insert("at".to_owned(), json!(ran.began + at / 1_000));
        object.insert("by".to_owned(), json!(name(service)));
        let direction = if message.from == service {
            "send"
        } else {
            "recv"
        };
        object.insert("dir".to_owned(), json!(direction));
        object.insert("from".to_owned(), json!(name(message.from)));
        object.insert("to".to_owned(), json!(name(message.to)));
        object.insert("op".to_owned(), json!(operation));
        object.insert("session".to_owned(), json!(session));
        if !message.values.is_empty() {
            object.insert("data".to_owned(), data(message, model, terms));
        }
        Json::Object(object).to_string()
    };
    ran.outcome
        .log
        .iter()
        .filter_map(|entry| match entry {
            ConversationEntry::Sent { at, message } | ConversationEntry::Seen { at, message } => {
                Some(line(*at, message))
            }
            _ => None,
        })
        .collect()
}

/// The values of a message under the names that the model has for them.
fn data(message: &ConcreteMessage, model: &Stg, terms: &Terms) -> Json {
    let labels = model
        .messages()
        .find(|it| message.is_like(it))
        .map(|it| it.fields.iter().map(|field| field.label).collect());
    let labels: Vec<Option<Name>> = labels.unwrap_or_default();
    let label = |position: usize| labels.get(position).copied().flatten();
    match &message.values[..] {
        [only @ Value::Record { .. }] if label(0).is_none() => to_json(only, terms),
        [only] if label(0).is_none() => json!({ "value": to_json(only, terms) }),
        several => {
            let mut object = Map::new();
            for (position, value) in several.iter().enumerate() {
                let name = match label(position) {
                    Some(label) => terms.names.text(label).to_owned(),
                    None => format!("value{}", position + 1),
                };
                object.insert(name, to_json(value, terms));
            }
            Json::Object(object)
        }
    }
}

/// A test that is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedTest {
    /// Its name.
    pub test: String,
    pub verdict: TestVerdict,
    /// Why.
    pub reason: String,
    /// The edges of the model that it took.
    pub covered: Vec<u32>,
}

// Its record says that it was run, and no more.
impl choros_model::Judgeable for FinishedTest {}

/// The first line of a resume file: which suite it belongs to.
pub(crate) fn suite_line(suite: &str) -> String {
    json!({ "suite": suite }).to_string()
}

/// The line of a test that is done.
pub fn done_line(done: &FinishedTest) -> String {
    json!({
        "test": done.test,
        "verdict": done.verdict.word(),
        "reason": done.reason,
        "covered": done.covered,
    })
    .to_string()
}

/// Reads a resume file: the suite and what is done; a last line that was cut off is left out.
pub fn read_done(text: &str) -> Result<(String, Vec<FinishedTest>), String> {
    let mut lines = text.lines().enumerate();
    let first = lines.next().map_or("", |(_, line)| line);
    let suite = serde_json::from_str::<Json>(first)
        .ok()
        .and_then(|json| Some(json.get("suite")?.as_str()?.to_owned()))
        .ok_or("its first line names no suite")?;
    let count = text.lines().count();
    let mut done = Vec::new();
    for (number, line) in lines {
        match read_line(line) {
            Some(one) => done.push(one),
            // A process that was killed while writing leaves half a line, and only there.
            None if number + 1 == count && !text.ends_with('\n') => {}
            None => return Err(format!("line {} is not a finished test", number + 1)),
        }
    }
    Ok((suite, done))
}

fn read_line(line: &str) -> Option<FinishedTest> {
    let json: Json = serde_json::from_str(line).ok()?;
    let verdict = match json.get("verdict")?.as_str()? {
        "pass" => TestVerdict::Pass,
        "fail" => TestVerdict::Fail,
        "inconclusive" => TestVerdict::Inconclusive,
        _ => return None,
    };
    Some(FinishedTest {
        test: json.get("test")?.as_str()?.to_owned(),
        verdict,
        reason: json.get("reason")?.as_str()?.to_owned(),
        covered: json
            .get("covered")?
            .as_array()?
            .iter()
            .map(|edge| edge.as_u64().and_then(|edge| u32::try_from(edge).ok()))
            .collect::<Option<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_done_is_read_back_even_when_it_was_cut_off() {
        let done = FinishedTest {
            test: "test_1".to_owned(),
            verdict: TestVerdict::Inconclusive,
            reason: "\"why\"".to_owned(),
            covered: vec![3, 1],
        };
        let text = format!("{}\n{}\n", suite_line("s"), done_line(&done));
        assert_eq!(read_done(&text), Ok(("s".to_owned(), vec![done.clone()])));
        let cut = format!("{text}{{\"test\": \"te");
        assert_eq!(read_done(&cut), Ok(("s".to_owned(), vec![done])));
        assert!(read_done("").is_err());
        assert!(read_done(&format!("{}\nnonsense\n", suite_line("s"))).is_err());
    }

    /// Whatever was left of the last line, what is added afterwards is read back.
    #[test]
    fn a_file_that_was_cut_anywhere_goes_on() {
        let done = |test: &str| FinishedTest {
            test: test.to_owned(),
            verdict: TestVerdict::Pass,
            reason: "é".to_owned(),
            covered: vec![1],
        };
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("done.jsonl");
        let path = path.to_str().expect("a path");
        let first = format!("{}\n", suite_line("s"));
        let whole = format!("{first}{}\n", done_line(&done("a")));
        for length in first.len()..=whole.len() {
            std::fs::write(path, &whole.as_bytes()[..length]).expect("it is written");
            let mut file = LineFile::open(path, true, Secrets::default()).expect("it opens");
            file.add(&[done_line(&done("b"))]).expect("it is added");
            let text = std::fs::read_to_string(path).expect("it is text");
            let (_, read) = read_done(&text).unwrap_or_else(|error| panic!("{length}: {error}"));
            assert_eq!(read.last(), Some(&done("b")), "{length}");
            assert_eq!(
                read.len(),
                if length + 1 < whole.len() { 1 } else { 2 },
                "{length}"
            );
        }
    }
}
