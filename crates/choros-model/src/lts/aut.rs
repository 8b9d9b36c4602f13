//! Aldebaran's `.aut`: a header `des (initial, transitions, states)`, then one `(source, label, target)` per line.
//!
//! Labels are taken as a whole: what was written from a message comes back as a label with the same text.
//! The format cannot say which states have ended, so in a system that was read, none has.
//! Quotes inside a quoted label need no escape: a label reaches from the first comma to the last.

use choros_base::{Diagnostic, FileId, Span};
use choros_data::Terms;

use super::{Action, ExplicitLts, ExplicitLtsBuilder, Lts, StateId};
use crate::diagnostics::{aut_counts, aut_header, aut_transition};

/// The system as text.
pub fn write_aut(lts: &ExplicitLts) -> String {
    let counts = lts.counts();
    let mut out = format!(
        "des ({}, {}, {})\n",
        lts.start().0,
        counts.transitions,
        counts.states
    );
    for state in lts.states() {
        for &(action, target) in lts.transitions(state) {
            let label = lts.action(action).text(lts.terms());
            // A label is one line.
            let label = label.replace('\r', "\\r").replace('\n', "\\n");
            out.push_str(&format!("({}, \"{label}\", {})\n", state.0, target.0));
        }
    }
    out
}

/// The system in a text, and what is wrong with the text.
pub fn read_aut(file: FileId, text: &str) -> (ExplicitLts, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut lines = Lines::new(file, text);
    let (initial, announced) = match lines.next() {
        Some(line) => match header(line.text) {
            Some((initial, transitions, states)) => {
                (initial, Some((line.span, transitions, states)))
            }
            None => {
                diagnostics.push(aut_header::diagnostic(line.span));
                (0, None)
            }
        },
        None => {
            diagnostics.push(aut_header::diagnostic(Span::new(file, 0, 0)));
            (0, None)
        }
    };
    let mut terms = Terms::new();
    let mut builder = ExplicitLtsBuilder::new();
    let mut triples = Vec::new();
    let mut malformed = 0;
    for line in lines {
        match transition(line.text) {
            Some((source, label, target)) => {
                let action = match label {
                    "i" | "tau" => builder.action(&Action::Silent),
                    other => builder.named_action(terms.names.intern(other)),
                };
                triples.push((source, action, target, line.span));
            }
            None => {
                malformed += 1;
                if malformed <= MAX_MALFORMED {
                    diagnostics.push(aut_transition::malformed(line.span));
                }
            }
        }
    }
    if malformed > MAX_MALFORMED {
        diagnostics.push(aut_transition::further(malformed - MAX_MALFORMED));
    }
    // Densely numbered transitions use at most two new states each; a few more do no harm, a billion would.
    let largest = (2 * triples.len() as u64 + 1).clamp(1_000_000, u64::from(u32::MAX) - 1);
    let announced_transitions = triples.len();
    triples.retain(|&(source, _, target, span)| {
        let fits = source <= largest && target <= largest;
        if !fits && diagnostics.len() <= 2 * MAX_MALFORMED {
            diagnostics.push(aut_transition::state_too_large(span, largest as u32));
        }
        fits
    });
    let initial = StateId(initial.min(largest) as u32);
    // The sort is stable: the transitions of a state stay in the order of the file.
    triples.sort_by_key(|&(source, ..)| source);
    let mut rest = &triples[..];
    while let Some(&(last, ..)) = rest.last() {
        let state = builder.state_count() as u64;
        if state > last {
            break;
        }
        let own = rest.partition_point(|&(source, ..)| source <= state);
        let transitions = rest[..own]
            .iter()
            .map(|&(_, action, target, _)| (action, StateId(target as u32)));
        builder.state(transitions, &[], false);
        rest = &rest[own..];
    }
    let lts = builder.finish(initial, terms);
    if let Some((span, transitions, states)) = announced {
        let found = lts.counts().states;
        if transitions != announced_transitions as u64 {
            let found = announced_transitions;
            diagnostics.push(aut_counts::diagnostic(
                span,
                "transitions",
                transitions,
                found,
            ));
        }
        if states != found as u64 {
            diagnostics.push(aut_counts::diagnostic(span, "states", states, found));
        }
    }
    (lts, diagnostics)
}

/// More malformed lines than this tell nothing new.
const MAX_MALFORMED: usize = 20;

/// `des (initial, transitions, states)`.
fn header(line: &str) -> Option<(u64, u64, u64)> {
    let word = line.get(..3)?;
    if !word.eq_ignore_ascii_case("des") {
        return None;
    }
    let inner = line.get(3..)?.trim().strip_prefix('(')?.strip_suffix(')')?;
    let mut numbers = inner.split(',').map(number);
    match (
        numbers.next(),
        numbers.next(),
        numbers.next(),
        numbers.next(),
    ) {
        (Some(Some(initial)), Some(Some(transitions)), Some(Some(states)), None) => {
            Some((initial, transitions, states))
        }
        _ => None,
    }
}

/// `(source, label, target)`.
fn transition(line: &str) -> Option<(u64, &str, u64)> {
    let inner = line.strip_prefix('(')?.strip_suffix(')')?;
    let (source, rest) = inner.split_once(',')?;
    let (label, target) = rest.rsplit_once(',')?;
    let label = label.trim();
    let label = label
        .strip_prefix('"')
        .and_then(|label| label.strip_suffix('"'))
        .unwrap_or(label);
    Some((number(source)?, label, number(target)?))
}

fn number(text: &str) -> Option<u64> {
    let text = text.trim();
    // `parse` would take a sign.
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then_some(())?;
    text.parse().ok()
}

struct Line<'t> {
    text: &'t str,
    span: Span,
}

/// Lines that are not blank, without the white space around them.
struct Lines<'t> {
    file: FileId,
    rest: &'t str,
    offset: usize,
}

impl<'t> Lines<'t> {
    fn new(file: FileId, text: &'t str) -> Self {
        Self {
            file,
            rest: text,
            offset: 0,
        }
    }
}

impl<'t> Iterator for Lines<'t> {
    type Item = Line<'t>;

    fn next(&mut self) -> Option<Line<'t>> {
        while !self.rest.is_empty() {
            let (line, length) = match self.rest.split_once('\n') {
                Some((line, _)) => (line, line.len() + 1),
                None => (self.rest, self.rest.len()),
            };
            let start = self.offset + (line.len() - line.trim_start().len());
            self.offset += length;
            self.rest = &self.rest[length..];
            let text = line.trim();
            if !text.is_empty() {
                let end = start + text.len();
                return Some(Line {
                    text,
                    span: Span::new(self.file, start as u32, end as u32),
                });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use choros_base::SourceMap;

    use super::*;

    fn read(text: &str) -> (ExplicitLts, Vec<&'static str>) {
        let mut map = SourceMap::new();
        let file = map.add("test.aut", text);
        let (lts, diagnostics) = read_aut(file, text);
        (lts, diagnostics.iter().map(|one| one.code.code).collect())
    }

    fn labels(lts: &ExplicitLts) -> Vec<String> {
        lts.actions()
            .iter()
            .map(|action| action.text(lts.terms()))
            .collect()
    }

    #[test]
    fn reads_quoted_bare_starred_and_silent_labels() {
        let text = "des (1, 5, 3)\r\n(0, \"a \"b\", (c)\", 1)\r\n(1,coin[x,y],2)\r\n(2, *, 0)\n\n  (2, i, 2)\n(2,\"tau\",0)";
        let (lts, codes) = read(text);
        assert_eq!(codes, Vec::<&str>::new());
        assert_eq!(labels(&lts), ["a \"b\", (c)", "coin[x,y]", "*", "tau"]);
        assert_eq!(lts.start(), StateId(1));
        assert_eq!(
            lts.counts(),
            crate::lts::LtsCounts {
                states: 3,
                transitions: 5,
                deadlocks: 0
            }
        );
        let (again, codes) = read(&write_aut(&lts));
        assert_eq!(codes, Vec::<&str>::new());
        assert_eq!(write_aut(&again), write_aut(&lts));
    }

    #[test]
    fn wrong_counts_are_a_warning() {
        let (lts, codes) = read("des (0, 7, 9)\n(0, a, 1)\n");
        assert_eq!(codes, ["CH0203", "CH0203"]);
        assert_eq!(lts.counts().states, 2);
    }

    #[test]
    fn every_bad_line_is_reported_and_the_rest_is_read() {
        let (lts, codes) = read("des 0 1 2\n(0, a 1)\n(0, a, 1)\nnonsense\n(0, b, -1)\n");
        assert_eq!(codes, ["CH0201", "CH0202", "CH0202", "CH0202"]);
        assert_eq!(lts.counts().transitions, 1);
    }

    #[test]
    fn absurd_numbers_cost_no_memory() {
        let (lts, codes) =
            read("des (4294967295, 2, 99999999999)\n(0, a, 4294967295)\n(0, a, 1)\n");
        assert!(codes.contains(&"CH0202"));
        assert!(lts.counts().states <= 1_000_001);
        let (_, codes) = read("des (0, 1, 99999999999999999999999)\n(0, a, 1)\n");
        assert_eq!(codes, ["CH0201"]);
    }

    #[test]
    fn an_empty_file_has_no_header() {
        let (lts, codes) = read("\n\n");
        assert_eq!(codes, ["CH0201"]);
        assert_eq!(lts.counts().states, 1);
    }
}
