//! How long an editor waits: edits replayed over files of several sizes.
//!
//! `cargo bench --package choros-lsp` prints a table; a keystroke in a file of 2,000 lines that takes 50 ms of
//! processor time or more is a failure.
#![expect(clippy::print_stdout, reason = "this is a command")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use choros_testkit::{long_choreography, processor_time_of_this_process};
use serde_json::json;
use support::Client;

const MODEL: &str = "file:///nowhere/m.chor";
/// How many keystrokes are measured.
const STROKES: usize = 60;

fn main() {
    println!("processor time in ms (mean), the longest wait in ms in parentheses");
    println!(
        "{:>6} {:>14} {:>14} {:>14} {:>14} {:>14} {:>14} {:>14}",
        "lines", "open", "keystroke", "hover", "completion", "tokens", "rename", "formatting"
    );
    let mut at_2000 = 0.0;
    for lines in [200, 1000, 2000, 5000] {
        let text = long_choreography(lines);
        let mut client = Client::quiet();
        let opening = measured(1, |_| {
            client.open(MODEL, &text);
        });
        let line = lines / 2;
        let stroke = measured(STROKES, |stroke| type_at(&mut client, line, stroke));
        let hover = measured(10, |_| {
            client.at("hover", MODEL, (line, 6));
        });
        let completion = measured(10, |_| {
            client.at("completion", MODEL, (line, 4));
        });
        let tokens = measured(10, |_| {
            client.about("semanticTokens/full", MODEL);
        });
        let rename = measured(3, |_| {
            let mut params = support::place(MODEL, 1, 5);
            params["newName"] = json!("somebody");
            let renamed = client.ask("textDocument/rename", params);
            assert!(renamed.is_ok(), "{renamed:?}");
        });
        let formatting = measured(3, |_| {
            client.about("formatting", MODEL);
        });
        println!(
            "{:>6} {opening:>14} {stroke:>14} {hover:>14} {completion:>14} {tokens:>14} {rename:>14} {formatting:>14}",
            text.lines().count()
        );
        if lines == 2000 {
            at_2000 = stroke.processor;
        }
        assert!(client.leave());
    }
    assert!(at_2000 < 50.0, "a keystroke takes {at_2000} ms");
}

/// Someone types a message letter by letter, asks for colours as editors do, and deletes it again.
fn type_at(client: &mut Client, line: usize, stroke: usize) {
    const WORDS: &str = "a1 -> b1: Typed(x: Int)";
    let length = WORDS.len();
    let at = stroke % (2 * length);
    let place = |column: usize| json!({"line": line, "character": column});
    let change = if at < length {
        json!({"range": {"start": place(at), "end": place(at)}, "text": &WORDS[at..=at]})
    } else {
        let end = 2 * length - at;
        json!({"range": {"start": place(end - 1), "end": place(end)}, "text": ""})
    };
    client.change(MODEL, json!([change]));
}

/// What something costs.
struct Cost {
    /// Milliseconds of processor time, on average.
    processor: f64,
    longest: Duration,
}

impl std::fmt::Display for Cost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let longest = self.longest.as_secs_f64() * 1000.0;
        f.pad(&format!("{:.1} ({longest:.1})", self.processor))
    }
}

fn measured(times: usize, mut work: impl FnMut(usize)) -> Cost {
    let before = processor_time_of_this_process();
    let mut longest = Duration::ZERO;
    for time in 0..times {
        let start = Instant::now();
        work(time);
        longest = longest.max(start.elapsed());
    }
    Cost {
        processor: (processor_time_of_this_process() - before).as_secs_f64() * 1000.0
            / times as f64,
        longest,
    }
}
