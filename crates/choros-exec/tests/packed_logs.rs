//! A log that is compressed or wrapped is fed like any other, also where an earlier run stopped.

use std::fs;
use std::io::Write;

use choros_exec::feed::{FileProgress, FileSource, SourceSpec};
use choros_exec::log::{LogFormat, LogOptions, NextRecord};
use flate2::Compression;
use flate2::write::GzEncoder;

fn line(number: usize) -> String {
    format!(
        "{{\"at\":{number},\"by\":\"s\",\"dir\":\"recv\",\"from\":\"c\",\"to\":\"s\",\"op\":\"A\",\"id\":\"m{number}\"}}\n"
    )
}

fn open(path: &str, from: FileProgress, grows: bool) -> std::io::Result<FileSource> {
    let options = LogOptions {
        grows,
        ..LogOptions::new(LogFormat::JsonLines)
    };
    let path = path.to_owned();
    let (source, renewal) = FileSource::open(SourceSpec {
        path,
        options,
        from,
    })?;
    assert_eq!(renewal, None);
    Ok(source)
}

/// The identities of the next observations.
fn identities(source: &mut FileSource, most: usize) -> Vec<String> {
    let mut found = Vec::new();
    while found.len() < most {
        match source.reader.next() {
            NextRecord::Observation(seen, None) => {
                found.push(seen.id.expect("an identity").into_owned())
            }
            NextRecord::End => break,
            other => panic!("{other:?}"),
        }
    }
    found
}

#[test]
fn packed_logs_say_what_plain_ones_say() {
    let folder = tempfile::tempdir().expect("a folder");
    // Long enough to be read ahead, and packed far shorter than the position where the first run stops.
    let lines: Vec<String> = (0..20_000).map(line).collect();
    let plain = lines.concat();
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(plain.as_bytes()).expect("packed");
    let wrapped: String = (lines.iter())
        .map(|line| format!("<14>1 2026-01-01T00:00:00Z host app 1 - - {line}"))
        .collect();
    let expected: Vec<String> = (0..lines.len())
        .map(|number| format!("m{number}"))
        .collect();
    for (name, bytes) in [
        ("log.jsonl", plain.into_bytes()),
        ("log.jsonl.gz", packed.finish().expect("packed")),
        ("log.syslog", wrapped.into_bytes()),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, &bytes).expect("written");
        let path = path.to_string_lossy();
        let mut first = open(&path, FileProgress::default(), false).expect("a log");
        let mut found = identities(&mut first, 19_000);
        let mut second = open(&path, first.reached(), false).expect("a log");
        found.extend(identities(&mut second, usize::MAX));
        assert!(found == expected, "{name}: {} found", found.len());
        let followed = open(&path, FileProgress::default(), true);
        assert_eq!(followed.is_ok(), name == "log.jsonl", "{name}");
    }
}
