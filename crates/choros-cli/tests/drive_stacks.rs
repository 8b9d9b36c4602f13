//! Our SOAP client and server against stacks of others: spyne answers our calls, zeep calls our partners.
//!
//! Lists, optional elements, booleans, decimals, dates, texts with every kind of character, faults; SOAP 1.1 and 1.2;
//! responses that look different and mean the same.
//! A machine without them skips these tests, unless CHOROS_REQUIRE_PYTHON says that everything must be there.

mod support;

use std::path::Path;
use std::process::Command;

use support::{Program, choros, free_address, python};

/// How the relay is driven.
#[derive(Clone, Copy)]
struct Relay<'r> {
    /// The version of SOAP.
    version: &'r str,
    /// How its responses look.
    manner: &'r str,
    /// The only text there is, if only one is wanted.
    word: Option<&'r str>,
    /// What is replaced in the schema.
    schema: (&'r str, &'r str),
}

const RELAY: Relay<'_> = Relay {
    version: "11",
    manner: "plain",
    word: None,
    schema: ("", ""),
};

impl Relay<'_> {
    /// The exit code, and everything that was said; nothing where the stacks are not there.
    fn drive(self, seed: u32) -> Option<(i32, String)> {
        let python = python("spyne, zeep, lxml")?;
        let stacks = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stacks");
        let folder = tempfile::tempdir().unwrap();
        for name in ["relay.bpel", "relay.wsdl", "mirror.wsdl", "mirror.xsd"] {
            let mut text = std::fs::read_to_string(stacks.join(name)).unwrap();
            if self.version == "12" {
                text = text.replace("/wsdl/soap/\"", "/wsdl/soap12/\"");
            }
            text = text.replace(self.schema.0, self.schema.1);
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let mirror = free_address();
        let service = Program::start(
            Command::new(python)
                .arg(stacks.join("service.py"))
                .arg("--wsdl")
                .arg(folder.path().join("mirror.wsdl"))
                .args(["--mirror", &format!("http://{mirror}/")])
                .args(["--soap", self.version, "--manner", self.manner]),
        );
        let port = service.url();
        let mut driving = choros();
        driving
            .current_dir(folder.path())
            .args(["drive", "relay.bpel", "--mock-partners"])
            .args(["--values", "random", "--seed", &seed.to_string()])
            .args(["--mock-at", &format!("mirror={mirror}")])
            .args(["--target", &format!("http://127.0.0.1:{port}/")]);
        if let Some(word) = self.word {
            // Dates are texts too.
            let words = format!("{word}\n2026-11-16\n");
            std::fs::write(folder.path().join("words.txt"), words).unwrap();
            driving.args(["--words", "words.txt"]);
        }
        let output = driving.output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        Some((
            output.status.code().unwrap_or(-1),
            String::from_utf8_lossy(&text).into_owned(),
        ))
    }

    fn passes(self, seed: u32) {
        if let Some((code, text)) = self.drive(seed) {
            let Relay {
                version,
                manner,
                word,
                ..
            } = self;
            assert_eq!(
                code, 0,
                "SOAP {version}, {manner}, {word:?}, seed {seed}: {text}"
            );
        }
    }
}

#[test]
fn soap_goes_both_ways_in_both_versions() {
    for version in ["11", "12"] {
        for seed in 1..=4 {
            Relay { version, ..RELAY }.passes(seed);
        }
    }
}

#[test]
fn texts_arrive_as_they_were_sent() {
    // Those that get lost on the way where someone is careless.
    for word in ["", "  two before", "<&>\"'", "zwölf 日本 🙂", "]]> &amp;"] {
        let word = Some(word);
        Relay { word, ..RELAY }.passes(1);
    }
}

#[test]
fn responses_that_look_different_mean_the_same() {
    for manner in [
        "pretty", "prefixes", "headers", "sections", "wide", "chunked",
    ] {
        Relay { manner, ..RELAY }.passes(7);
    }
    Relay {
        version: "12",
        manner: "prefixes",
        ..RELAY
    }
    .passes(7);
}

#[test]
fn a_service_that_refuses_what_is_no_date_is_not_blamed() {
    // Without an enumeration the tester makes dates up.
    let relay = Relay {
        schema: ("type=\"m:day\"", "type=\"xsd:date\""),
        ..RELAY
    };
    if let Some((code, text)) = relay.drive(1) {
        assert_eq!(code, 4, "{text}");
        assert!(text.contains("is not a valid `date`"), "{text}");
    }
}
