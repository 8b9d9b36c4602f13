//! The same traffic of the saga in every form gives the verdict and the guilty of the native form, by a binding that
//! `choros bind` proposes and no one edits.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use choros_testkit::{Traffic, TrafficForm};

const PATHS: [(&str, &str); 4] = [
    ("PlaceOrder", "/orders"),
    ("Reserve", "/reserve"),
    ("Charge", "/charge"),
    ("Release", "/release"),
];
const STATUSES: [(&str, u16); 8] = [
    ("Confirmed", 201),
    ("Rejected", 409),
    ("Cancelled", 402),
    ("Reserved", 200),
    ("OutOfStock", 409),
    ("Charged", 200),
    ("Declined", 402),
    ("Released", 200),
];

fn saga(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/saga")
        .join(name)
}

fn traffic(log: &str) -> Traffic {
    let path = saga("logs").join(format!("{log}.jsonl"));
    let text = std::fs::read_to_string(path).expect(log);
    Traffic::new(&text, &PATHS, &STATUSES)
}

fn choros(words: &[String]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_choros"))
        .args(words)
        .output()
        .expect("choros runs")
}

/// Writes the logs of a form; the options that name them.
fn written(folder: &Path, log: &str, form: TrafficForm) -> Vec<String> {
    let mut options = Vec::new();
    for (number, (role, text)) in traffic(log).logs(form).into_iter().enumerate() {
        let file = folder.join(format!("{log}-{form:?}-{number}.{}", form.extension()));
        std::fs::write(&file, text).expect("a file");
        let file = file.display();
        options.push("--log".to_owned());
        options.push(match role {
            Some(role) => format!("{role}={file}"),
            None => file.to_string(),
        });
    }
    options
}

/// A binding that is proposed from correct traffic.
fn bound(folder: &Path, form: TrafficForm) -> PathBuf {
    let file = folder.join(format!("{form:?}.bind.toml"));
    let mut words = vec!["bind".to_owned(), saga("saga.chor").display().to_string()];
    words.extend(written(folder, "correct", form));
    words.extend(["-o".to_owned(), file.display().to_string()]);
    let output = choros(&words);
    let said = String::from_utf8_lossy(&output.stdout);
    let wrong = String::from_utf8_lossy(&output.stderr);
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(output.status.success(), "{form:?}: {said}{wrong}\n{text}");
    file
}

#[test]
fn a_binding_is_proposed_for_every_form() {
    let folder = tempfile::tempdir().expect("a folder");
    for form in TrafficForm::ALL {
        bound(folder.path(), form);
    }
}
