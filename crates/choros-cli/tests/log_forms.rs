//! The same traffic of the saga in every form gives the verdict and the guilty of the native form, by a binding that
//! `choros bind` proposes and no one edits.

mod support;

use std::path::{Path, PathBuf};

use choros_testkit::{Traffic, TrafficForm};

use support::saga::{Judgement, LOGS, PATHS, STATUSES, agrees, asked, audited, saga, write_logs};

fn traffic(log: &str) -> Traffic {
    let path = saga("logs").join(format!("{log}.jsonl"));
    let text = std::fs::read_to_string(path).expect(log);
    Traffic::new(&text, &PATHS, &STATUSES)
}

/// Writes the logs of a form; the options that name them.
fn written(folder: &Path, log: &str, form: TrafficForm) -> Vec<String> {
    write_logs(folder, log, &traffic(log), form)
}

/// A binding that is proposed from correct traffic.
fn bound(folder: &Path, form: TrafficForm) -> PathBuf {
    let file = folder.join(format!("{form:?}.bind.toml"));
    let mut words = vec!["bind".to_owned(), saga("saga.chor").display().to_string()];
    words.extend(written(folder, "correct", form));
    words.extend(["-o".to_owned(), file.display().to_string()]);
    let output = asked(&words);
    let said = String::from_utf8_lossy(&output.stdout);
    let wrong = String::from_utf8_lossy(&output.stderr);
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(output.status.success(), "{form:?}: {said}{wrong}\n{text}");
    file
}

/// What the logs of a form are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Measure {
    /// Every message is in them, with both its ends: the same as the native form.
    Same,
    /// The same, once the logs are said to be complete; spans may be lost by design, and not all may be on a bus.
    ///
    /// A response has a status and no name: one that correct traffic never had (`OutOfStock` as the answer to
    /// `Release`) is not a message, and the verdict is *unknown*, with that reason.
    SameIfComplete,
    /// Some messages are not in them: what an access log, or an archive, does not see may be missed, and is never
    /// said otherwise; nor is the order of what a service received and sent in the same moment.
    Weaker,
}

fn measure(form: TrafficForm) -> Measure {
    match form {
        TrafficForm::Otlp | TrafficForm::Jaeger | TrafficForm::Zipkin => Measure::SameIfComplete,
        TrafficForm::OtlpCalls => Measure::SameIfComplete,
        TrafficForm::KafkaBus | TrafficForm::CloudEventsBus => Measure::SameIfComplete,
        TrafficForm::CloudEventsTwice => Measure::SameIfComplete,
        TrafficForm::KafkaWrapped | TrafficForm::Sent => Measure::SameIfComplete,
        TrafficForm::Access | TrafficForm::Har | TrafficForm::OtlpMessages => Measure::Weaker,
        _ => Measure::Same,
    }
}

/// Whether each message is there once.
fn is_bus(form: TrafficForm) -> bool {
    matches!(
        form,
        TrafficForm::KafkaBus
            | TrafficForm::CloudEventsBus
            | TrafficForm::CloudEventsTwice
            | TrafficForm::KafkaWrapped
            | TrafficForm::Sent
    )
}

/// Whether a response has a status and no name.
fn has_statuses(form: TrafficForm) -> bool {
    matches!(
        form,
        TrafficForm::Otlp | TrafficForm::OtlpCalls | TrafficForm::Jaeger | TrafficForm::Zipkin
    )
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
                Measure::SameIfComplete if *log == "no-stock" && has_statuses(form) => {
                    judgement.verdict == "unknown"
                }
                // One lost record takes both ends of a message, so no one is certainly guilty.
                Measure::SameIfComplete if is_bus(form) => {
                    agrees(&judgement, lossy) && audited(&complete, log, form) == *native
                }
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
    assert!(asked(&words.collect::<Vec<_>>()).status.success());
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
