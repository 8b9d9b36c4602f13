//! Executable tests, with real parts: emitted Python under pytest and a static checker, an emitted crate under cargo.
//!
//! The facts themselves (F29 to F37) are in `python/tests/test_facts.py`; F31 for Rust is below.
//! Without the Python packages the tests of Python are left out, with a message, unless `CHOROS_REQUIRE_PYTHON` is
//! set; `scripts/setup-python.sh` installs them.

// A person who runs the tests should see what was left out.
#![allow(clippy::print_stderr)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A Python that has what is needed; `None` when there is none and none is required.
fn python() -> Option<PathBuf> {
    let own = root().join(".venv/bin/python");
    let candidates = [
        std::env::var_os("CHOROS_PYTHON").map(PathBuf::from),
        Some(own),
        Some(PathBuf::from("python3")),
    ];
    let found = candidates.into_iter().flatten().find(|candidate| {
        Command::new(candidate)
            .args(["-c", "import pytest, hypothesis, basedpyright, coverage"])
            .output()
            .is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        let message = "no Python with pytest, hypothesis, basedpyright and coverage; \
                       scripts/setup-python.sh installs them";
        assert!(
            std::env::var_os("CHOROS_REQUIRE_PYTHON").is_none(),
            "{message}"
        );
        eprintln!("left out: {message}");
    }
    found
}

/// Runs pytest on the package's tests with these options.
fn pytest(options: &[&str]) {
    let Some(python) = python() else { return };
    let package = root().join("python");
    let mut command = Command::new(python);
    command
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
        .args(options)
        .current_dir(&package)
        .env("PYTHONPATH", package.join("src"))
        .env("CHOROS_BIN", env!("CARGO_BIN_EXE_choros"));
    succeeds(command);
}

fn succeeds(mut command: Command) -> Output {
    match command.output() {
        Ok(output) => {
            assert!(output.status.success(), "{command:?}\n{}", text(&output));
            output
        }
        Err(error) => panic!("{command:?}: {error}"),
    }
}

fn text(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&both).into_owned()
}

#[test]
fn the_python_package_does_what_it_says() {
    pytest(&["tests", "--ignore", "tests/test_facts.py"]);
}

#[test]
fn facts_29_to_31_on_emitted_python() {
    pytest(&["tests/test_facts.py", "-k", "f29 or f30 or f31"]);
}

#[test]
fn facts_32_and_33_on_emitted_python() {
    pytest(&["tests/test_facts.py", "-k", "f32 or f33"]);
}

#[test]
fn facts_34_to_37_and_a_running_service_on_emitted_python() {
    let others = "not (f29 or f30 or f31 or f32 or f33)";
    pytest(&["tests/test_facts.py", "-k", others]);
}

#[test]
fn the_python_package_is_typed_strictly() {
    let Some(python) = python() else { return };
    let mut command = Command::new(&python);
    command
        .args(["-m", "basedpyright", "--pythonpath"])
        .arg(&python)
        .current_dir(root().join("python"));
    succeeds(command);
}

/// A copy is installed, because building leaves files beside the sources.
#[test]
fn the_python_package_can_be_installed() {
    let Some(python) = python() else { return };
    if std::env::var_os("CHOROS_REQUIRE_PYTHON").is_none() {
        eprintln!("left out: installing needs the Python index; CHOROS_REQUIRE_PYTHON asks for it");
        return;
    }
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => panic!("no temporary folder: {error}"),
    };
    let (copy, target) = (
        folder.path().join("python"),
        folder.path().join("installed"),
    );
    let mut copying = Command::new("cp");
    copying.arg("-r").arg(root().join("python")).arg(&copy);
    succeeds(copying);
    let mut installing = Command::new(&python);
    installing
        .args(["-m", "pip", "install", "--quiet", "--no-deps", "--target"])
        .arg(&target)
        .arg(&copy);
    succeeds(installing);
    assert!(target.join("choros_sessions/py.typed").exists());
    let mut importing = Command::new(&python);
    importing
        .args(["-m", "pytest", "--help"])
        .current_dir(folder.path())
        .env("PYTHONPATH", &target);
    let help = text(&succeeds(importing));
    assert!(
        help.contains("--choros-report"),
        "the plugin is found: {help}"
    );
}

/// F31: what is right compiles and passes, and each use that is wrong does not compile.
///
/// Needs crates from the registry, so it is required where Python is, and left out where cargo cannot get them.
#[test]
fn fact_31_a_wrong_order_does_not_compile() {
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => panic!("no temporary folder: {error}"),
    };
    let crate_folder = folder.path().join("tests");
    let mut emit = Command::new(env!("CARGO_BIN_EXE_choros"));
    emit.args(["tests", "--emit", "rust", "-o"])
        .arg(&crate_folder)
        .arg(root().join("python/tests/models/is_even.fsa"));
    succeeds(emit);
    let place = crate_folder.join("src/implementations.rs");
    let cargo = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        command
            .args(arguments)
            .current_dir(&crate_folder)
            .env("CARGO_TARGET_DIR", target_folder())
            .env_remove("RUSTFLAGS");
        command
    };
    let fetched = cargo(&["fetch", "--quiet"]).output();
    if !fetched.is_ok_and(|output| output.status.success()) {
        let message = "cargo cannot fetch tokio and proptest";
        assert!(
            std::env::var_os("CHOROS_REQUIRE_PYTHON").is_none(),
            "{message}"
        );
        eprintln!("left out: {message}");
        return;
    }
    let write = |text: &str| {
        if let Err(error) = std::fs::write(&place, text) {
            panic!("{error}");
        }
    };
    write(RIGHT);
    let output = text(&succeeds(cargo(&["test", "--quiet", "--", "--nocapture"])));
    assert!(output.contains("transitions 6/6"), "{output}");
    for (right, wrong, code) in WRONG {
        assert!(RIGHT.contains(right), "{right}");
        write(&RIGHT.replacen(right, wrong, 1));
        match cargo(&["check", "--quiet"]).output() {
            Ok(output) => {
                let said = text(&output);
                assert!(!output.status.success(), "{wrong} compiles");
                assert!(said.contains(code), "{wrong} is refused otherwise: {said}");
            }
            Err(error) => panic!("{error}"),
        }
    }
    // What compiles and is faulty is found by running: a server that says nothing.
    write(&RIGHT.replacen("s1.send_no(No).await?.close()", "drop(s1)", 1));
    match cargo(&["test", "--quiet"]).output() {
        Ok(output) => {
            let said = text(&output);
            assert!(!output.status.success(), "{said}");
            assert!(
                said.contains("Server does not comply: no one can continue"),
                "{said}"
            );
        }
        Err(error) => panic!("{error}"),
    }
}

/// Beside our own build, so that tokio and proptest are compiled once.
fn target_folder() -> PathBuf {
    let binary = Path::new(env!("CARGO_BIN_EXE_choros"));
    let folder = binary.ancestors().nth(2).unwrap_or(binary);
    folder.join("emitted-tests")
}

const RIGHT: &str = "\
use crate::runtime::{Options, SessionError};
use crate::session_types::*;
use crate::types::*;

pub fn options() -> Options {
    Options::default()
}

pub async fn play_client(session: ClientSession) -> Result<(), SessionError> {
    let s1 = session.send(Number).await?;
    match s1.offer().await? {
        Client2Offered::No(end, _) => end.close(),
        Client2Offered::Yes(end, _) => end.close(),
    }
    Ok(())
}

pub async fn play_server(session: ServerSession) -> Result<(), SessionError> {
    let (s1, _) = session.recv().await?;
    s1.send_no(No).await?.close();
    Ok(())
}
";

/// What is right, what is wrong, and how the compiler calls it.
const WRONG: [(&str, &str, &str); 6] = [
    // Receives where it must send: there is no such method.
    (
        "session.send(Number).await?",
        "session.recv().await?",
        "E0599",
    ),
    // Sends another message than it must.
    ("session.send(Number)", "session.send(Yes)", "E0308"),
    // Closes before the end.
    ("s1.send_no(No).await?.close()", "s1.close()", "E0599"),
    // Uses a session again that has gone on.
    (
        "s1.send_no(No).await?.close()",
        "s1.send_no(No).await?.close(); s1.send_yes(Yes).await?.close()",
        "E0382",
    ),
    // Forgets an alternative.
    (
        "        Client2Offered::Yes(end, _) => end.close(),\n",
        "",
        "E0004",
    ),
    // Makes a later state from nothing; the text is compiled to be refused and never runs.
    (
        "s1.send_no(No).await?.close()",
        "Server1::on(todo!()).close()",
        "E0599",
    ),
];
