//! Secrets are planted wherever one can stand; none may be in anything that a verb with a mapping says or writes, nor in
//! what other verbs make of it.

mod support;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;

use support::choros;

/// The answer must be `ok`; both services below say something else.
const MODEL: &str = "\
stg asking explicit
variables x: Int, y: String
initial 0
0 -> 1: ask[USER,S]?<x>
1 -> 2: [y == \"ok\"] reply[S,USER]!y
2: end
";

const MAPPING: &str = r#"{
  "headers": { "authorization": "Bearer $CHOROS_TEST_TOKEN", "x-api-key": "literal-0123456789-key" },
  "operations": {
    "ask": { "path": "/ask", "fields": ["x"], "answers": ["reply"] },
    "reply": { "fields": ["y"] } } }"#;

const TOKEN: &str = "tok-7f3a9c1e55d2b804-a\"b<c>&d";

/// No piece of the secrets that is long enough to be of use.
const PIECES: &[&str] = &[
    "tok-7f3a",
    "9c1e55d2",
    "literal-0123",
    "56789-key",
    "4111111",
];

/// A service that sends back what it was told in secret: in a field, or in the text of an error.
fn talkative(is_error: bool) -> String {
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let target = format!("http://{}", socket.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in socket.incoming() {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut secrets, mut length) = (String::new(), 0);
            loop {
                let mut line = String::new();
                if reader.read_line(&mut line).unwrap_or(0) == 0 {
                    return;
                }
                match line.trim().split_once(": ") {
                    Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                        length = value.parse().unwrap();
                    }
                    Some(("authorization" | "x-api-key", value)) => {
                        secrets.push_str(value);
                        secrets.push(' ');
                    }
                    _ => {}
                }
                if line.trim().is_empty() {
                    break;
                }
            }
            reader.read_exact(&mut vec![0; length]).unwrap();
            assert!(secrets.contains(TOKEN), "the service is told");
            let (status, kind, body) = if is_error {
                ("500 No", "text/plain", format!("no such token: {secrets}"))
            } else {
                let body = serde_json::json!({ "y": secrets }).to_string();
                ("200 OK", "application/json", body)
            };
            let answer = format!(
                "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            );
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    target
}

fn assert_clean(what: &str, text: &[u8]) {
    let text = String::from_utf8_lossy(text);
    for piece in PIECES {
        assert!(!text.contains(piece), "{what} holds `{piece}`:\n{text}");
    }
}

fn assert_files_clean(folder: &Path) -> usize {
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files += assert_files_clean(&path);
        } else if path.file_name().is_some_and(|name| name != "map.json") {
            assert_clean(&path.display().to_string(), &std::fs::read(&path).unwrap());
            files += 1;
        }
    }
    files
}

#[test]
fn no_output_of_drive_holds_a_secret() {
    for is_error in [false, true] {
        let target = talkative(is_error);
        let formats: &[&str] = if is_error {
            &["text", "json"]
        } else {
            &["text", "json", "junit", "sarif", "html"]
        };
        for format in formats {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("asking.stg"), MODEL).unwrap();
            std::fs::write(folder.path().join("map.json"), MAPPING).unwrap();
            let output = choros()
                .current_dir(folder.path())
                .env("CHOROS_TEST_TOKEN", TOKEN)
                .args(["drive", "asking.stg", "--mapping", "map.json"])
                .args([
                    "--target", &target, "--format", format, "--record", "run.json",
                ])
                .args(["--transcript", "run.jsonl", "--resume", "done.jsonl"])
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(said.contains("[secret]"), "{format}: {said}\n{told}");
            assert_clean(format, &output.stdout);
            assert_clean("standard error", &output.stderr);
            assert_eq!(assert_files_clean(folder.path()), 4);
            let record = std::fs::read_to_string(folder.path().join("run.json")).unwrap();
            serde_json::from_str::<serde_json::Value>(&record).unwrap();
        }
    }
}

#[test]
fn no_emitted_test_holds_what_the_environment_says() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("asking.stg"), MODEL).unwrap();
    let mapping = MAPPING.replace("literal-0123456789-key", "$CHOROS_TEST_TOKEN");
    std::fs::write(folder.path().join("map.json"), mapping).unwrap();
    let output = choros()
        .current_dir(folder.path())
        .env("CHOROS_TEST_TOKEN", TOKEN)
        .args(["tests", "asking.stg", "--mapping", "map.json"])
        .args(["--emit", "python", "-o", "out"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_clean("standard output", &output.stdout);
    assert!(assert_files_clean(folder.path()) > 2);
}

/// What a mapping writes into paths, queries and constants, and the password of an address.
#[test]
fn no_output_of_drive_holds_a_secret_of_its_mapping() {
    let mapping = r#"{ "operations": {
        "ask": { "path": "/reset-password/tok-7f3a1x?access_token=9c1e55d2-q", "fields": ["x"],
                 "constants": { "login": { "apiKey": "literal-0123-k" } }, "answers": ["reply"] },
        "reply": { "fields": ["y"] } } }"#;
    for target in ["http://127.0.0.1:1", "http://bob:56789-key@127.0.0.1:1"] {
        for format in FORMATS {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("asking.stg"), MODEL).unwrap();
            std::fs::write(folder.path().join("map.json"), mapping).unwrap();
            let output = choros()
                .current_dir(folder.path())
                .args(["drive", "asking.stg", "--mapping", "map.json"])
                .args(["--target", target, "--format", format])
                .args(["--record", "run.json", "--transcript", "run.jsonl"])
                .args(["--resume", "done.jsonl"])
                .output()
                .unwrap();
            assert_clean(format, &output.stdout);
            assert_clean("standard error", &output.stderr);
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(told.contains("[secret]"), "{target}, {format}: {told}");
            assert!(assert_files_clean(folder.path()) > 1);
        }
    }
}

/// What a binding calls secret, wherever the service says it: in a field, beside it, in a field of another name.
#[test]
fn no_output_of_drive_holds_what_the_binding_hides() {
    let binding = r#"
        [messages.ask]
        request = "POST /ask"
        fields = ["body.x"]
        [messages.reply]
        response = "ask"
        fields = ["body.card"]
        [hide]
        secret = ["card", "*.pin"]
        "#;
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let target = format!("http://{}", socket.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in socket.incoming() {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut line = String::new();
            let mut length = 0;
            while reader.read_line(&mut line).unwrap_or(0) > 0 && !line.trim().is_empty() {
                if let Some((_, value)) = line.trim().split_once("ontent-length: ") {
                    length = value.parse().unwrap();
                }
                line.clear();
            }
            reader.read_exact(&mut vec![0; length]).unwrap();
            let body = r#"{"card":"tok-7f3a of bob","owner":{"pin":"47-11"}}"#;
            let answer = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            );
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    for format in FORMATS {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("asking.stg"), MODEL).unwrap();
        std::fs::write(folder.path().join("map.bind.toml"), binding).unwrap();
        let output = choros()
            .current_dir(folder.path())
            .args(["drive", "asking.stg", "--binding", "map.bind.toml"])
            .args([
                "--target", &target, "--format", format, "--record", "run.json",
            ])
            .args(["--transcript", "run.jsonl", "--resume", "done.jsonl"])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{format}: {said}");
        assert!(said.contains("[secret]"), "{format}: {said}");
        let mut files = vec![output.stdout.clone(), output.stderr.clone()];
        for name in ["run.json", "run.jsonl", "done.jsonl"] {
            files.push(std::fs::read(folder.path().join(name)).unwrap());
        }
        for text in files {
            let text = String::from_utf8_lossy(&text);
            for piece in ["tok-7f3a", "of bob", "47-11"] {
                assert!(!text.contains(piece), "{format} holds `{piece}`:\n{text}");
            }
        }
    }
}

const FORMATS: [&str; 5] = ["text", "json", "junit", "sarif", "html"];

/// A service that tells secrets in a header, in JSON, and in JSON within a text.
fn paying() -> String {
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let target = format!("http://{}", socket.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in socket.incoming() {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut length = 0;
            loop {
                let mut line = String::new();
                if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
                    break;
                }
                if let Some((name, value)) = line.trim().split_once(": ")
                    && name.eq_ignore_ascii_case("content-length")
                {
                    length = value.parse().unwrap();
                }
            }
            reader.read_exact(&mut vec![0; length]).unwrap();
            let inner = serde_json::json!({ "password": "tok-7f3a-d" }).to_string();
            let body = serde_json::json!({
                "token": "9c1e55d2-r", "card": "4111111111111111", "in": { "text": inner }, "ok": 1
            });
            let body = body.to_string();
            let answer = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nSet-Cookie: a=literal-0123-s\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            );
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    target
}

/// Sends a request with secrets wherever one can stand, and reads the answer to its end.
fn pay(proxy: &str, kind: &str, body: &str) {
    let address = proxy.strip_prefix("http://").unwrap();
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    let request = format!(
        "POST /pay/reset-password/tok-7f3a9f86?access_token=9c1e55d2-q&x=1 HTTP/1.1\r\nHost: h\r\n\
         Authorization: Bearer literal-0123-h\r\nCookie: sid=56789-key-c\r\nX-Api-Key: tok-7f3a-k\r\n\
         Content-Type: {kind}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.contains("9c1e55d2-r"), "clients are told: {answer}");
}

/// Secrets that pass a proxy, and all that is made of its logs afterwards.
#[test]
fn no_captured_secret_goes_further() {
    const CAPTURE: &str = r#"{ "session": "header.Cookie", "redact": "iban",
        "messages": { "POST /pay/**": { "request": "Pay", "response": "Done" } } }"#;
    const WRONG: &str =
        "choreography Shop[c, s] {\n    s -> c: Done(ok: Int)\n    c -> s: Pay(x: Int)\n}\n";
    const NEVER: &str =
        "property p on s { context Pay[c,s]?(any) within 1 messages never Done[s,c]!(any) }\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("map.json"), CAPTURE).unwrap();
    std::fs::write(path.join("shop.chor"), WRONG).unwrap();
    std::fs::write(path.join("p.prop"), NEVER).unwrap();
    let live = TcpListener::bind("127.0.0.1:0").unwrap();
    let to = live.local_addr().unwrap().to_string();
    let listener = std::thread::spawn(move || {
        let mut told = Vec::new();
        let _ = live.accept().unwrap().0.read_to_end(&mut told);
        told
    });
    let service = paying();
    let mut capture = choros();
    capture
        .current_dir(path)
        .args(["capture", "--listen", ":0", "--forward", &service])
        .args(["--as", "c,s", "--mapping", "map.json", "--to", &to])
        .args(["-o", "s=s.jsonl", "-o", "c=c.xml", "--for", "5"]);
    let proxy = support::Program::start(&mut capture);
    let url = proxy.url();
    let inner = serde_json::json!({ "password": "tok-7f3a-j" }).to_string();
    let body = serde_json::json!({ "iban": "9c1e55d2-i", "in": inner, "amount": 3 });
    pay(&url, "application/json", &body.to_string());
    let xml =
        "<pay><login password='literal-0123-x'/><iban>56789-key-y</iban><amount>1</amount></pay>";
    pay(&url, "text/xml", xml);
    assert_clean("what capture says", proxy.rest().as_bytes());
    assert_clean("what is sent on", &listener.join().unwrap());
    let log = std::fs::read_to_string(path.join("s.jsonl")).unwrap();
    assert_eq!(log.lines().count(), 4, "{log}");
    assert!(log.contains("[redacted "), "{log}");
    for format in FORMATS {
        for line in [
            "audit shop.chor --log s=s.jsonl",
            "monitor p.prop --log s=s.jsonl --verdicts v.jsonl --state state.json",
        ] {
            let _ = std::fs::remove_file(path.join("state.json"));
            let output = choros()
                .current_dir(path)
                .args(line.split(' '))
                .args(["--format", format])
                .output()
                .unwrap();
            assert_eq!(output.status.code(), Some(1), "{line}: {output:?}");
            assert_clean(line, &output.stdout);
            assert_clean(line, &output.stderr);
            if line.starts_with("monitor") && format == "json" {
                std::fs::write(path.join("report.json"), &output.stdout).unwrap();
            }
        }
    }
    for line in ["replay report.json", "draw shop.chor -o shop.svg"] {
        let output = choros().current_dir(path).args(line.split(' ')).output();
        assert_clean(line, &output.unwrap().stdout);
    }
    assert!(assert_files_clean(path) > 7);
}

/// Fields that the mapping of a log names, in every format; equal ones stay equal, so the session is still judged.
#[test]
fn no_output_holds_what_the_mapping_of_a_log_hides() {
    const HIDING: &str = r#"{ "at": "at", "by": "by", "dir": "dir", "from": "from", "to": "to", "op": "op",
        "session": "user.token", "data": "data", "redact": "iban, token, *.birthday" }"#;
    const LOG: &str = r#"{"at":1,"by":"s","dir":"recv","from":"c","to":"s","op":"Pay","user":{"token":"tok-7f3a-s"},"data":{"iban":"9c1e55d2-i","who":{"birthday":"literal-0123-b"},"x":1}}
{"at":2,"by":"s","dir":"recv","from":"c","to":"s","op":"Pay","user":{"token":"tok-7f3a-s"},"data":{"iban":"9c1e55d2-i","x":2}}
{"at":3,"by":"s","dir":"send","from":"s","to":"c","op":"Done","user":{"token":"tok-7f3a-s"},"data":{"iban":"56789-key-z"}}
"#;
    const WRONG: &str =
        "choreography Shop[c, s] {\n    c -> s: Pay(iban: String)\n    s -> c: Done(iban)\n}\n";
    const NEVER: &str =
        "property p on s { context Pay[c,s]?(any) within 2 messages never Done[s,c]!(any) }\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("map.json"), HIDING).unwrap();
    std::fs::write(path.join("shop.chor"), WRONG).unwrap();
    std::fs::write(path.join("p.prop"), NEVER).unwrap();
    let logs = tempfile::tempdir().unwrap();
    let log = logs.path().join("s.jsonl");
    std::fs::write(&log, LOG).unwrap();
    for format in FORMATS {
        for line in [
            "audit shop.chor --mapping map.json",
            "monitor p.prop --mapping map.json --verdicts v.jsonl",
        ] {
            let output = choros()
                .current_dir(path)
                .args(line.split(' '))
                .args(["--format", format, "--log"])
                .arg(format!("s={}", log.display()))
                .output()
                .unwrap();
            assert_eq!(output.status.code(), Some(1), "{line}: {output:?}");
            let said = String::from_utf8_lossy(&output.stdout);
            // Monitors show what their properties speak of alone.
            let shows = line.starts_with("monitor") || said.contains("[redacted ");
            assert!(shows, "{line}, {format}: {said}");
            assert_clean(line, &output.stdout);
            assert_clean(line, &output.stderr);
        }
    }
    assert!(assert_files_clean(path) > 2);
}

/// Certificates and the cache hold what a proof rests on: models, and no word of the environment or of mappings.
#[test]
fn no_certificate_and_no_cache_holds_a_secret() {
    const MODELS: &str = "choreography A[c, s] {\n    c -> s: Ask(x: Int)\n    s -> c: Reply(y: String)\n}\n\
        choreography B[c, s] {\n    c -> s: Ask(n: Int)\n    s -> c: Reply(z: String)\n}\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("m.chor"), MODELS).unwrap();
    std::fs::write(path.join("map.json"), MAPPING).unwrap();
    for line in [
        "conform m.chor#A m.chor#B --cache --certificate conform.json",
        "realize m.chor --certificate realize.json",
        "conform m.chor#A m.chor#B --cache",
        "certify conform.json m.chor",
        "certify realize.json m.chor",
    ] {
        let output = choros()
            .current_dir(path)
            .env("CHOROS_TEST_TOKEN", TOKEN)
            .args(line.split(' '))
            .output()
            .unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
        assert_clean(line, &output.stdout);
        assert_clean(line, &output.stderr);
    }
    assert!(assert_files_clean(path) > 3);
}
