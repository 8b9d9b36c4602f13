//! A line of a verdict, read as a whole.

use std::io::Cursor;

use choros_model::observation::{Number, Observation};
use choros_monitor::{Mark, Outcome};
use serde_json::Value;

use crate::log::{LogFormat, LogOptions, LogReader, NextRecord};

/// A verdict as its line says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldVerdict {
    /// Its number among the verdicts of its tester.
    pub sequence: u64,
    pub property: String,
    pub service: String,
    pub outcome: Outcome,
    pub opened: Mark,
    pub decided: Mark,
    pub key: Option<String>,
    pub window: Vec<Observation<'static>>,
}

/// Reads a line in JSON about a local property; in words why it is none.
pub fn read_told(line: &str) -> Result<ToldVerdict, String> {
    let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let word = text("verdict").ok_or("it has no `verdict`")?;
    Ok(ToldVerdict {
        sequence: value.get("seq").and_then(Value::as_u64).unwrap_or(0),
        property: text("property").ok_or("it has no `property`")?.to_owned(),
        service: text("service").ok_or("it has no `service`")?.to_owned(),
        outcome: Outcome::named(word).ok_or_else(|| format!("`{word}` is not a verdict"))?,
        opened: mark(value.get("opened")),
        decided: mark(value.get("decided")),
        key: text("key").map(str::to_owned),
        window: window(value.get("window"), value.get("lines")),
    })
}

fn mark(value: Option<&Value>) -> Mark {
    let at = value.and_then(|it| it.get("at"));
    let at = at.and_then(|it| match it {
        Value::String(text) => Number::parse(text).ok(),
        other => Number::parse(&other.to_string()).ok(),
    });
    let line = value.and_then(|it| it.get("line"));
    Mark {
        line: line.and_then(Value::as_u64).unwrap_or(0),
        at,
    }
}

/// The observations of a window are in the native form.
fn window(value: Option<&Value>, places: Option<&Value>) -> Vec<Observation<'static>> {
    let Some(Value::Array(all)) = value else {
        return Vec::new();
    };
    let lines: String = all.iter().map(|it| format!("{it}\n")).collect();
    let options = LogOptions::new(LogFormat::JsonLines);
    let mut reader = LogReader::new(Box::new(Cursor::new(lines.into_bytes())), options);
    let places = places.and_then(Value::as_array);
    let mut window = Vec::new();
    loop {
        match reader.next() {
            NextRecord::Observation(seen, _) => {
                let mut seen = seen.into_owned();
                let place = places.and_then(|it| it.get(window.len()));
                seen.line = place.and_then(Value::as_u64).unwrap_or(seen.line);
                window.push(seen);
            }
            NextRecord::Problem(_) => {}
            NextRecord::End | NextRecord::Failed(_) => return window,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::read_told;
    use crate::verdicts::{VerdictForm, VerdictLine};
    use choros_model::observation::Observation;

    #[test]
    fn a_line_is_written_again_as_it_was() {
        let seen = Observation {
            by: "s".into(),
            at: Some(7.into()),
            session: Some("1".into()),
            ..Observation::received("ask", "c", "s")
        };
        let mark = choros_monitor::Mark {
            line: 3,
            at: Some(7.into()),
        };
        let text = |window: &[Observation<'static>], key: Option<&str>| {
            let line = VerdictLine {
                has_lines: true,
                sequence: 9,
                property: "p",
                service: Some("s"),
                outcome: choros_monitor::Outcome::Fail,
                is_final: true,
                opened: Some(&mark),
                decided: Some(&mark),
                key,
                window,
            };
            line.text(VerdictForm::Json, 0)
        };
        let line = text(&[seen.into_owned()], Some("1"));
        let told = read_told(&line).expect("a verdict");
        assert_eq!(told.opened, mark);
        assert_eq!(text(&told.window, told.key.as_deref()), line);
        assert!(read_told("{}").is_err());
    }
}
