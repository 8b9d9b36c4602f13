//! Traces that the OpenTelemetry SDK of Python exports, received, bound and judged.
//!
//! A machine without it skips this, unless CHOROS_REQUIRE_PYTHON says that everything must be there.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use support::{Program, choros, python};

const MODEL: &str = "choreography Order[client, order] {
    client -> order: PlaceOrder(id: String)
    choice at order {
        order -> client: Confirmed(id)
    } or {
        order -> client: Rejected(id)
    }
}
";

/// What two services export while they talk, as it is received.
fn traces(python: &Path, folder: &Path, protocol: &str, wrong: &[&str]) -> PathBuf {
    let log = folder.join(format!("{protocol}{}.jsonl", wrong.concat()));
    let mut receive = choros();
    receive.args(["capture", "--otlp", "127.0.0.1:0", "-o"]);
    let receiver = Program::start(receive.arg(&log));
    let services = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stacks/traces.py");
    let mut export = Command::new(python);
    export.arg(services).args([protocol, &receiver.url()]);
    let output = export.args(wrong).output().expect("Python runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}");
    receiver.interrupt();
    log
}

/// The exit code, and what was said.
fn asked(folder: &Path, words: &[&str]) -> (Option<i32>, String) {
    let output = choros().current_dir(folder).args(words).output();
    let output = output.expect("choros runs");
    let said = [output.stdout, output.stderr].concat();
    (
        output.status.code(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

#[test]
fn spans_of_the_sdk_over_http_and_grpc() {
    let packages = "opentelemetry.sdk, opentelemetry.exporter.otlp.proto.http, opentelemetry.exporter.otlp.proto.grpc";
    let Some(python) = python(packages) else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::write(folder.join("order.chor"), MODEL).expect("a file");
    for protocol in ["http", "grpc"] {
        let right = traces(&python, folder, protocol, &[]);
        let right = right.display().to_string();
        let binding = format!("{protocol}.bind.toml");
        let (code, said) = asked(
            folder,
            &["bind", "order.chor", "--log", &right, "-o", &binding],
        );
        assert_eq!(code, Some(0), "{protocol}: {said}");
        assert!(said.contains("6 of 6 records are messages"), "{said}");
        assert!(said.contains("3 of 3 conversations"), "{said}");
        let audit = |log: &str| {
            let words = ["audit", "order.chor", "--log", log, "--binding", &binding];
            asked(folder, &words)
        };
        let (code, said) = audit(&right);
        assert_eq!(code, Some(0), "{protocol}: {said}");
        let wrong = traces(&python, folder, protocol, &["wrong"]);
        let (code, said) = audit(&wrong.display().to_string());
        assert_eq!(code, Some(1), "{protocol}: {said}");
        assert!(said.contains("guilty: `order` alone"), "{protocol}: {said}");
    }
}
