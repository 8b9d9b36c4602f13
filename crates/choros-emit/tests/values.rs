//! What an emitted test takes for the value it expects, by the table that `drive` keeps to: run by Python.

use std::process::Command;

use choros_data::Value;
use choros_emit::symbolic::{BodyKind, Expected, HttpCall, HttpStep, HttpSuite, HttpTest, python};
use choros_testkit::WrittenValue;

fn expected(value: &Value) -> Expected {
    match value {
        Value::Int(value) => Expected::Number(value.to_string()),
        Value::Real(value) => Expected::Number(value.to_string()),
        Value::Bool(value) => Expected::Value(value.to_string()),
        // In the table, texts have no characters that JSON escapes.
        Value::String(text) => Expected::Value(format!("\"{text}\"")),
        other => panic!("{other:?}"),
    }
}

/// A library for requests that answers what it is told.
const REQUESTS: &str = r#"
import sys
import types

class Response:
    status_code = 200

    def __init__(self, content):
        self.content, self.text = content.encode(), content

requests = types.ModuleType("requests")
requests.request = lambda method, url, **_: Response(BODIES.pop(0))
sys.modules["requests"] = requests
"#;

#[test]
fn an_emitted_test_takes_what_drive_takes() {
    let table = WrittenValue::table();
    let tests = table.iter().enumerate().map(|(number, row)| HttpTest {
        name: format!("test_{number}"),
        condition: Vec::new(),
        needs: Vec::new(),
        steps: vec![HttpStep::Call(Box::new(HttpCall {
            about: "asks".to_owned(),
            method: "POST".to_owned(),
            path: "/".to_owned(),
            headers: Vec::new(),
            body: "{}".to_owned(),
            copies: Vec::new(),
            status: None,
            expected: vec![("x".to_owned(), expected(&row.value))],
            others: Vec::new(),
            ticks: 0,
        }))],
    });
    let suite = HttpSuite {
        model: "m".to_owned(),
        service: "s".to_owned(),
        target: "http://nowhere".to_owned(),
        tick: 0,
        bodies: BodyKind::Json,
        headers: Vec::new(),
        partners: Vec::new(),
        tests: tests.collect(),
        left_out: Vec::new(),
    };
    let files = python(&suite);
    let code = files.text("test_s.py").expect("the file of the tests");
    let mut script = format!("{REQUESTS}\n{code}\nBODIES = [\n");
    for row in &table {
        let body = format!("{{\"x\": {}}}", row.written);
        script.push_str(&format!("    {body:?},\n"));
    }
    script.push_str("]\n");
    for number in 0..table.len() {
        script.push_str(&format!(
            "try:\n    test_{number}()\n    print(True)\nexcept AssertionError:\n    print(False)\n"
        ));
    }
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("rows.py"), script).expect("writable");
    let mut command = Command::new("python3");
    command
        .args(["-W", "error", "rows.py"])
        .current_dir(folder.path());
    let output = command.output().expect("Python is installed");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(said.lines().count(), table.len());
    for (row, line) in table.iter().zip(said.lines()) {
        assert_eq!(line == "True", row.is_same, "{row:?}");
    }
}
