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
    let messages = 8 * CONVERSATIONS;
    let traffic = Traffic::new(
        &native,
        &[("Ask", "/ask"), ("Look", "/look")],
        &[("Seen", 200), ("Told", 201)],
    );
    line(format!(
        "{:<22} {:>8} {:>9} {:>16} {:>14}",
        "form", "MB", "cpu s", "messages/cpu s", "times native"
    ));
    let fast = measure(&[native.into_bytes()], true);
    let show = |name: &str, bytes: usize, seconds: f64| {
        line(format!(
            "{name:<22} {:>8.1} {seconds:>9.2} {:>16.0} {:>14.2}",
            bytes as f64 / 1e6,
            messages as f64 / seconds.max(0.001),
            seconds / fast.1.max(0.001)
        ));
    };
    show("native, as it is", fast.0, fast.1);
    for form in TrafficForm::ALL {
        let texts = traffic.logs(form).into_iter();
        let texts: Vec<Vec<u8>> = texts.map(|(_, text)| text.into_bytes()).collect();
        let (bytes, seconds) = measure(&texts, false);
        show(&format!("{form:?}"), bytes, seconds);
    }
}

/// Bytes and seconds of reading some texts: as observations of the native form, or as envelopes.
fn measure(texts: &[Vec<u8>], is_native: bool) -> (usize, f64) {
    let before = processor_time_of_this_process();
    for text in texts {
        let input = Box::new(Cursor::new(text.clone()));
        let Ok(Some(opened)) = recognize_log(input, "log", None) else {
            continue;
        };
        if is_native {
            let mut reader = LogReader::new(opened.input, LogOptions::new(opened.form));
            while matches!(reader.next(), NextRecord::Observation(..)) {}
        } else {
            let mut reader = EnvelopeReader::new(opened.input, opened.form, 1 << 20, false);
            while matches!(reader.next(), NextEnvelope::Envelope(_)) {}
        }
    }
    let seconds = processor_time_of_this_process() - before;
    (texts.iter().map(Vec::len).sum(), seconds.as_secs_f64())
}
