//! From two API descriptions to a service that is driven: `import`, a choreography of a page, and the faults it finds.
//!
//! The book tells it in `docs/book/src/openapi.md`.

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use support::{Program, choros, free_address, python};

fn example(name: &str) -> PathBuf {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/openapi");
    examples.join(name)
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    choros()
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    let out = String::from_utf8_lossy(&output.stdout);
    format!("{out}{}", String::from_utf8_lossy(&output.stderr))
}

/// A folder with the imported binding and the choreography that someone wrote.
fn imported() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    for name in [
        "order.yaml",
        "payment.yaml",
        "problems.yaml",
        "purchase.chor",
    ] {
        std::fs::copy(example(name), place.join(name)).unwrap();
    }
    let output = run(
        place,
        &["import", "order.yaml", "payment.yaml", "-o", "shop"],
    );
    assert!(output.status.success(), "{}", text(&output));
    folder
}

/// Drives the order service, with a fault or without; how it ended.
fn drive(folder: &Path, python: &Path, fault: Option<&str>) -> Output {
    let payment = free_address();
    let mut service = Command::new(python);
    service.arg(example("order.py"));
    service.args(["--port", "0", "--payment", &format!("http://{payment}")]);
    service.args(fault.iter().flat_map(|it| ["--fault", it]));
    let service = Program::start(&mut service);
    choros()
        .current_dir(folder)
        .env("ORDER_TOKEN", "s3cret")
        .args(["drive", "purchase.chor", "--role", "order"])
        .args([
            "--binding",
            "shop/shop.bind.toml",
            "--target",
            &service.url(),
        ])
        .args([
            "--mock-partners",
            "--mock-at",
            &format!("payment={payment}"),
        ])
        .args(["--answer-within", "5000"])
        .output()
        .unwrap()
}

#[test]
fn what_is_imported_can_be_checked() {
    let folder = imported();
    for arguments in [
        &["check", "shop/shop.chor"][..],
        &["check", "purchase.chor"],
        &["realize", "purchase.chor"],
        &["fmt", "--check", "shop/shop.chor"],
        &["check", "shop/shop.bind.toml"],
    ] {
        let output = run(folder.path(), arguments);
        assert!(output.status.success(), "{arguments:?}: {}", text(&output));
    }
}

#[test]
fn the_correct_service_passes() {
    let Some(python) = python("http.server") else {
        return;
    };
    let folder = imported();
    let output = drive(folder.path(), &python, None);
    let told = text(&output);
    assert!(output.status.success(), "{told}");
    assert!(!told.contains("s3cret"), "{told}");
}

#[test]
fn every_fault_is_found() {
    let Some(python) = python("http.server") else {
        return;
    };
    let folder = imported();
    for (fault, told) in [
        ("limit", "PlaceOrderBadRequest"),
        ("unpaid", "PlaceOrderPaymentRequired"),
        ("price", "Charge"),
        ("refund", "Refund"),
    ] {
        let output = drive(folder.path(), &python, Some(fault));
        let text = text(&output);
        assert_eq!(output.status.code(), Some(1), "{fault}: {text}");
        assert!(text.contains(told), "{fault}: {text}");
    }
}
