//! Records per second of CPU time of each form, compared with the native form in the same run.

use std::io::Cursor;

use choros_exec::log::{
    EnvelopeReader, LogOptions, LogReader, NextEnvelope, NextRecord, recognize_log,
};
use choros_testkit::{Traffic, TrafficForm, processor_time_of_this_process};

/// So many conversations of a request, a call within it, and their responses.
const CONVERSATIONS: usize = 20_000;

fn main() {
    #[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
    let line = |text: String| println!("{text}");
    let mut native = String::new();
    for number in 0..CONVERSATIONS {
        let at = 1_767_225_600_000 + 10 * number as u64;
        let mut row = |offset: u64, by: &str, dir: &str, ends: [&str; 2], op: &str, id: &str| {
            native.push_str(&format!(
                "{{\"at\":{},\"by\":\"{by}\",\"dir\":\"{dir}\",\"from\":\"{}\",\"to\":\"{}\",\"op\":\"{op}\",\
                 \"id\":\"{id}{number}\",\"session\":\"s{number}\",\"data\":{{\"id\":\"o{number}\",\"qty\":{number}}}}}\n",
                at + offset, ends[0], ends[1]
            ));
        };
        row(0, "client", "send", ["client", "order"], "Ask", "a");
        row(1, "order", "recv", ["client", "order"], "Ask", "a");
        row(2, "order", "send", ["order", "stock"], "Look", "b");
        row(3, "stock", "recv", ["order", "stock"], "Look", "b");
        row(4, "stock", "send", ["stock", "order"], "Seen", "b");
        row(5, "order", "recv", ["stock", "order"], "Seen", "b");
        row(6, "order", "send", ["order", "client"], "Told", "a");
        row(7, "client", "recv", ["order", "client"], "Told", "a");
    }
    let traffic = Traffic::new(
        &native,
        &[("Ask", "/ask"), ("Look", "/look")],
        &[("Seen", 200), ("Told", 201)],
    );
    line(format!(
        "{:<24} {:>8} {:>8} {:>8} {:>14} {:>14}",
        "form", "MB", "cpu s", "MB/s", "messages/s", "of native"
    ));
    let fast = measure(&[native.into_bytes()], "log.jsonl", true);
    let show = |name: &str, it: &Measured| {
        line(format!(
            "{name:<24} {:>8.1} {:>8.2} {:>8.0} {:>14.0} {:>13.0}%",
            it.bytes / 1e6,
            it.seconds,
            it.bytes / 1e6 / it.seconds,
            it.messages / it.seconds,
            100.0 * it.messages / it.seconds / (fast.messages / fast.seconds)
        ));
    };
    show("Native, as observations", &fast);
    for form in TrafficForm::ALL {
        let texts = traffic.logs(form).into_iter();
        let texts: Vec<Vec<u8>> = texts.map(|(_, text)| text.into_bytes()).collect();
        let name = format!("log.{}", form.extension());
        show(&format!("{form:?}"), &measure(&texts, &name, false));
    }
}

/// What reading some texts took.
struct Measured {
    bytes: f64,
    /// Requests and responses, at each end.
    messages: f64,
    seconds: f64,
}

/// Reads texts as observations of the native form, or as envelopes.
fn measure(texts: &[Vec<u8>], name: &str, is_native: bool) -> Measured {
    let inputs: Vec<Cursor<Vec<u8>>> = texts.iter().cloned().map(Cursor::new).collect();
    let mut messages = 0;
    let before = processor_time_of_this_process();
    for input in inputs {
        let opened = recognize_log(Box::new(input), name, None);
        let opened = opened.expect("memory").expect("a form that is known");
        if is_native {
            let mut reader = LogReader::new(opened.input, LogOptions::new(opened.form));
            while matches!(reader.next(), NextRecord::Observation(..)) {
                messages += 1;
            }
        } else {
            let mut reader = EnvelopeReader::new(opened.input, opened.form, 1 << 20, false);
            while let NextEnvelope::Envelope(it) = reader.next() {
                let is_exchange = it.envelope.http.is_some_and(|it| it.status.is_some());
                messages += 1 + u32::from(is_exchange);
            }
        }
    }
    let seconds = processor_time_of_this_process() - before;
    assert!(
        messages >= CONVERSATIONS as u32,
        "{name}: {messages} messages"
    );
    Measured {
        bytes: texts.iter().map(Vec::len).sum::<usize>() as f64,
        messages: f64::from(messages),
        seconds: seconds.as_secs_f64().max(0.001),
    }
}
