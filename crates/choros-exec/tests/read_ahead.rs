//! A log says the same whether one thread reads it or two.

use std::io::Cursor;

use choros_exec::log::{LogFormat, LogOptions, LogReader, NextRecord, WantedValues};
use choros_testkit::Random;

/// Lines of a few forms, some of them damaged.
fn log(random: &mut Random, lines: usize) -> Vec<u8> {
    let mut log = Vec::new();
    for number in 0..lines {
        let data = [
            "\"weight\":7",
            "\"price\":12,\"fee\":1.5",
            "\"items\":[1,2]",
            "",
        ][random.below(4)];
        let session = random.below(1000);
        let line = match random.below(40) {
            0 => "not JSON".to_owned(),
            1 => String::new(),
            2 => "  \r".to_owned(),
            3 => "{\"op\":\"Half".to_owned(),
            4 => format!("{{\"op\":\"Long\",\"x\":\"{}\"}}", "y".repeat(3000)),
            5 => {
                "{\"op\":\"A\",\"at\":true,\"from\":\"c\",\"to\":\"s\",\"dir\":\"recv\"}".to_owned()
            }
            6 => format!(
                "{{\"op\":\"Odd{session}\",\"l{session}\":1,\"from\":\"c\",\"to\":\"s\",\"dir\":\"send\"}}"
            ),
            _ => format!(
                "{{\"at\":{number},\"dir\":\"recv\",\"from\":\"c\",\"to\":\"s\",\"op\":\"A\",\"session\":\"{session}\",\"data\":{{{data}}}}}"
            ),
        };
        log.extend(line.into_bytes());
        if random.below(200) == 0 {
            log.extend([0xff, 0xfe]);
        }
        log.push(b'\n');
    }
    if random.below(2) == 0 {
        log.pop();
    }
    log
}

/// Everything that a reader says, and how far it is after each of them.
fn told(log: &[u8], wanted: WantedValues, reads_ahead: bool) -> Vec<String> {
    let mut reader = LogReader::new(
        Box::new(Cursor::new(log.to_vec())),
        LogOptions {
            wanted,
            longest: 2000,
            reads_ahead,
            ..LogOptions::new(LogFormat::JsonLines)
        },
    );
    let mut told = Vec::new();
    loop {
        let text = match reader.next() {
            NextRecord::End => return told,
            next => format!("{next:?}"),
        };
        told.push(format!("{:?} {text}", reader.position()));
    }
}

#[test]
fn two_threads_read_what_one_reads() {
    let seed = choros_testkit::seed_from_env();
    let mut random = Random::new(seed);
    for lines in [0, 1, 2, 30, 6000] {
        let log = log(&mut random, lines);
        let some = WantedValues::Paths(vec!["weight".to_owned(), "fee".to_owned()]);
        for wanted in [WantedValues::All, some] {
            let one = told(&log, wanted.clone(), false);
            let two = told(&log, wanted, true);
            assert!(one.len() >= lines / 2, "{} of {lines}", one.len());
            assert_eq!(one, two, "CHOROS_SEED={seed}, {lines} lines");
        }
    }
}
