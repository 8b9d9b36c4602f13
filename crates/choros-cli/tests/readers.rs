//! Every reader of the tool, from the outside: damaged texts in place of each file that a verb takes.
//!
//! A run may reject the text or answer; it must not crash, hang or write pages without end.
//! `CHOROS_SEED` repeats a failure; with `CHOROS_FUZZ_SECONDS` each reader is fed for so long.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output, Stdio};

use choros::FileKind;
use choros::base::Choice;
use choros::verbs::LogFormat;
use choros_testkit::{Random, fuzz, rounds, seed_from_env};

/// A file that some verb reads, and the verb.
struct Reader {
    /// The file with the damaged text.
    file: &'static str,
    /// The command; it runs in the folder of the file.
    line: &'static str,
}

const fn reader(file: &'static str, line: &'static str) -> Reader {
    Reader { file, line }
}

/// What is read besides models and logs.
const READERS: [Reader; 25] = [
    reader("choros.toml", "check"),
    reader("choros.toml", "check --update-baseline"),
    reader("certificate.json", "certify certificate.json m.schora"),
    reader(
        "proofs/proof.json",
        "conform m.schora#same m.schora#order --cache=proofs",
    ),
    reader("suite/suite.json", "comply atm.fsa suite/suite.json"),
    reader(
        "suite/.choros-generated",
        "tests atm.gc --role A --emit json -o suite",
    ),
    reader("t1.oracle.yaml", "comply simple-atm.fsa#B t1.fsa"),
    reader("report.json", "replay report.json"),
    reader(
        "symbolic/suite.json",
        "drive symbolic/suite.json --mapping map.json --target http://127.0.0.1:1",
    ),
    reader(
        "map.json",
        "drive ask.stg --param n=5 --mapping map.json --target http://127.0.0.1:1",
    ),
    reader(
        "done.jsonl",
        "drive ask.stg --param n=5 --mapping map.json --target http://127.0.0.1:1 --resume done.jsonl",
    ),
    reader(
        "names.json",
        "capture --listen 127.0.0.1:0 --forward http://127.0.0.1:1 --as c,s -o captured.jsonl --for 0 --mapping names.json",
    ),
    reader(
        "log-map.json",
        "monitor p.prop --log s=vendor.jsonl --mapping log-map.json",
    ),
    reader(
        "state.json",
        "monitor p.prop --log s=log.jsonl --state state.json",
    ),
    reader(
        "ask.bind.toml",
        "audit m.schora#order --log v=closed.jsonl --binding ask.bind.toml",
    ),
    reader(
        "closed.jsonl",
        "audit m.schora#order --log v=closed.jsonl --binding ask.bind.toml",
    ),
    reader(
        "wrapped.log",
        "audit m.schora#order --log v=wrapped.log --binding ask.bind.toml",
    ),
    reader("map.json", "bind --from map.json"),
    reader("openapi/order.yaml", "import openapi/order.yaml"),
    reader("openapi/problems.yaml", "import openapi/order.yaml"),
    reader("openapi/payment.json", "import openapi/payment.json"),
    reader("order.solve", "solve order.solve"),
    reader("order.xsd", "solve order.solve"),
    reader("LoanService.wsdl", "check xloan.bpel"),
    reader("xloan.bpel", "tests xloan.bpel --depth 4"),
];

/// What a verb that reads the kind is asked.
fn line_of(kind: FileKind) -> String {
    let file = format!("model.{}", kind.extension());
    match kind.name() {
        "contract" => format!("check {file} --model xloan-r.stg"),
        "tp" => format!("check {file} --model xloan-r.stg"),
        "abs" => format!("verify system.aut --rules {file} --formula true"),
        "socl" => format!("verify system.aut {file}"),
        "bpel" => format!("explore {file}"),
        _ => format!("check {file}"),
    }
}

fn example(path: &str) -> String {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    std::fs::read_to_string(examples.join(path)).expect(path)
}

const DOT: &str = "digraph \"shop\" {\n  comment=\"explicit\"; 0; 1; 2 [label=\"end\"];\n  start [shape=\"point\"]; start -> 0;\n  \
    0 -> 1 [label=\"Request[b,v].<x>\"]; 1 -> 2 [label=\"[x < 5] Confirm[v,b]?z\"];\n}\n";
const STGA: &str = "<STGA><init_state>0</init_state><states><state>0</state><state>1</state></states>\
    <transition><source>0</source><event>ask(x)</event><target>1</target></transition></STGA>\n";
const AUT: &str = "des (0, 3, 3)\n(0, \"a\", 1)\n(1, coin[x,y], 2)\n(2, i, 0)\n";
const RULES: &str = "Abstractions {\n  Action a -> one\n  State b -> two\n}\n";
const PROPERTY: &str =
    "property p on s { context Request[c,s]?(any) within 1 messages expect Response[s,c]!(any) }\n";

/// A text of each kind.
fn model(kind: FileKind) -> String {
    match kind.name() {
        "chor" => example("online-shopping.chor"),
        "schora" => example("online-shopping.schora"),
        "pact" => example("order/order.pact"),
        "gc" => example("atm.gc"),
        "stg" => example("xloan/xloan-r.stg"),
        "dot" => DOT.to_owned(),
        "stga" => STGA.to_owned(),
        "aut" => AUT.to_owned(),
        "fsa" => example("atm.fsa"),
        "prop" => example("shipping/s.prop"),
        "tp" => example("xloan/select.tp"),
        "contract" => example("xloan/approve.contract"),
        "cows" => example("bank-one-client.cows"),
        "socl" => example("bank.socl"),
        "abs" => RULES.to_owned(),
        "bpel" => example("xloan/xloan.bpel"),
        "bind" => example("shop/shop.bind.toml"),
        other => panic!("give the readers a text of the kind `{other}`"),
    }
}

const JSON_LINES: &str = "{\"at\":1,\"by\":\"s\",\"dir\":\"recv\",\"from\":\"c\",\"to\":\"s\",\"op\":\"Request\",\"data\":{\"w\":3}}\n\
    {\"at\":2,\"by\":\"s\",\"dir\":\"send\",\"from\":\"s\",\"to\":\"c\",\"op\":\"Response\",\"session\":\"7\"}\n";

/// A log of each form.
fn log(form: LogFormat) -> String {
    match form {
        LogFormat::JsonLines => JSON_LINES.to_owned(),
        LogFormat::Xml => "<message tstamp=\"1\" src=\"c\" dst=\"s\" name=\"Request\"><w>3</w></message>\n".to_owned(),
        LogFormat::Pact => "2011-05-30 10:00:00.000 INFO c->s Request(3)\n".to_owned(),
        LogFormat::Csv => example("order/buyer.csv"),
        LogFormat::Har => "{\"log\":{\"entries\":[{\"startedDateTime\":\"2026-01-01T00:00:00Z\",\"request\":{\"method\":\"POST\",\
            \"url\":\"http://s/Request\",\"headers\":[],\"postData\":{\"text\":\"{}\"}},\"response\":{\"status\":200,\
            \"content\":{\"text\":\"{}\"}}}]}}".to_owned(),
        LogFormat::Otlp => "{\"resourceSpans\":[{\"resource\":{\"attributes\":[{\"key\":\"service.name\",\"value\":{\"stringValue\":\"v\"}}]},\
            \"scopeSpans\":[{\"spans\":[{\"traceId\":\"01\",\"spanId\":\"02\",\"parentSpanId\":\"03\",\"name\":\"POST /ask\",\"kind\":2,\
            \"startTimeUnixNano\":\"1767225600000000001\",\"endTimeUnixNano\":\"1767225600000000002\",\"links\":[{\"spanId\":\"04\"}],\
            \"attributes\":[{\"key\":\"http.method\",\"value\":{\"stringValue\":\"POST\"}},{\"key\":\"http.status_code\",\"value\":{\"intValue\":\"200\"}},\
            {\"key\":\"x\",\"value\":{\"kvlistValue\":{\"values\":[{\"key\":\"y\",\"value\":{\"doubleValue\":1.5}}]}}}]}]}]}]}\n".to_owned(),
        LogFormat::Jaeger => "{\"data\":[{\"traceID\":\"1\",\"spans\":[{\"traceID\":\"1\",\"spanID\":\"2\",\"operationName\":\"Ask\",\
            \"references\":[{\"refType\":\"CHILD_OF\",\"spanID\":\"3\"}],\"startTime\":1767225600000000,\"duration\":5,\"processID\":\"p1\",\
            \"tags\":[{\"key\":\"span.kind\",\"type\":\"string\",\"value\":\"server\"},{\"key\":\"http.url\",\"value\":\"http://v/ask?x=1\"}]}],\
            \"processes\":{\"p1\":{\"serviceName\":\"v\"}}}]}".to_owned(),
        LogFormat::Zipkin => "[{\"traceId\":\"1\",\"id\":\"2\",\"parentId\":\"3\",\"kind\":\"SERVER\",\"shared\":true,\"name\":\"ask\",\
            \"timestamp\":1767225600000000,\"duration\":5,\"localEndpoint\":{\"serviceName\":\"v\"},\"tags\":{\"http.path\":\"/ask\",\"x\":\"3\"}}]".to_owned(),
        LogFormat::CloudEvents => "{\"specversion\":\"1.0\",\"type\":\"com.acme.Ask.v1\",\"source\":\"/b\",\"id\":\"7\",\
            \"time\":\"2026-01-01T00:00:00Z\",\"subject\":\"s\",\"to\":\"v\",\"data\":{\"x\":3}}\n".to_owned(),
        LogFormat::Access => "{\"time_iso8601\":\"2026-01-01T00:00:00Z\",\"remote_addr\":\"10.0.0.1\",\"host\":\"v\",\"request\":\"POST /ask?x=1 HTTP/1.1\",\
            \"status\":200,\"request_time\":0.5,\"request_id\":\"r\",\"request_body\":\"{\\\"x\\\":3}\"}\n".to_owned(),
        LogFormat::Kafka => "{\"topic\":\"asks\",\"partition\":0,\"offset\":1,\"ts\":1767225600000,\"key\":\"s\",\"headers\":[\"type\",\"Ask\",\"from\",\"b\"],\
            \"payload\":\"{\\\"x\\\":3}\"}\n".to_owned(),
    }
}

const MODELS: &str = "DECLARATIONS\n\ncomponent order chorD\n    Ask[b,v].<x> ; ([x > 0] |> Good[v,b].x + [x <= 0] |> Bad[v,b])\n\
    end component\n\ncomponent same chorD\n    Ask[b,v].<y> ; ([y >= 1] |> Good[v,b].y + [y < 1] |> Bad[v,b])\nend component\n";
const ASK: &str = "stg ask explicit\ninitial 0\n0 -> 1: Ask[USER,S]?<x>\n1 -> 2: [x >= n] Big[S,USER]!\n\
    1 -> 3: [x < n] Small[S,USER]!\n2: end\n3: end\n";
const MAPPING: &str = "{ \"operations\": { \"Ask\": { \"path\": \"/ask/{value}\", \"fields\": [{\"path\": \"value\"}], \"answers\": [\"Big\", \"Small\"] }, \"Small\": { \"status\": 404 } } }";
const LOG_MAPPING: &str = "{\"op\": \"$.event.kind\", \"from\": \"$.source\", \"to\": \"$.target\", \"at\": \"$.time\", \"data\": {\"w\": \"$.event.weight\"}}";
const VENDOR: &str = "{\"time\":\"2026-01-01T00:00:00Z\",\"source\":\"c\",\"target\":\"s\",\"event\":{\"kind\":\"Request\",\"weight\":3}}\n";
const NAMES: &str = "{\"op\": \"header.X-Op\", \"session\": \"body.id\", \"messages\": {\"POST /Request\": {\"response\": \"Response\"}}}";
const BINDING: &str = "schema = 1\nsession = [\"body.id\", \"record.key\"]\n\n[roles.b]\nnames = [\"buyer-*\"]\n\n\
    [messages.Ask]\nnames = [\"com.acme.Ask.v*\"]\nfields = { x = [\"body.x\", \"body.1 * 2\"] }\n\n[messages.Good]\nresponse = \"Ask\"\nstatus = \"2xx\"\n\n\
    [[logs]]\nfiles = \"closed*\"\nop = \"op\"\nby = { value = \"v\" }\nbody = \"payload\"\nopen = { body = \"protobuf\" }\n\n[hide]\nnoise = [\"body.debug\"]\n";
const CLOSED: &str = "{\"op\":\"com.acme.Ask.v2\",\"key\":\"s\",\"payload\":\"CAMSAmFi\"}\n";
const WRAPPED: &str = "<134>1 2026-01-01T00:00:00Z box v 7 - [a@1 b=\"c\"] {\"by\":\"v\",\"dir\":\"recv\",\"from\":\"b\",\"to\":\"v\",\"op\":\"Ask\",\"data\":{\"x\":3}}\n";
const DESCRIPTION: &str = "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"Pay \\ud83d\\udcb6\",\"version\":\"1\"},\"paths\":{\"/charges/{id}\":{\"post\":{\
    \"operationId\":\"charge\",\"requestBody\":{\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/C\"}}}},\
    \"responses\":{\"201\":{\"description\":\"d\",\"content\":{\"application/json\":{\"schema\":{\"oneOf\":[{\"$ref\":\"#/components/schemas/C\"},\
    {\"type\":\"null\"}]}}}},\"4XX\":{\"description\":\"no\"}}}}},\"components\":{\"schemas\":{\"C\":{\"type\":\"object\",\"required\":[\"cents\",\"in\"],\
    \"properties\":{\"cents\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":1e5},\"in\":{\"type\":\"array\",\"items\":{\"enum\":[\"a\",\"b\"]}}}}}}}";
const ORACLE: &str =
    "success_states:\n  A: [5]\n  C: [2]\norder: [A, B, C]\nchannels: [A-B, B-A]\n";
const TEST: &str = ".outputs A\n.state graph\n0 2 ? withdraw 1\n1 1 ! authW 2\n2 1 ? deny 3\n3 2 ! bye 5\n2 1 ? allow 4\n4 2 ! money 5\n\
    .marking 0\n.end\n\n.outputs B\n.state graph\n0 0 ? authW 1\n1 0 ! deny 2\n1 0 ! allow 2\n.marking 0\n.end\n\n.outputs C\n.state graph\n0 0 ! withdraw 1\n1 0 ? bye 2\n1 0 ? money 2\n.marking 0\n.end\n";
const PROJECT: &str = "deny = [\"CH0301\"]\n\n[[check]]\nfiles = [\"m.schora\", \"*.fsa\"]\n\n[[realize]]\nmodel = \"m.schora#order\"\n\
    mode = \"sender\"\n\n[[baseline]]\ncode = \"CH0301\"\nfile = \"m.schora\"\nreason = \"known\"\nexpires = 2030-01-01\n";

fn run(folder: &Path, line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_choros"))
        .current_dir(folder)
        .args(line.split(' '))
        .stdin(Stdio::null())
        .output()
        .expect("it runs")
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("it is written");
}

/// A folder with everything that the commands name, the files that the tool writes itself included.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = folder.path();
    for name in ["atm.gc", "atm.fsa", "simple-atm.fsa"] {
        write(place, name, &example(name));
    }
    for name in ["order.solve", "order.xsd"] {
        write(place, name, &example(&format!("solve/{name}")));
    }
    for name in ["openapi/order.yaml", "openapi/problems.yaml"] {
        write(place, name, &example(name));
    }
    write(place, "openapi/payment.json", DESCRIPTION);
    let xloan = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/xloan");
    for entry in std::fs::read_dir(xloan).expect("the example") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name");
        std::fs::copy(&path, place.join(name)).expect("it is copied");
    }
    for (name, text) in [
        ("m.schora", MODELS),
        ("ask.stg", ASK),
        ("map.json", MAPPING),
        ("log-map.json", LOG_MAPPING),
        ("vendor.jsonl", VENDOR),
        ("log.jsonl", JSON_LINES),
        ("names.json", NAMES),
        ("t1.oracle.yaml", ORACLE),
        ("t1.fsa", TEST),
        ("p.prop", PROPERTY),
        ("system.aut", AUT),
        ("choros.toml", PROJECT),
        ("ask.bind.toml", BINDING),
        ("closed.jsonl", CLOSED),
        ("wrapped.log", WRAPPED),
    ] {
        write(place, name, text);
    }
    for line in [
        "conform m.schora#same m.schora#order --certificate certificate.json --cache=proofs",
        "tests atm.gc --role A --emit json -o suite",
        "tests ask.stg --param n=5 --emit json -o symbolic",
        "drive ask.stg --param n=5 --mapping map.json --target http://127.0.0.1:1 --resume done.jsonl",
        "monitor p.prop --log s=log.jsonl --state state.json",
    ] {
        let output = run(place, line);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_ne!(output.status.code(), Some(2), "{line}: {told}");
    }
    let report = run(place, "realize m.schora#order --format json").stdout;
    write(place, "report.json", &String::from_utf8_lossy(&report));
    folder
}

/// A proof is stored under the digest of its question.
fn stored_proof(folder: &Path) -> String {
    let mut entries = std::fs::read_dir(folder.join("proofs")).expect("a folder of proofs");
    let entry = entries.next().expect("a proof").expect("an entry");
    format!("proofs/{}", entry.file_name().to_string_lossy())
}

/// Feeds one reader.
fn feed(folder: &Path, file: &str, line: &str) {
    let known = std::fs::read_to_string(folder.join(file)).unwrap_or_else(|_| panic!("{file}"));
    assert!(!known.trim().is_empty(), "{file} is empty");
    let bounded = if line.starts_with("capture") {
        line.to_owned()
    } else {
        format!("{line} --timeout 2")
    };
    fuzz(seed_from_env(), 4, &[&known], |text| {
        write(folder, file, text);
        let output = run(folder, &bounded);
        let told = String::from_utf8_lossy(&output.stderr);
        let ended = output.status.code().is_some_and(|code| code <= 5);
        assert!(
            ended && !told.contains("panicked"),
            "{line}, with another {file}: {}\n{told}",
            output.status
        );
        let size = output.stdout.len() + output.stderr.len();
        assert!(size < 8_000_000, "{line}: {size} bytes");
    });
    write(folder, file, &known);
}

#[test]
fn every_kind_of_model() {
    let folder = folder();
    for kind in FileKind::ALL {
        let file = format!("model.{}", kind.extension());
        write(folder.path(), &file, &model(kind));
        feed(folder.path(), &file, &line_of(kind));
    }
}

#[test]
fn every_form_of_log() {
    let folder = folder();
    for (_, form, _) in LogFormat::CHOICES {
        let form = *form;
        let file = format!("model-log.{}", form.name());
        write(folder.path(), &file, &log(form));
        let line = format!("monitor p.prop --log s={file}");
        feed(folder.path(), &file, &line);
        let line = format!("audit m.schora#order --log v={file}");
        feed(folder.path(), &file, &line);
        let line = format!("bind m.schora#order --log v={file}");
        feed(folder.path(), &file, &line);
    }
}

#[test]
fn every_other_file() {
    let folder = folder();
    for Reader { file, line } in READERS {
        let file = match file {
            "proofs/proof.json" => stored_proof(folder.path()),
            file => file.to_owned(),
        };
        feed(folder.path(), &file, line);
    }
}

/// A few kilobytes that are a gigabyte: read as far as the time goes, in little memory.
#[test]
fn bombs() {
    use std::io::Write;
    let folder = folder();
    let line = &log(LogFormat::CloudEvents);
    let open = line.trim_end().trim_end_matches('}').as_bytes();
    for (name, begin, block) in [
        ("zeros.json.gz", &b""[..], [0; 1 << 16].to_vec()),
        (
            "line.jsonl.gz",
            &open[..open.len() - 1],
            vec![b'1'; 1 << 16],
        ),
        ("events.jsonl.gz", &b""[..], line.repeat(200).into_bytes()),
    ] {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(begin).expect("memory");
        for _ in 0..(64 << 20) / block.len() {
            encoder.write_all(&block).expect("memory");
        }
        std::fs::write(folder.path().join(name), encoder.finish().expect("memory"))
            .expect("a file");
        let line = format!("bind m.schora#order --log {name} --timeout 5");
        // Whoever keeps what was unpacked does not get far with this.
        let output = Command::new("sh")
            .current_dir(folder.path())
            .args(["-c", &format!("ulimit -v 1500000; exec \"$0\" {line}")])
            .arg(env!("CARGO_BIN_EXE_choros"))
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        let ended = output.status.code().is_some_and(|code| code <= 5);
        assert!(
            ended && !said.contains("panicked"),
            "{name}: {} {said}",
            output.status
        );
    }
}

/// Bytes of compressed logs that were damaged, cut, or made longer.
#[test]
fn packed_logs() {
    use std::io::Write;
    let folder = folder();
    let text = log(LogFormat::Otlp).repeat(50);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_bytes()).expect("memory");
    let gzip = encoder.finish().expect("memory");
    let zstd = ruzstd::encoding::compress_to_vec(
        text.as_bytes(),
        ruzstd::encoding::CompressionLevel::Fastest,
    );
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    for (name, whole) in [("log.jsonl.gz", gzip), ("log.jsonl.zst", zstd)] {
        for _ in 0..rounds(15) {
            let mut bytes = whole.clone();
            for _ in 0..1 + random.below(3) {
                let at = random.below(bytes.len().min(whole.len()));
                match random.below(3) {
                    0 => bytes[at] = random.number() as u8,
                    1 => bytes.truncate(at + 1),
                    _ => bytes.extend_from_slice(&whole[at..]),
                }
            }
            std::fs::write(folder.path().join(name), &bytes).expect("a file");
            let line = format!("audit m.schora#order --log v={name} --timeout 5");
            let output = run(folder.path(), &line);
            let said = String::from_utf8_lossy(&output.stderr);
            let ended = output.status.code().is_some_and(|code| code <= 5);
            assert!(
                ended && !said.contains("panicked"),
                "CHOROS_SEED={seed}: {said}"
            );
        }
    }
}
