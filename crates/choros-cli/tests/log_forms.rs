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

/// The logs of the saga: one in which all is well, and ten faults.
const LOGS: [&str; 11] = [
    "correct",
    "amount",
    "generous",
    "inventory-other-id",
    "no-release",
    "no-stock",
    "overcharge",
    "payment-other-id",
    "total",
    "unpaid",
    "zero",
];

/// The verdict of an audit, and who is guilty.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Judgement {
    verdict: String,
    guilty: Vec<String>,
}

fn audited(options: &[String], log: &str, form: TrafficForm) -> Judgement {
    let mut words = vec!["audit".to_owned(), saga("saga.chor").display().to_string()];
    words.extend_from_slice(options);
    let output = choros(&words);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let verdict = said.lines().rev().find_map(|line| {
        let mut known = ["holds", "fails", "unknown"].into_iter();
        known.find(|it| line == *it || line.starts_with(&format!("{it}:")))
    });
    let wrong = String::from_utf8_lossy(&output.stderr);
    let verdict = verdict.unwrap_or_else(|| panic!("{log} {form:?}: {said}{wrong}"));
    let note = said.lines().find_map(|line| line.split_once("guilty: "));
    let names = note.map_or("", |(_, rest)| rest.split(" (").next().unwrap_or(rest));
    Judgement {
        verdict: verdict.to_owned(),
        guilty: names
            .split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect(),
    }
}

/// What the logs of a form are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Measure {
    /// Every message is in them, with both its ends: the same as the native form.
    Same,
    /// The same, once the logs are said to be complete; spans may be lost by design.
    ///
    /// A response has a status and no name: one that correct traffic never had (`OutOfStock` as the answer to
    /// `Release`) is not a message, and the verdict is *unknown*, with that reason.
    SameIfComplete,
    /// Some messages are not in them: what an access log, or an archive, does not see may be missed, and is never
    /// said otherwise.
    Weaker,
}

fn measure(form: TrafficForm) -> Measure {
    match form {
        TrafficForm::Otlp | TrafficForm::Jaeger | TrafficForm::Zipkin => Measure::SameIfComplete,
        TrafficForm::Access | TrafficForm::Har => Measure::Weaker,
        _ => Measure::Same,
    }
}

/// Whether a weaker judgement does not contradict a stronger one.
fn agrees(weaker: &Judgement, stronger: &Judgement) -> bool {
    let is_guilty_too = |it: &String| stronger.guilty.contains(it);
    (weaker.verdict == stronger.verdict || weaker.verdict == "unknown")
        && weaker.guilty.iter().all(is_guilty_too)
}

#[test]
fn every_form_gives_the_verdict_of_the_native_form() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mut wrong = Vec::new();
    let mut found_faults = std::collections::BTreeMap::new();
    let natives: Vec<(Judgement, Judgement)> = LOGS
        .iter()
        .map(|log| {
            let options = written(folder, log, TrafficForm::Native);
            let mut lossy = options.clone();
            lossy.push("--lossy".to_owned());
            let native = TrafficForm::Native;
            (audited(&options, log, native), audited(&lossy, log, native))
        })
        .collect();
    for form in TrafficForm::ALL {
        let binding = bound(folder, form);
        for (log, (native, lossy)) in LOGS.iter().zip(&natives) {
            let mut options = written(folder, log, form);
            options.extend(["--binding".to_owned(), binding.display().to_string()]);
            let judgement = audited(&options, log, form);
            let mut complete = options.clone();
            complete.extend(["--hypothesis".to_owned(), "cut".to_owned()]);
            let is_right = match measure(form) {
                Measure::Same => judgement == *native,
                Measure::SameIfComplete if *log == "no-stock" => judgement.verdict == "unknown",
                Measure::SameIfComplete => {
                    judgement == *lossy && audited(&complete, log, form) == *native
                }
                Measure::Weaker => agrees(&judgement, native),
            };
            if !is_right {
                wrong.push(format!(
                    "{form:?} {log}: {judgement:?}, native {native:?}, lossy {lossy:?}"
                ));
            }
            let count: &mut u32 = found_faults.entry(format!("{form:?}")).or_default();
            *count += u32::from(judgement.verdict == "fails");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // What is weaker must not be worthless.
    for (form, faults) in found_faults {
        assert!(faults >= 3, "{form}: {faults} faults");
    }
}

/// Two days of traces of the saga; on the second, payment charges a cent too much in one conversation.
fn days() -> [(&'static str, String); 2] {
    let read = |log: &str| {
        let path = saga("logs").join(format!("{log}.jsonl"));
        std::fs::read_to_string(path).expect(log)
    };
    let monday = read("correct");
    // A day later, with orders of their own.
    let later = |text: &str| text.replace("\"at\":1767225600", "\"at\":1767312000");
    let wrong = read("overcharge")
        .replace("\"s1\"", "\"s9\"")
        .replace("\"o1\"", "\"o9\"")
        .replace("\"id\":\"m", "\"id\":\"w");
    let fine = monday
        .replace("\"session\":\"s", "\"session\":\"t")
        .replace("\"id\":\"o", "\"id\":\"p");
    let tuesday = later(&format!("{fine}{wrong}"));
    [("monday", monday), ("tuesday", tuesday)].map(|(day, text)| {
        let traffic = Traffic::new(&text, &PATHS, &STATUSES);
        let (_, text) = traffic.logs(TrafficForm::Otlp).remove(0);
        (day, text)
    })
}

/// The chapter on traces walks through them; `CHOROS_BLESS=1` writes them anew.
#[test]
fn the_traces_of_the_example_are_those_of_its_logs() {
    for (day, text) in days() {
        let path = saga("traces").join(format!("{day}.json"));
        if std::env::var_os("CHOROS_BLESS").is_some() {
            std::fs::write(&path, &text).expect("a file");
        }
        let there = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(there, text, "{}", path.display());
    }
}

/// Compressed, a log is the same log.
#[test]
fn gzip_and_zstd_change_nothing() {
    use std::io::Write;
    let folder = tempfile::tempdir().expect("a folder");
    let [(_, monday), (_, tuesday)] = days();
    let plain = folder.path().join("monday.json");
    std::fs::write(&plain, &monday).expect("a file");
    let file = folder.path().join("saga.bind.toml");
    let words = ["bind", &saga("saga.chor").display().to_string(), "--log"]
        .map(str::to_owned)
        .into_iter()
        .chain([
            plain.display().to_string(),
            "-o".to_owned(),
            file.display().to_string(),
        ]);
    assert!(choros(&words.collect::<Vec<_>>()).status.success());
    let half = tuesday.len() / 2;
    let gzip = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).expect("memory");
        encoder.finish().expect("memory")
    };
    let zstd = |bytes: &[u8]| {
        ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
    };
    let bytes = tuesday.as_bytes();
    let mut found = Vec::new();
    for (name, content) in [
        ("tuesday.json", bytes.to_vec()),
        (
            "tuesday.json.gz",
            [gzip(&bytes[..half]), gzip(&bytes[half..])].concat(),
        ),
        (
            "tuesday.json.zst",
            [zstd(&bytes[..half]), zstd(&bytes[half..])].concat(),
        ),
        // By their bytes, whatever they are called.
        ("tuesday", gzip(bytes)),
    ] {
        let log = folder.path().join(name);
        std::fs::write(&log, content).expect("a file");
        let options = [
            "--log",
            &log.display().to_string(),
            "--binding",
            &file.display().to_string(),
        ];
        let options = options.map(str::to_owned);
        found.push(audited(&options, name, TrafficForm::Otlp));
    }
    let expected = Judgement {
        verdict: "fails".to_owned(),
        guilty: vec!["payment".to_owned()],
    };
    assert!(found.iter().all(|it| *it == expected), "{found:?}");
}
