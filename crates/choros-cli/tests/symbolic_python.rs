//! Symbolic tests for pytest, run against services that keep to the model and services that do not.

#[path = "support/fake.rs"]
mod fake;
mod support;

use std::path::Path;
use std::process::Command;

use fake::{Act, json, serve};
use support::{choros, python};

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
    let output = Command::new(python)
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", names])
        .arg(folder)
        .env("TARGET", target)
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
        assert!(text.contains("1 passed"), "{text}");
    }
    let (code, text) = pytest(&python, &tests, &files(4711, 1), "test");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("value is"), "{text}");
    // What somebody has changed stays.
    let file = tests.join("test_files.py");
    std::fs::write(&file, "mine = True\n").unwrap();
    emit(&tests, &model, &[]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine = True\n");
}

/// A loan service whose partners grant everything.
fn loans(number: u32, status: bool) -> String {
    serve(move |_, body| {
        let is_request = body.contains("MT-requestIn");
        let inner = match is_request {
            true => format!(
                "<a:MT-requestOut xmlns:a=\"http://example.org/xloan/schema/LS\"><a:status>{status}</a:status>\
                 <a:fileNumber>{number}</a:fileNumber><a:proposals/></a:MT-requestOut>"
            ),
            false => String::new(),
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
    emit(folder.path(), &model, &["-k", "10"]);
    // The third and the fifth: the loan is granted, and the user cancels.
    let granted = "test_3 or test_5";
    let (code, text) = pytest(&python, folder.path(), &loans(4711, true), granted);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("2 passed"), "{text}");
    let (code, text) = pytest(&python, folder.path(), &loans(4711, false), granted);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("2 failed"), "{text}");
}
