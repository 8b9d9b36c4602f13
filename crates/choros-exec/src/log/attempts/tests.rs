//! Calls that were sent again, against the same calls without that.

use std::fmt::Write as _;
use std::io::Cursor;
use std::sync::Arc;

use choros_base::SourceMap;
use choros_bind::{Binder, BindingFile, Vocabulary};
use choros_testkit::{Random, rounds, seed_from_env};

use crate::log::{BoundOptions, LogFormat, LogOptions, WholeLog, read_all};

const BINDING: &str = r#"schema = 1

[messages.Ask]
request = "POST /ask"
from = "c"
to = "s"
fields.x = "attribute.app.x"

[messages.Answer]
response = "Ask"
from = "s"
to = "c"
fields.y = "attribute.app.y"
"#;

/// After these a client asks again by itself, as an attempt without any does.
const SENT_AGAIN: [Option<u16>; 6] = [None, Some(307), Some(401), Some(429), Some(503), Some(504)];

struct Call {
    trace: usize,
    number: usize,
    x: i64,
}

impl Call {
    /// A span of this call, from `start` to `end` of the hundred moments that it takes.
    fn span(
        &self,
        (kind, id, parent): (u32, &str, &str),
        (start, end): (usize, usize),
        status: Option<u16>,
    ) -> String {
        let Call { trace, number, x } = self;
        let service = if kind == 2 { "s" } else { "c" };
        let at = |moment: usize| (1 + number) * 100_000_000 + moment * 1_000_000;
        let text = |key: &str, value: &str| {
            format!(r#"{{"key":"{key}","value":{{"stringValue":"{value}"}}}}"#)
        };
        let mut attributes = vec![
            text("http.request.method", "POST"),
            text("url.path", "/ask"),
            text("app.x", &x.to_string()),
        ];
        attributes.extend(status.map(|it| text("http.response.status_code", &it.to_string())));
        attributes.extend((status == Some(200)).then(|| text("app.y", &(x + 1).to_string())));
        let (attributes, owner) = (attributes.join(","), text("service.name", service));
        let (start, end) = (at(start), at(end));
        format!(
            r#"{{"resourceSpans":[{{"resource":{{"attributes":[{owner}]}},"scopeSpans":[{{"spans":[{{"traceId":"t{trace}","spanId":"{id}{number}","parentSpanId":"{parent}{number}","name":"POST /ask","kind":{kind},"startTimeUnixNano":"{start}","endTimeUnixNano":"{end}","attributes":[{attributes}]}}]}}]}}]}}"#
        )
    }

    /// Its spans if it was answered after so many attempts with these statuses.
    fn spans(&self, attempts: &[Option<u16>], are_told: bool) -> Vec<String> {
        let mut spans = vec![self.span((3, "c", "none"), (1, 98), Some(200))];
        let all = attempts.iter().copied().chain([Some(200)]);
        for (at, status) in all.enumerate() {
            let (start, end) = (10 + 10 * at, 16 + 10 * at);
            let (server, client) = (format!("s{at}x"), format!("p{at}x"));
            let mut parent = "c";
            if are_told && !attempts.is_empty() {
                spans.push(self.span((3, &client, "c"), (start, end), status));
                parent = &client;
            }
            spans.push(self.span((2, &server, parent), (start + 1, end - 1), status));
        }
        spans
    }
}

fn read_spans(random: &mut Random, mut spans: Vec<String>) -> WholeLog {
    for at in (1..spans.len()).rev() {
        spans.swap(at, random.below(at + 1));
    }
    let file = SourceMap::new().add("it.bind.toml", BINDING);
    let read = BindingFile::read(file, BINDING, &mut Vec::new());
    let binding = read.expect("it is sound").binding;
    let mut options = LogOptions::new(LogFormat::Otlp);
    options.binding = Some(BoundOptions {
        rules: None,
        binder: Arc::new(Binder::new(binding, Vocabulary::default())),
    });
    let input = Cursor::new(spans.join("\n").into_bytes());
    read_all(Box::new(input), options, 10_000).expect("it is in memory")
}

/// What each service saw, in its order.
fn seen(log: &WholeLog) -> String {
    let mut found: Vec<(&str, String)> = Vec::new();
    for seen in &log.observations {
        let (session, id) = (seen.session.as_deref(), seen.id.as_deref());
        found.push((&seen.by, format!("{session:?} {id:?} {}", seen.text())));
    }
    found.sort_by_key(|it| it.0);
    found
        .into_iter()
        .fold(String::new(), |mut text, (by, line)| {
            let _ = writeln!(text, "{by}: {line}");
            text
        })
}

#[test]
fn a_call_that_was_sent_again_is_one_call() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    for round in 0..rounds(200) {
        let (mut once, mut again, mut attempted) = (Vec::new(), Vec::new(), false);
        for number in 0..1 + random.below(4) {
            let call = Call {
                trace: random.below(2),
                number,
                x: random.between(0, 9),
            };
            let attempts: Vec<Option<u16>> = (0..random.below(4))
                .map(|_| *random.pick(&SENT_AGAIN))
                .collect();
            attempted |= !attempts.is_empty();
            once.extend(call.spans(&[], false));
            again.extend(call.spans(&attempts, random.percent(40)));
        }
        let (count, text) = (once.len(), again.join("\n"));
        let (once, again) = (
            read_spans(&mut random, once),
            read_spans(&mut random, again),
        );
        let place = format!("seed {seed}, round {round}\n{text}");
        // Two spans per call, each of a request and a response.
        assert_eq!(once.observations.len(), 2 * count, "{place}");
        assert_eq!(seen(&once), seen(&again), "{place}");
        let resent = again.tally.map_or(0, |it| it.resent);
        assert_eq!(resent > 0, attempted, "{place}");
    }
}

#[test]
fn a_conversation_with_two_answers_to_one_call_is_left_out_alone() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    for round in 0..rounds(100) {
        let (mut spans, mut others) = (Vec::new(), Vec::new());
        for number in 0..2 + random.below(4) {
            let call = Call {
                trace: if number == 0 { 7 } else { random.below(9) },
                number,
                x: random.between(0, 9),
            };
            let mut attempts: Vec<Option<u16>> = Vec::new();
            if number == 0 {
                attempts.push(Some(200));
                attempts.extend((0..random.below(3)).map(|_| *random.pick(&SENT_AGAIN)));
            }
            let found = call.spans(&attempts, random.percent(40));
            others.extend(found.clone().into_iter().filter(|_| call.trace != 7));
            spans.extend(found);
        }
        let place = format!("seed {seed}, round {round}\n{}", spans.join("\n"));
        let all = read_spans(&mut random, spans);
        let rest = read_spans(&mut random, others);
        assert_eq!(seen(&all), seen(&rest), "{place}");
        assert!(all.left_out > 0 && rest.left_out == 0, "{place}");
    }
}
