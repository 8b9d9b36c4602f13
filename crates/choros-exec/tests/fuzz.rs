//! Damaged logs of every form, read as envelopes and bound; damaged bindings.
//!
//! `CHOROS_SEED` repeats a failure; with `CHOROS_FUZZ_SECONDS` each is fed for so long.

use std::io::Cursor;

use choros_base::{Choice, SourceMap};
use choros_bind::{Binder, BindingFile, FieldPlace, Opening, Vocabulary, symbols, wanted};
use choros_exec::log::{EnvelopeReader, LogFormat, NextEnvelope, recognize_log};
use choros_testkit::{Traffic, TrafficForm, fuzz, seed_from_env};

const NATIVE: &str = r#"{"at":1767225600000,"by":"c","dir":"send","from":"c","to":"s","op":"Ask","id":"m1","session":"t","data":{"x":1,"card":"4111"}}
{"at":1767225600004,"by":"s","dir":"recv","from":"c","to":"s","op":"Ask","id":"m1","session":"t","data":{"x":1,"card":"4111"}}
{"at":1767225600008,"by":"s","dir":"send","from":"s","to":"c","op":"Answer","id":"m1","session":"t","data":{"y":[2.5,null,true]}}
{"at":1767225600009,"by":"c","dir":"recv","from":"s","to":"c","op":"Answer","id":"m1","session":"t","data":{"y":[2.5,null,true]}}
"#;

const BINDING: &str = r#"schema = 1
model = "ask.chor"
session = ["path.1", "body.id", "attribute.app.session"]
op = "body.kind"
others = "by-name"

[roles.s]
names = ["s-*", "10.0.0.*"]
address = "http://127.0.0.1:8080"
headers = { authorization = "Bearer $TOKEN" }

[messages.Ask]
names = ["com.acme.Ask.v*", "* s.Ask"]
request = ["/asks/{x}/**", "POST /ask"]
when = { "body.b" = true, "header.a" = 1.5 }
fields = { x = ["body.x", "attribute.app.x", "path.x"], card = "body.cents / 100 + 1" }

[messages.Answer]
response = ["Ask", "/ask/*"]
status = [200, "4xx", 0]

[messages.Answer.values.y]
format = "uuid"
examples = ["a", 1, 2.5]

[ignore.health]
request = "GET /health"

[ignore."a b"]
when = { 'record["x.y"].z' = "t" }

[hide]
secret = ["card", "*.password"]
noise = ["body.debug", "query.t", "header.h"]

[[logs]]
files = "*.jsonl"
at = "time"
time = "iso"
by = { value = "s" }
from = ["a.b", { value = "c" }]
op = "type"
send = ["out"]
open = { body = "json", "attribute.p" = "protobuf" }
fields = "attribute.app.{field}"
lossy = false
"#;

fn read(text: &str) -> Option<BindingFile> {
    let file = SourceMap::new().add("it.bind.toml", text);
    BindingFile::read(file, text, &mut Vec::new())
}

/// Every text is read as every form, and as the one that it looks like.
#[test]
fn no_text_brings_the_readers_of_envelopes_down() {
    let traffic = Traffic::new(NATIVE, &[("Ask", "/ask")], &[("Answer", 200)]);
    let forms = TrafficForm::ALL.iter();
    let mut corpus: Vec<String> = forms
        .flat_map(|form| traffic.logs(*form))
        .map(|(_, text)| text)
        .collect();
    corpus.push("2011-05-30 10:00:00.000 INFO c->s Ask(3)\n".to_owned());
    corpus.push("{\"MESSAGE\":\"{\\\"op\\\":\\\"Ask\\\"}\",\"_HOSTNAME\":\"s\",\"__REALTIME_TIMESTAMP\":\"1\"}\n".to_owned());
    corpus.push("<e:Envelope><e:Body><Ask><x>1</x></Ask></e:Body></e:Envelope>".to_owned());
    let corpus: Vec<&str> = corpus.iter().map(String::as_str).collect();
    let binding = read(BINDING).expect("it is sound").binding;
    let rules = binding.logs[0].clone();
    let binder = Binder::new(binding, Vocabulary::default());
    fuzz(seed_from_env(), 300, &corpus, |text| {
        let input = || Box::new(Cursor::new(text.to_owned().into_bytes()));
        let known = recognize_log(input(), "log", None).ok().flatten();
        let known = known.map(|it| (it.form, it.input));
        let forms = LogFormat::CHOICES.iter();
        let forms = forms.map(|(_, form, _)| (*form, input() as Box<dyn std::io::Read + Send>));
        for (form, input) in forms.chain(known) {
            let mut reader = EnvelopeReader::new(input, form, 1 << 16, false);
            loop {
                match reader.next() {
                    NextEnvelope::Envelope(it) => {
                        binder.observe(&it.envelope, None, None);
                        binder.observe(&it.envelope, Some(&rules), Some("s"));
                    }
                    NextEnvelope::Problem(_) => {}
                    NextEnvelope::End | NextEnvelope::Failed(_) => break,
                }
            }
        }
    });
}

/// A sound binding is printed as the same one; editors ask about any place of any text.
#[test]
fn no_text_brings_the_reader_of_bindings_down() {
    let corpus = [
        BINDING,
        "[messages.\"a\\u0000b\"]\nstatus = 1e400\n[[logs]]\n",
        "[messages.\"a\\nb\"]\nwhen = { 'header.X' = 1e30, 'header[\"x\"]' = 0x1 }\nfields.'' = 'body[\"a \\\"\"] * 2'\n",
    ];
    fuzz(seed_from_env(), 600, &corpus, |text| {
        let found = read(text);
        if let Some(found) = &found {
            let printed = found.binding.to_toml(&[]);
            let again = read(&printed).map(|it| it.binding);
            assert_eq!(again.as_ref(), Some(&found.binding), "{printed}");
        }
        let file = SourceMap::new().add("it.bind.toml", text);
        symbols(file, text, found.as_ref().map(|it| &it.binding), None);
        let places = text.char_indices().map(|(at, _)| at);
        for at in places.step_by(1 + text.len() / 8) {
            wanted(text, at);
        }
        for opening in Opening::ALL {
            let _ = opening.open(text);
        }
        let _ = FieldPlace::parse(text);
    });
}
