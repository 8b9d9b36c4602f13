//! The table of the static rules is whole, and the book shows it.

use std::fmt::Write as _;
use std::path::Path;

use choros_bpel::static_rules::{CODES, Coverage, RULES};

const PAGE: &str = "docs/book/src/languages/bpel-static-rules.md";

fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn every_rule_of_the_appendix_has_a_row() {
    let numbers: Vec<u8> = RULES.iter().map(|rule| rule.number).collect();
    let all: Vec<u8> = (1..=95).collect();
    assert_eq!(numbers, all);
}

#[test]
fn every_code_that_a_row_names_exists_and_names_its_rule() {
    let known: Vec<_> = [choros_bpel::CODES, choros_xml::CODES].concat();
    for rule in RULES {
        for code in rule.codes() {
            let info = known.iter().find(|it| it.code == code);
            let info = info.unwrap_or_else(|| panic!("SA000{:02} names {code}", rule.number));
            let number = format!("SA000{:02}", rule.number);
            assert!(
                info.documentation.contains(&number),
                "the documentation of {code} does not name {number}"
            );
        }
    }
}

#[test]
fn every_code_of_a_rule_is_in_the_table() {
    let named: Vec<String> = RULES.iter().flat_map(|rule| rule.codes()).collect();
    for info in CODES {
        assert!(named.iter().any(|it| it == info.code), "{}", info.code);
    }
}

#[test]
fn the_book_shows_the_table() {
    let mut table = String::from("| rule | section | about | checked by |\n|---|---|---|---|\n");
    for rule in RULES {
        let codes = rule.codes().join(", ");
        let checked = match rule.coverage {
            Coverage::Nowhere(why) => format!("not checked: {why}"),
            _ => codes,
        };
        let number = rule.number;
        let (section, about) = (rule.section, rule.about);
        writeln!(
            table,
            "| SA000{number:02} | {section} | {about} | {checked} |"
        )
        .unwrap();
    }
    let path = repository().join(PAGE);
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once("| rule | section |").unwrap();
    let after = rest
        .split_once("\n\n")
        .map_or(String::new(), |(_, after)| format!("\n{after}"));
    let expected = format!("{before}{table}{after}");
    if std::env::var_os("CHOROS_BLESS").is_some() {
        std::fs::write(&path, expected).unwrap();
    } else {
        assert_eq!(page, expected, "CHOROS_BLESS=1 writes the table");
    }
}
