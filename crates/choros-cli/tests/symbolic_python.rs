//! Symbolic tests for pytest, run against services that keep to the model and services that do not.

#[path = "support/fake.rs"]
mod fake;
mod support;

use std::path::Path;
use std::process::Command;

use fake::{Act, json, serve};
use support::{Program, choros, free_address, python};

/// The bank chooses a number; who closes must name it, and is told what was asked for.
const FILES: &str = "\
stg files explicit
variables x: Int, n: Int, m: Int
initial 0
0 -> 1: open[USER,S]?<x>
1 -> 2: number[BK,S]?<n>
2 -> 3: open[S,USER]!n
3 -> 4: [x > 2] close[USER,S]?<m>
4 -> 5: [m == n] close[S,USER]!x
5: end
";

/// Emits the tests of a model.
fn emit(folder: &Path, model: &Path, more: &[&str]) {
    let output = choros()
        .arg("tests")
        .arg(model)
        .args(["--coverage", "paths", "--only-terminating"])
        .args(["--emit", "python", "-o"])
        .arg(folder)
        .args(more)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{text}");
}

/// Runs the tests of a folder that have these names; whether all pass, and what was said.
fn pytest(python: &Path, folder: &Path, target: &str, names: &str) -> (Option<i32>, String) {
    pytest_with(python, folder, names, &[("TARGET", target)])
}

fn pytest_with(
    python: &Path,
    folder: &Path,
    names: &str,
    variables: &[(&str, &str)],
) -> (Option<i32>, String) {
    let output = Command::new(python)
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", names])
        .arg(folder)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), text)
}

fn value(body: &str) -> i64 {
    let json: serde_json::Value = serde_json::from_str(body).unwrap();
    json["value"].as_i64().unwrap()
}

/// A service of files that are numbered from here, and answers with this much more than was asked.
fn files(number: i64, more: i64) -> String {
    let asked = std::sync::atomic::AtomicI64::new(0);
    serve(move |path, body| match path {
        "/open" => {
            asked.store(value(body), std::sync::atomic::Ordering::SeqCst);
            json(format!(r#"{{"value": {number}}}"#))
        }
        "/close" if value(body) == number => {
            let asked = asked.load(std::sync::atomic::Ordering::SeqCst);
            json(format!(r#"{{"value": {}}}"#, asked + more))
        }
        _ => Act::Answer(404, "text/plain", format!("no {path} of {body}")),
    })
}

#[test]
fn json_tests_pass_a_service_that_keeps_to_the_model_and_find_one_that_does_not() {
    let Some(python) = python("pytest, requests") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("files.stg");
    std::fs::write(&model, FILES).unwrap();
    let tests = folder.path().join("tests");
    emit(&tests, &model, &[]);
    // The number is the service's own choice, so the tests have to read it from the answer.
    for number in [0, 4711] {
        let (code, text) = pytest(&python, &tests, &files(number, 0), "test");
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains("2 passed"), "{text}");
    }
    let (code, text) = pytest(&python, &tests, &files(4711, 1), "test");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("value is"), "{text}");
    // What someone has changed stays.
    let file = tests.join("test_files.py");
    std::fs::write(&file, "mine = True\n").unwrap();
    emit(&tests, &model, &[]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine = True\n");
}

/// A loan service whose partners grant everything.
fn loans(number: u32, status: bool) -> String {
    serve(move |_, body| {
        let is_request = body.contains("MT-requestIn");
        let inner = if is_request {
            format!(
                "<a:MT-requestOut xmlns:a=\"http://example.org/xloan/schema/LS\"><a:status>{status}</a:status>\
                 <a:fileNumber>{number}</a:fileNumber><a:proposals/></a:MT-requestOut>"
            )
        } else {
            String::new()
        };
        let is_known = is_request || body.contains(&format!(">{number}<"));
        let envelope = format!(
            "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Body>{inner}</e:Body></e:Envelope>"
        );
        Act::Answer(if is_known { 200 } else { 500 }, "text/xml", envelope)
    })
}

#[test]
fn soap_tests_pass_a_service_that_keeps_to_the_model_and_find_one_that_does_not() {
    let Some(python) = python("pytest, requests") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/xloan/xloan.bpel");
    emit(folder.path(), &model, &["-k", "10", "--reading", "thesis"]);
    // The third and the fifth: the loan is granted, and the user cancels.
    let granted = "test_3 or test_5";
    let (code, text) = pytest(&python, folder.path(), &loans(4711, true), granted);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("2 passed"), "{text}");
    let (code, text) = pytest(&python, folder.path(), &loans(4711, false), granted);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("2 failed"), "{text}");
}

/// The service passes a rate and a list on to a bank, and the bank's own back.
const RATES: &str = "\
stg rates explicit
variables r: Real, l: List(Real), q: Real, m: List(Int)
initial 0
0 -> 1: ask[USER,S]?(<r>, <l>)
1 -> 2: [r > 1.5 and length(l) == 2] rate[S,BK]!(r, l)
2 -> 3: rate[BK,S]?(<q>, <m>)
3 -> 4: [q > r and length(m) == 3] ask[S,USER]!(q, m)
4: end
";

/// What a wrong service does to a body.
type Change = fn(&mut serde_json::Value);

/// A service that changes what it passes on to the bank, and what it passes back.
fn rates(
    bank: String,
    there: impl Fn(&mut serde_json::Value) + Send + Sync + 'static,
    back: impl Fn(&mut serde_json::Value) + Send + Sync + 'static,
) -> String {
    serve(move |_, body| {
        let mut asked: serde_json::Value = serde_json::from_str(body).unwrap();
        there(&mut asked);
        let mut answer = post(&bank, "/rate", &asked.to_string());
        back(&mut answer);
        json(answer.to_string())
    })
}

fn post(address: &str, path: &str, body: &str) -> serde_json::Value {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let body = answer.split("\r\n\r\n").nth(1).unwrap_or_default();
    serde_json::from_str(body).unwrap_or_default()
}

#[test]
fn lists_and_fractions_are_checked_on_their_way_to_partners_and_back() {
    let Some(python) = python("pytest, requests") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("rates.stg");
    std::fs::write(&model, RATES).unwrap();
    let tests = folder.path().join("tests");
    emit(&tests, &model, &["--play", "USER,BK"]);
    let run = |there: Change, back: Change| {
        let bank = free_address();
        let service = rates(bank.clone(), there, back);
        let variables = [("TARGET", service.as_str()), ("PARTNER_BK", &bank)];
        pytest_with(&python, &tests, "test", &variables)
    };
    let (code, text) = run(|_| {}, |_| {});
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("2 passed"), "{text}");
    let wrong: [(&str, Change, Change, &str); 4] = [
        (
            "fraction there",
            |it| it["value1"] = serde_json::json!(77.5),
            |_| {},
            "BK was asked for",
        ),
        (
            "element there",
            |it| it["value2"][1] = serde_json::json!(77),
            |_| {},
            "value2/1 is 77",
        ),
        (
            "shorter back",
            |_| {},
            |it| {
                it["value2"].as_array_mut().unwrap().pop();
            },
            "has 2 elements",
        ),
        (
            "fraction back",
            |_| {},
            |it| it["value1"] = serde_json::json!(-1.25),
            "value1 is -1.25",
        ),
    ];
    for (name, there, back, expected) in wrong {
        let (code, text) = run(there, back);
        assert_eq!(code, Some(1), "{name}: {text}");
        assert!(text.contains(expected), "{name}: {text}");
    }
}

#[test]
fn the_loan_service_is_tested_with_partners_that_the_tests_play() {
    let Some(python) = python("pytest, requests, spyne, zeep, lxml") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/xloan");
    let model = example.join("xloan.bpel");
    emit(folder.path(), &model, &["-k", "10", "--play", "USER,BK,BL"]);
    let run = |fault: Option<&str>| {
        let (bank, black_list) = (free_address(), free_address());
        let mut service = Command::new(&python);
        service
            .current_dir(&example)
            .args(["service.py", "--port", "0", "--hour", "0.3"])
            .args(["--bank", &format!("http://{bank}/")])
            .args(["--black-list", &format!("http://{black_list}/")]);
        if let Some(fault) = fault {
            service.args(["--fault", fault]);
        }
        let service = Program::start(&mut service);
        let target = format!("http://127.0.0.1:{}/", service.url());
        let variables = [
            ("TARGET", target.as_str()),
            ("TICK", "0.3"),
            ("TIMEOUT", "4"),
            ("PARTNER_BK", &bank),
            ("PARTNER_BL", &black_list),
        ];
        pytest_with(&python, folder.path(), "test", &variables)
    };
    let (code, text) = run(None);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("19 passed"), "{text}");
    for (fault, expected) in [
        ("lost", "BK was not asked for MT-confirmIn"),
        ("off-by-one", "MT-selectOut/status is 'false'"),
    ] {
        let (code, text) = run(Some(fault));
        assert_eq!(code, Some(1), "{fault}: {text}");
        assert!(text.contains(expected), "{fault}: {text}");
    }
}

/// A model that leaves the answer to the service; after `Big` the user continues.
const EITHER: &str = "\
stg either explicit
variables x: Int, n: Int
initial 0
0 -> 1: Ask[USER,S]?<x>
1 -> 2: Big[S,USER]!x
1 -> 3: Small[S,USER]!
2 -> 4: More[USER,S]?<n>
4 -> 5: Done[S,USER]!n
3: end
5: end
";

/// Every service that keeps to the model passes, whatever it chooses; one that answers what no branch allows does not.
#[test]
fn a_service_that_chooses_passes_and_the_branch_is_named() {
    let Some(python) = python("pytest, requests") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("either.stg");
    std::fs::write(&model, EITHER).unwrap();
    let mapping = folder.path().join("map.json");
    std::fs::write(
        &mapping,
        r#"{ "operations": { "Ask": { "answers": ["Big", "Small"] }, "Small": { "status": 404 },
                             "More": { "answers": ["Done"] } } }"#,
    )
    .unwrap();
    let tests = folder.path().join("tests");
    emit(
        &tests,
        &model,
        &["--mapping", &mapping.display().to_string()],
    );
    let turns = std::sync::atomic::AtomicUsize::new(0);
    let chooses = serve(move |path, body| {
        let turn = turns.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        match path {
            "/Ask" if turn % 3 == 1 => Act::Answer(404, "application/json", "{}".to_owned()),
            _ => json(format!(r#"{{"value": {}}}"#, value(body))),
        }
    });
    let always = |status: u16, more: i64| {
        serve(move |path, body| match (path, status) {
            ("/Ask", 404) => Act::Answer(404, "application/json", "{}".to_owned()),
            _ => json(format!(r#"{{"value": {}}}"#, value(body) + more)),
        })
    };
    for service in [&chooses, &chooses, &always(200, 0)] {
        let (code, text) = pytest(&python, &tests, service, "test");
        assert_eq!(code, Some(0), "{text}");
    }
    let (code, text) = pytest(&python, &tests, &always(200, 1), "test");
    assert_eq!(code, Some(1), "{text}");
    let output = Command::new(&python)
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-rP"])
        .arg(&tests)
        .env("TARGET", always(404, 0))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let seen = "test_2: the service took another branch that the model allows: USER.Small!";
    assert!(text.contains(seen), "{text}");
}
