//! The two services of the checkout, which measure time: the correct ones hold under `drive`, and each of their faults is
//! found; some only where partners do wrong.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use support::{Program, choros, free_address, python};

/// The faults of `examples/checkout/checkout.py`, and who has them.
const FAULTS: [(&str, &str); 10] = [
    ("order", "amount"),
    ("order", "no-release"),
    ("order", "release-twice"),
    ("order", "no-retry"),
    ("order", "impatient"),
    ("order", "keeps-late"),
    ("order", "no-void"),
    ("order", "other-id"),
    ("payment", "other-id"),
    ("payment", "twice"),
];

/// Faults that no conversation shows in which partners do right, and what partners must do.
const FAULTS_UNDER_FAULTS: [(&str, &str, &str); 12] = [
    ("order", "no-retry", "slow"),
    ("order", "impatient", "slow"),
    ("order", "waits", "hangup"),
    ("order", "three-times", "hangup"),
    ("order", "no-void", "hangup"),
    ("order", "keeps-stock", "hangup"),
    ("order", "keeps-late", "slow"),
    ("order", "late-paid", "slow"),
    ("order", "early-ship", "slow"),
    ("order", "never-ships", "hangup"),
    ("payment", "twice", "twice"),
    ("payment", "refuses-copies", "twice"),
];

/// How long a second of the model is here.
const SECOND: &str = "0.4";

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/checkout")
}

/// Tests of all that may happen, without faults of partners.
fn whole(role: &str) -> Vec<&'static str> {
    // A copy of a charge is one within three seconds.
    let pause = if role == "payment" { "2000" } else { "0" };
    vec!["-k", "14", "--coverage", "states", "--pause", pause]
}

/// One short conversation in which everyone answers in time, with faults of partners where there are any.
fn short(role: &str, faults: Option<&'static str>) -> Vec<&'static str> {
    let (purpose, pause) = match role {
        "order" => ("cancelled.tp", "0"),
        _ => ("charged.tp", "2000"),
    };
    let mut options = vec!["--purpose", purpose, "--coverage", "purpose", "-k", "11"];
    options.extend(["--answer-within", "2500", "--pause", pause]);
    options.extend(faults.iter().flat_map(|it| ["--faults", it]));
    options
}

/// Drives one of the services; how it ended, and what was said.
fn drive(
    python: &Path,
    role: &str,
    fault: Option<&str>,
    options: &[&str],
) -> (Option<i32>, String) {
    let partners: &[&str] = match role {
        "order" => &["client", "payment", "inventory", "shipping"],
        _ => &["order"],
    };
    let places: Vec<(&str, String)> = partners.iter().map(|it| (*it, free_address())).collect();
    let mut command = Command::new(python);
    command.arg(example().join("checkout.py")).arg(role);
    command.args(["--second", SECOND]);
    for (partner, place) in &places {
        command.args([format!("--{partner}"), format!("http://{place}")]);
    }
    if let Some(fault) = fault {
        command.args(["--fault", fault]);
    }
    let service = Program::start(&mut command);
    let mut driving = choros();
    driving
        .current_dir(example())
        .args(["drive", "checkout.chor", "--role", role])
        .args(["--binding", "checkout.bind.toml", "--mock-partners"])
        .args(["--target", &service.url(), "--time-scale", SECOND])
        .arg("--adaptive")
        .args(options);
    if fault.is_some() {
        driving.arg("--fail-fast");
    }
    for (partner, place) in &places {
        driving.args(["--mock-at".to_owned(), format!("{partner}={place}")]);
    }
    let output = driving.output().unwrap();
    let told = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    (output.status.code(), told)
}

/// A correct service holds.
///
/// On a busy machine the clocks of tester and service may differ by more than they wait: that is not known then, and
/// asked again; it is never blamed.
fn holds(python: &Path, role: &str, options: &[&str]) -> String {
    let mut attempts = 0;
    loop {
        let (code, told) = drive(python, role, None, options);
        attempts += 1;
        if code == Some(4) && attempts < 4 {
            continue;
        }
        assert_eq!(code, Some(0), "{role}: {told}");
        return told;
    }
}

#[test]
fn correct_services_hold() {
    let Some(python) = python("json") else { return };
    for role in ["order", "payment"] {
        holds(&python, role, &whole(role));
    }
}

#[test]
fn every_fault_is_found() {
    let Some(python) = python("json") else { return };
    for (role, fault) in FAULTS {
        let (code, told) = drive(&python, role, Some(fault), &whole(role));
        assert_eq!(code, Some(1), "{role} {fault}: {told}");
    }
}

#[test]
fn correct_services_do_what_the_model_says_when_partners_do_wrong() {
    let Some(python) = python("json") else { return };
    let told = holds(&python, "order", &short("order", Some("slow,hangup")));
    // Payment keeps its answer back, and so does the client with its cancellation.
    for word in ["`slow`, 2 times", "`hangup`, 2 times"] {
        let said = format!("{word}: the service did what the model says");
        assert!(told.contains(&said), "{told}");
    }
    let told = holds(&python, "payment", &short("payment", Some("twice")));
    let said = "`twice`: the service did what the model says";
    assert!(told.contains(said), "{told}");
}

#[test]
fn faults_that_only_faults_show_are_found() {
    let Some(python) = python("json") else { return };
    // They wait most of the time.
    for some in FAULTS_UNDER_FAULTS.chunks(4) {
        std::thread::scope(|scope| {
            for &(role, fault, partners) in some {
                let python = &python;
                scope.spawn(move || {
                    let (code, told) = drive(python, role, Some(fault), &short(role, None));
                    assert_ne!(code, Some(1), "{role} {fault}: {told}");
                    let options = short(role, Some(partners));
                    let (code, told) = drive(python, role, Some(fault), &options);
                    assert_eq!(code, Some(1), "{role} {fault}: {told}");
                    let blamed = format!("`{partners}`, ");
                    assert!(told.contains(&blamed), "{role} {fault}: {told}");
                });
            }
        });
    }
}
