//! Answers that were given: each has an address until newer ones take its place.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

/// The last answers.
#[derive(Default)]
pub(crate) struct Answers(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    answers: VecDeque<(u64, usize, Value)>,
    bytes: usize,
    next: u64,
}

const MAX_ANSWERS: usize = 200;
const MAX_BYTES: usize = 64 * 1024 * 1024;

impl Answers {
    /// Keeps an answer; its number.
    pub(crate) fn keep(&self, answer: Value, bytes: usize) -> u64 {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.next += 1;
        let number = kept.next;
        kept.bytes += bytes;
        kept.answers.push_back((number, bytes, answer));
        while kept.answers.len() > 1 && (kept.answers.len() > MAX_ANSWERS || kept.bytes > MAX_BYTES)
        {
            if let Some((_, bytes, _)) = kept.answers.pop_front() {
                kept.bytes -= bytes;
            }
        }
        number
    }

    /// One of them in a form: its type and its text.
    pub(crate) fn find(&self, name: &str) -> Option<(&'static str, String)> {
        let (number, form) = name.split_once('.')?;
        let number: u64 = number.parse().ok()?;
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, _, answer) = kept.answers.iter().find(|it| it.0 == number)?;
        let text = |key: &str| answer[key].as_str().unwrap_or_default().to_owned();
        let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default() + "\n";
        Some(match form {
            "whole" => ("application/json", answer.to_string()),
            "json" => ("application/json", pretty(&answer["report"])),
            "html" => ("text/html", text("html")),
            "xml" => ("application/xml", text("junit")),
            "txt" => ("text/plain", text("findings") + &text("text")),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_last_ones_are_kept() {
        let answers = Answers::default();
        for number in 1..=MAX_ANSWERS as u64 + 5 {
            assert_eq!(
                answers.keep(json!({"text": number.to_string()}), 10),
                number
            );
        }
        assert!(answers.find("5.txt").is_none());
        assert_eq!(answers.find("6.txt").unwrap().1, "6");
        answers.keep(json!({}), MAX_BYTES);
        assert!(answers.find("6.txt").is_none());
        assert!(answers.find("206.whole").is_some());
        assert!(answers.find("206.exe").is_none());
    }
}
