//! One verdict on one line.

use std::collections::BTreeMap;

use choros_base::Choice;
use choros_model::observation::{Number, Observation};
use choros_monitor::{Mark, Outcome};
use choros_syntax::quote::xml_attribute;
use serde_json::{Map, Value};

use crate::log::observation_value;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum VerdictForm {
    /// JSON Lines.
    #[default]
    Json,
    /// Prop-tester's `<vdict>` elements.
    Vdict,
}

impl Choice for VerdictForm {
    const CHOICES: &'static [(&'static str, VerdictForm, &'static str)] = &[
        ("json", VerdictForm::Json, "One JSON object per line"),
        (
            "vdict",
            VerdictForm::Vdict,
            "Prop-tester's `<vdict>` elements",
        ),
    ];
}

/// A verdict, with everything that is written of it.
#[derive(Debug, Clone)]
pub struct VerdictLine<'v> {
    /// Its number among the verdicts of its tester.
    pub sequence: u64,
    /// The name of the property.
    pub property: &'v str,
    /// The service; none for a global property.
    pub service: Option<&'v str>,
    /// What it is.
    pub outcome: Outcome,
    /// For a global property: whether nothing can change it.
    pub is_final: bool,
    /// The message that opened the window.
    pub opened: Option<&'v Mark>,
    /// The message that decided it.
    pub decided: Option<&'v Mark>,
    /// What correlates the window.
    pub key: Option<&'v str>,
    /// The observations of the window.
    pub window: &'v [Observation<'static>],
    /// It says where each of them stands in its log.
    pub has_lines: bool,
}

/// What a stream of verdicts says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VerdictEvent {
    /// A verdict of a local property.
    Verdict {
        /// Its number among the verdicts of its tester.
        sequence: u64,
        /// The name of the property.
        property: String,
        /// What it is.
        outcome: Outcome,
    },
    /// This many verdicts are missing here.
    Lost(u64),
    /// The tester has come to its end.
    End(EndOfVerdicts),
}

/// What a tester says when it has come to its end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EndOfVerdicts {
    /// The properties whose logs it watched; none where it does not say.
    pub watched: Option<Vec<String>>,
    /// The properties whose verdicts turned out to rest on what the logs do not have, with the reason; none where it
    /// does not say, as testers of another kind and older ones do not.
    pub open: Option<BTreeMap<String, String>>,
}

impl VerdictLine<'_> {
    /// The line, with its line break; `now` is the time of testing in milliseconds since 1970.
    pub fn text(&self, form: VerdictForm, now: u64) -> String {
        match form {
            VerdictForm::Json => self.json(),
            VerdictForm::Vdict => self.vdict(now),
        }
    }

    fn json(&self) -> String {
        let mut object = Map::new();
        object.insert("seq".to_owned(), Value::from(self.sequence));
        object.insert("property".to_owned(), Value::from(self.property));
        if let Some(service) = self.service {
            object.insert("service".to_owned(), Value::from(service));
        }
        object.insert("verdict".to_owned(), Value::from(self.outcome.word()));
        if self.service.is_none() {
            object.insert("final".to_owned(), Value::from(self.is_final));
        }
        for (name, mark) in [("opened", self.opened), ("decided", self.decided)] {
            if let Some(mark) = mark {
                object.insert(name.to_owned(), mark_value(mark));
            }
        }
        if let Some(key) = self.key {
            object.insert("key".to_owned(), Value::from(key));
        }
        if !self.window.is_empty() {
            let window = self.window.iter().map(observation_value).collect();
            object.insert("window".to_owned(), Value::Array(window));
            if self.has_lines {
                let lines = self.window.iter().map(|it| Value::from(it.line));
                object.insert("lines".to_owned(), Value::Array(lines.collect()));
            }
        }
        let mut text = Value::Object(object).to_string();
        text.push('\n');
        text
    }

    fn vdict(&self, now: u64) -> String {
        let message = self
            .opened
            .and_then(|mark| mark.at.as_ref())
            .map_or_else(String::new, ToString::to_string);
        let word = match self.outcome {
            Outcome::Pass => "Pass",
            Outcome::Fail => "Fail",
            Outcome::Inconclusive => "Inconclusive",
        };
        let property = xml_attribute(self.property);
        format!("<vdict prop=\"{property}\" tstamp=\"{now}\" msg=\"{message}\">{word}</vdict>\n")
    }
}

/// The last line of a stream of verdicts: there are no more.
pub(super) fn end_line(last: &EndOfVerdicts) -> String {
    let mut object = Map::new();
    object.insert("end".to_owned(), Value::from(true));
    if let Some(watched) = &last.watched {
        object.insert("watched".to_owned(), Value::from(watched.as_slice()));
    }
    if let Some(open) = &last.open {
        let reasons = open.iter();
        let reasons = reasons.map(|(name, reason)| (name.clone(), Value::from(reason.as_str())));
        object.insert("open".to_owned(), Value::Object(reasons.collect()));
    }
    let mut text = Value::Object(object).to_string();
    text.push('\n');
    text
}

/// Reads a line of a stream of verdicts; none where it says nothing that matters here.
pub fn read_line(line: &str) -> Result<Option<VerdictEvent>, String> {
    let line = line.trim();
    if line.is_empty() {
        return Ok(None);
    }
    if line.starts_with('<') {
        return read_vdict(line).map(Some);
    }
    let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    if value.get("end").and_then(Value::as_bool) == Some(true) {
        let names = value.get("watched").and_then(Value::as_array);
        let name = |name: &Value| name.as_str().map(str::to_owned);
        let watched = names.map(|names| names.iter().filter_map(name).collect());
        let reasons = value.get("open").and_then(Value::as_object);
        let reason = |(name, reason): (&String, &Value)| {
            let reason = reason.as_str().unwrap_or("its tester does not say why");
            (name.clone(), reason.to_owned())
        };
        let open = reasons.map(|reasons| reasons.iter().map(reason).collect());
        return Ok(Some(VerdictEvent::End(EndOfVerdicts { watched, open })));
    }
    if let Some(lost) = value.get("lost").and_then(Value::as_u64) {
        return Ok(Some(VerdictEvent::Lost(lost)));
    }
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let property = text("property").ok_or("it has no `property`")?;
    let word = text("verdict").ok_or("it has no `verdict`")?;
    let outcome = Outcome::named(word).ok_or_else(|| format!("`{word}` is not a verdict"))?;
    // Verdicts of global properties are no one's premise.
    if value.get("service").is_none() && value.get("final").is_some() {
        return Ok(None);
    }
    Ok(Some(VerdictEvent::Verdict {
        sequence: value.get("seq").and_then(Value::as_u64).unwrap_or(0),
        property: property.to_owned(),
        outcome,
    }))
}

fn read_vdict(line: &str) -> Result<VerdictEvent, String> {
    let property = line
        .split_once("prop=\"")
        .and_then(|(_, rest)| rest.split_once('"'))
        .map(|(name, _)| unescape(name))
        .ok_or("it has no attribute `prop`")?;
    let word = line
        .split_once('>')
        .and_then(|(_, rest)| rest.split_once('<'))
        .map(|(word, _)| word.trim())
        .ok_or("it has no verdict between its tags")?;
    let outcome = Outcome::named(word).ok_or_else(|| format!("`{word}` is not a verdict"))?;
    Ok(VerdictEvent::Verdict {
        sequence: 0,
        property,
        outcome,
    })
}

fn mark_value(mark: &Mark) -> Value {
    let mut object = Map::new();
    if mark.line > 0 {
        object.insert("line".to_owned(), Value::from(mark.line));
    }
    if let Some(at) = &mark.at {
        object.insert("at".to_owned(), time(at));
    }
    Value::Object(object)
}

fn time(at: &Number) -> Value {
    match at.to_i64() {
        Some(at) => Value::from(at),
        None => Value::from(at.to_string()),
    }
}

fn unescape(text: &str) -> String {
    text.replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{
        EndOfVerdicts, Mark, Outcome, VerdictEvent, VerdictForm, VerdictLine, end_line, read_line,
    };

    #[test]
    fn what_is_written_is_heard() {
        let mark = Mark {
            line: 3,
            at: Some(7.into()),
        };
        let line = VerdictLine {
            sequence: 9,
            property: "a \"b\" <c>",
            service: Some("s"),
            outcome: Outcome::Fail,
            is_final: true,
            opened: Some(&mark),
            decided: Some(&mark),
            key: Some("42"),
            window: &[],
            has_lines: false,
        };
        let expected = |sequence| VerdictEvent::Verdict {
            sequence,
            property: "a \"b\" <c>".to_owned(),
            outcome: Outcome::Fail,
        };
        assert_eq!(
            read_line(&line.text(VerdictForm::Json, 0)),
            Ok(Some(expected(9)))
        );
        assert_eq!(
            read_line(&line.text(VerdictForm::Vdict, 5)),
            Ok(Some(expected(0)))
        );
        assert_eq!(
            line.text(VerdictForm::Vdict, 5),
            "<vdict prop=\"a &quot;b&quot; &lt;c&gt;\" tstamp=\"5\" msg=\"7\">Fail</vdict>\n"
        );
    }

    #[test]
    fn other_lines() {
        assert_eq!(read_line(""), Ok(None));
        let end = |last| Ok(Some(VerdictEvent::End(last)));
        assert_eq!(read_line("{\"end\":true}"), end(EndOfVerdicts::default()));
        let last = EndOfVerdicts {
            watched: Some(vec!["a \"b\"".to_owned(), "c".to_owned()]),
            open: Some(BTreeMap::from([(
                "c".to_owned(),
                "no record has a time".to_owned(),
            )])),
        };
        assert_eq!(read_line(&end_line(&last)), end(last));
        // That nothing is open is said too: a tester that says nothing may doubt everything.
        let sure = EndOfVerdicts {
            watched: None,
            open: Some(BTreeMap::new()),
        };
        assert_eq!(end_line(&sure), "{\"end\":true,\"open\":{}}\n");
        assert_eq!(read_line(&end_line(&sure)), end(sure));
        assert_eq!(read_line("{\"lost\":4}"), Ok(Some(VerdictEvent::Lost(4))));
        for line in [
            "{",
            "{}",
            "{\"property\":\"p\",\"verdict\":\"maybe\"}",
            "<vdict>",
            "<vdict prop=\"p\">x</vdict>",
        ] {
            assert!(read_line(line).is_err(), "{line}");
        }
    }
}
