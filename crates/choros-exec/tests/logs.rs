//! The five forms of logs: what is read, what is reported, and that nothing brings the readers down.

use std::io::{self, Read};
use std::sync::Arc;

use choros_base::{Choice, SourceMap};
use choros_bind::{Binder, BindingFile, OldKind, Vocabulary, translate_as};
use choros_exec::log::{
    BoundOptions, LogFormat, LogOptions, LogPosition, LogReader, NextRecord, RecordFlaw,
    WantedValues, check_json,
};
use choros_testkit::{fuzz, seed_from_env};

/// Everything a log has to say, one line per observation or problem.
fn all(text: &str, options: LogOptions) -> Vec<String> {
    let mut reader = LogReader::new(Box::new(io::Cursor::new(text.to_owned())), options);
    rest(&mut reader)
}

fn rest(reader: &mut LogReader) -> Vec<String> {
    let mut lines = Vec::new();
    loop {
        match reader.next() {
            NextRecord::Observation(seen, remark) => {
                let at = seen.at.as_ref().map_or("-".to_owned(), ToString::to_string);
                let id = seen.id.as_deref().unwrap_or("-");
                let session = seen.session.as_deref().unwrap_or("-");
                lines.push(format!(
                    "{} {at} {} {} {id} {session}",
                    seen.line,
                    seen.by,
                    seen.text()
                ));
                lines.extend(remark.map(|problem| format!("{}: {}", problem.line, problem.flaw)));
            }
            NextRecord::Problem(problem) => {
                lines.push(format!("{}: {}", problem.line, problem.flaw))
            }
            NextRecord::End => return lines,
            NextRecord::Failed(error) => {
                lines.push(format!("failed: {error}"));
                return lines;
            }
        }
    }
}

const NATIVE: &str = r#"{"at":1377782250128,"by":"s","dir":"recv","from":"c","to":"s","op":"Request","id":"m17","session":"42","data":{"weight":3,"country":{"code":33,"name":"France"}}}

{"by":"s","from":"s","to":"c","op":"Response","session":42,"data":{"price":2,"fee":6.50}}
"#;

#[test]
fn the_native_form() {
    assert_eq!(
        all(NATIVE, LogOptions::new(LogFormat::JsonLines)),
        [
            "1 1377782250128 s Request[c,s]?(weight = 3, country.code = 33, country.name = \"France\") m17 42",
            "3 - s Response[s,c]!(price = 2, fee = 6.5) - 42",
        ]
    );
}

#[test]
fn a_log_of_one_service() {
    let mut options = LogOptions::new(LogFormat::JsonLines);
    options.service = Some("c".to_owned());
    let text = r#"{"op":"Request","from":"c","to":"s"}
{"op":"Response","from":"s","to":"c","by":"s"}"#;
    assert_eq!(
        all(text, options),
        [
            "1 - c Request[c,s]! - -",
            "2 - c Response[s,c]? - -",
            "2: it was seen by `s` in the log of `c`",
        ]
    );
}

#[test]
fn damaged_lines_do_not_stop_the_others() {
    let text = "{\"op\":\"A\",\"from\":\"a\",\"to\":\"b\",\"dir\":\"send\"\n\
        {\"op\":[1],\"from\":\"a\",\"to\":\"b\",\"dir\":\"send\"}\n\
        {\"op\":\"A\",\"from\":{\"x\":1},\"to\":\"b\",\"dir\":\"send\"}\n\
        {\"op\":\"A\",\"from\":\"a\",\"to\":\"b\",\"dir\":\"up\"}\n\
        {\"op\":\"A\",\"from\":\"a\",\"to\":\"b\"}\n\
        {\"op\":true,\"from\":\"a\",\"to\":\"b\"}\n\
        {\"at\":\"noon\",\"op\":\"A\",\"from\":\"a\",\"to\":\"b\",\"dir\":\"send\"}\n\
        garbage\n\
        {\"op\":\"A\",\"from\":\"a\",\"to\":\"b\",\"dir\":\"send\"}";
    assert_eq!(
        all(text, LogOptions::new(LogFormat::JsonLines)),
        [
            "1: `,` or `}` is missing: the text ends at byte 42",
            "2: `op` is a list",
            "3: `from` is an object",
            "4: `dir` is `up`, neither send nor recv",
            "5: it has no `dir`",
            "6: `op` is a truth value",
            "7: `at` is not a time in the form ms between 1970 and 9999: \"noon\"",
            "8: an object begins with `{`, which is missing at byte 0",
            "9 - a A[a,b]! - -",
        ]
    );
}

#[test]
fn a_foreign_log_with_a_mapping_of_an_earlier_version() {
    let translated = translate_as(
        r#"{ "at": "ts", "time": "s", "op": "message.name", "session": "message.correlation",
             "data": "message.body", "by": { "value": "s" },
             "messages": { "Request": { "dir": "recv", "from": "c", "to": "s" },
                           "*": { "dir": "send", "from": "s", "to": "c" } } }"#,
        OldKind::Logs,
    );
    let binding = translated.expect("it is sound").binding;
    let mut options = LogOptions::new(LogFormat::JsonLines);
    options.binding = Some(BoundOptions {
        rules: binding.log_rules("quote.jsonl").cloned(),
        binder: Arc::new(Binder::new(binding, Vocabulary::default())),
    });
    options.wanted = WantedValues::Paths(vec!["fee".to_owned()]);
    let text = r#"{"ts":1.5,"service":"quote","message":{"name":"Request","correlation":7,"body":{"weight":3}}}
{"ts":2,"service":"quote","message":{"name":"Response","correlation":7,"body":{"price":2,"fee":6}}}"#;
    assert_eq!(
        all(text, options),
        [
            "1 1500 s Request[c,s]? - 7",
            "2 2000 s Response[s,c]!(fee = 6) - 7",
        ]
    );
}

/// Listing 4.2 of the thesis, completed from the HASE'12 paper.
const MESSAGES: &str = r#"<?xml version="1.0"?>
<log>
<message source="c" destination="s" direction="reception" name="Request" tstamp="1"><weight>3</weight></message>
<message source="s" destination="c" direction="sending" name="Response" tstamp="3">
  <price>2</price><fee>6</fee>
</message>
</log>
"#;

#[test]
fn prop_testers_stream() {
    assert_eq!(
        all(MESSAGES, LogOptions::new(LogFormat::Xml)),
        [
            "3 1 s Request[c,s]?(weight = 3) - -",
            "4 3 s Response[s,c]!(price = 2, fee = 6) - -",
        ]
    );
}

#[test]
fn an_element_that_is_not_closed() {
    let text = &MESSAGES[..MESSAGES.len() - 20];
    let found = all(text, LogOptions::new(LogFormat::Xml));
    assert_eq!(found.len(), 2);
    assert!(
        found[1].starts_with("4: an element that is not closed"),
        "{found:?}"
    );
}

/// Listing 5.1: the log of the vendor (fact 23).
const VENDOR: &str = "http://localhost:8081/ode/processes/vendor

29/08/2013 15:17:30.128
RECEIVE | http://localhost:8080/ode/processes/buyer | 1377782250120 | req

29/08/2013 15:17:30.320 (1377782250320)
SEND | http://localhost:8082/ode/processes/warehouse | | sell

29/08/2013 15:17:30.678
RECEIVE | http://localhost:8082/ode/processes/warehouse | 1377782250634 | info

29/08/2013 15:17:30.721 (1377782250721)
SEND | http://localhost:8080/ode/processes/buyer | | resp
";

#[test]
fn fact_23_pacts_text_log() {
    let mut options = LogOptions::new(LogFormat::Pact);
    options.names = [("8080", "buyer"), ("8081", "vendor"), ("8082", "warehouse")]
        .map(|(port, role)| {
            (
                format!("http://localhost:{port}/ode/processes/{role}"),
                role.to_owned(),
            )
        })
        .to_vec();
    assert_eq!(
        all(VENDOR, options),
        [
            "4 1377789450128 vendor req[buyer,vendor]? 1377782250120 -",
            "7 1377789450320 vendor sell[vendor,warehouse]! 1377782250320 -",
            "10 1377789450678 vendor info[warehouse,vendor]? 1377782250634 -",
            "13 1377789450721 vendor resp[vendor,buyer]! 1377782250721 -",
        ]
    );
}

#[test]
fn comma_separated_values() {
    let text = "at,op,from,to,dir,session,weight,data.note\r\n1,Request,c,s,recv,7,3,\"two\nlines\"\r\n2,Response,s,c,send,7\n";
    assert_eq!(
        all(text, LogOptions::new(LogFormat::Csv)),
        [
            "3 1 s Request[c,s]?(weight = 3, note = two\nlines) - 7",
            "4: it has 6 cells where the headings are 8 at byte 21",
        ]
    );
}

#[test]
fn an_http_archive() {
    let text = r#"{"log":{"entries":[
      {"startedDateTime":"1970-01-01T00:00:01Z","time":250,
       "request":{"method":"POST","url":"http://quote:80/v1/Request?fast=1","postData":{"text":"{\"weight\":3}"}},
       "response":{"status":200,"content":{"text":"{\"fee\":6}"}}},
      {"request":{}} ]}}"#;
    let mut options = LogOptions::new(LogFormat::Har);
    options.names = vec![("quote:80".to_owned(), "s".to_owned())];
    assert_eq!(
        all(text, options),
        [
            "1 1000 client Request[client,s]!(fast = 1, weight = 3) entry0 -",
            "1 1250 client Request[s,client]?(status = 200, fee = 6) entry0r -",
            "2: it has no `request.url`",
        ]
    );
}

#[test]
fn a_line_that_is_too_long_is_skipped_without_being_kept() {
    let good = "{\"op\":\"A\",\"from\":\"a\",\"to\":\"b\",\"dir\":\"send\"}\n";
    let head = io::Cursor::new(good.to_owned());
    let long = io::repeat(b'x').take(50_000_000);
    let tail = io::Cursor::new(format!("\n{good}"));
    let mut options = LogOptions::new(LogFormat::JsonLines);
    options.longest = 100_000;
    let mut reader = LogReader::new(Box::new(head.chain(long).chain(tail)), options);
    assert_eq!(
        rest(&mut reader),
        [
            "1 - a A[a,b]! - -",
            "2: it is longer than 100000 bytes and was skipped",
            "3 - a A[a,b]! - -",
        ]
    );
    assert_eq!(reader.position().lines, 3);
}

#[test]
fn a_growing_log_is_read_line_by_line() {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    let line = "{\"op\":\"A\",\"from\":\"a\",\"to\":\"b\",\"dir\":\"send\"}\n";
    std::fs::write(&path, &line[..20]).unwrap();
    let mut options = LogOptions::new(LogFormat::JsonLines);
    options.grows = true;
    let input = std::fs::File::open(&path).unwrap();
    let mut reader = LogReader::new(Box::new(input), options);
    assert!(matches!(reader.next(), NextRecord::End));
    let mut log = std::fs::OpenOptions::new()
        .append(true)
        .open(&path)
        .unwrap();
    log.write_all(&line.as_bytes()[20..]).unwrap();
    assert!(matches!(reader.next(), NextRecord::Observation(..)));
    assert!(matches!(reader.next(), NextRecord::End));
    assert_eq!(
        reader.position(),
        LogPosition {
            bytes: line.len() as u64,
            lines: 1
        }
    );
    // What is not closed by a line break counts once the log is closed.
    log.write_all(&line.as_bytes()[..line.len() - 1]).unwrap();
    assert!(matches!(reader.next(), NextRecord::End));
    reader.close();
    assert!(matches!(reader.next(), NextRecord::Observation(..)));
}

#[test]
fn a_text_that_is_no_utf_8() {
    let mut reader = LogReader::new(
        Box::new(&b"{\"op\":\"\xff\"}\n"[..]),
        LogOptions::new(LogFormat::JsonLines),
    );
    assert!(matches!(
        reader.next(),
        NextRecord::Problem(problem) if problem.flaw == RecordFlaw::Encoding
    ));
}

#[test]
fn no_text_brings_a_reader_down() {
    let corpus = [
        NATIVE,
        MESSAGES,
        VENDOR,
        "op,from,to,dir\nA,a,b,send\n",
        r#"{"log":{"entries":[{"request":{"url":"http://a/b"},"response":{"status":200}}]}}"#,
    ];
    fuzz(7, 4000, &corpus, |text| {
        for (_, format, _) in LogFormat::CHOICES {
            let format = *format;
            all(text, LogOptions::new(format));
        }
        let _ = check_json(text);
        let _ = translate_as(text, OldKind::Logs);
    });
}

/// What else comes from files and sockets: verdicts of other monitors, and the mapping and rules of `capture`.
#[test]
fn no_text_brings_the_smaller_readers_down() {
    let corpus = [
        r#"{"property":"p","verdict":"fail","at":3,"opened":{"at":"2026-01-01T00:00:00Z","line":7}}"#,
        r#"{"end":true,"watched":["p","q"]}"#,
        r#"<vdict prop="p &amp; q" tstamp="17" msg="3">Inconclusive</vdict>"#,
        r#"{"op":"header.X-Op","session":"body.a.b","id":"path.2","redact":"json:a.b, header:x","messages":{"POST /a":{"response":"A"}}}"#,
        "json:card.number, header:authorization, query:token",
        "http://user:pass@[::1]:80/a%20b?c=d#e",
    ];
    fuzz(seed_from_env(), 4_000, &corpus, |text| {
        let _ = choros_exec::verdicts::read_line(text);
        if let Ok(translated) = translate_as(text, OldKind::Capture) {
            let binding = translated.binding.to_toml(&[]);
            let mut findings = Vec::new();
            let read = BindingFile::read(SourceMap::new().add("m", ""), &binding, &mut findings);
            assert!(
                read.is_some_and(|it| it.binding == translated.binding),
                "{text}\n{binding}\n{findings:?}"
            );
        }
        let _ = choros_exec::Redaction::parse(text);
        let _ = choros_exec::capture::Upstream::parse(text, None);
        let _ = choros_exec::capture::reading::decoded(text);
    });
}

/// What the skipping reader takes is what a full reader would have.
#[test]
fn the_skipping_reader_agrees_with_a_full_one() {
    let mut random = choros_testkit::Random::new(11);
    for _ in 0..2000 {
        let mut fields = Vec::new();
        for label in ["weight", "fee", "note", "x\\u0041"] {
            let value = match random.below(6) {
                0 => "3".to_owned(),
                1 => "\"a \\\"b\\\" {\"".to_owned(),
                2 => "[1,{\"fee\":\"]\"}]".to_owned(),
                3 => "{\"deep\":{\"fee\":9}}".to_owned(),
                4 => "null".to_owned(),
                _ => continue,
            };
            fields.push(format!("\"{label}\" : {value}"));
        }
        let text = format!(
            "{{\"op\":\"A\",\"from\":\"a\",\"to\":\"b\",\"dir\":\"send\",\"data\":{{{}}}}}",
            fields.join(" , ")
        );
        let full: serde_json::Value = serde_json::from_str(&text).unwrap();
        for path in ["weight", "fee", "note", "xA", "note.deep.fee", "weight.0"] {
            let pointer = format!("/data/{}", path.replace('.', "/"));
            let expected = full
                .pointer(&pointer)
                .filter(|value| !value.is_object() && !value.is_array());
            let mut options = LogOptions::new(LogFormat::JsonLines);
            options.wanted = WantedValues::Paths(vec![path.to_owned()]);
            let mut reader = LogReader::new(Box::new(io::Cursor::new(text.clone())), options);
            let NextRecord::Observation(seen, _) = reader.next() else {
                panic!("{text}");
            };
            let found = seen.datum(path).map(ToString::to_string);
            assert_eq!(found, expected.map(ToString::to_string), "{path} of {text}");
        }
    }
}
