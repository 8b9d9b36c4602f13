//! The table of the standard in the book, and the rows that show each line.

use std::fmt::Write as _;
use std::path::Path;

use crate::rows::{Row, rows};

const PAGE: &str = "docs/book/src/languages/bpel-standard.md";
const HEAD: &str = "| section | about | status | how | shown by |\n|---|---|---|---|---|\n";
const DIFFERENCES: &str = "## Where we differ\n";

fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn the_book_shows_the_table_of_the_standard() {
    let path = repository().join(PAGE);
    let page = std::fs::read_to_string(&path).unwrap();
    let rows = rows();
    let expected = page_with(&page, &rows);
    if std::env::var_os("CHOROS_BLESS").is_some() {
        std::fs::write(&path, expected).unwrap();
    } else {
        assert!(page == expected, "CHOROS_BLESS=1 writes the page");
    }
}

/// The page with the names of rows in the last column, and with the list of differences.
fn page_with(page: &str, rows: &[Row]) -> String {
    let (before, rest) = page.split_once(HEAD).expect("the table has this head");
    let (table, after) = rest.split_once("\n\n").expect("text after the table");
    let mut shown = String::new();
    let mut found = Vec::new();
    for line in table.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, sections, about, status, how, by, _] = cells[..] else {
            panic!("five cells: {line}");
        };
        let own = rows.iter().filter(|row| has(sections, &row.section));
        let names: Vec<&str> = own.map(|row| &*row.name).collect();
        found.extend(names.iter().copied());
        let specs = by.split(", ").filter(|it| it.contains('/'));
        let specs: Vec<&str> = specs.collect();
        for spec in &specs {
            let spec = spec.trim_matches('`');
            assert!(repository().join(spec).exists(), "{sections}: {spec}");
        }
        let by: Vec<&str> = names.into_iter().chain(specs).collect();
        let is_known = ["followed", "abstracted", "named", "left out"].contains(&status);
        assert!(is_known, "{sections}: {status}");
        assert!(
            status == "left out" || !by.is_empty(),
            "{sections} is shown by nothing"
        );
        let by = by.join(", ");
        writeln!(shown, "| {sections} | {about} | {status} | {how} | {by} |").unwrap();
    }
    for row in rows {
        let is_found = found.contains(&&*row.name);
        assert!(
            is_found,
            "{} is of section {}, which the table does not have",
            row.name, row.section
        );
    }
    let (middle, rest) = after
        .split_once(DIFFERENCES)
        .expect("the list of differences");
    let rest = rest.split_once("\n## ").map_or("", |(_, rest)| rest);
    let differing: Vec<&Row> = rows.iter().filter(|row| !row.ours.is_empty()).collect();
    let mut list = format!(
        "{DIFFERENCES}\n{} of {} processes do not do what the standard says.\n\n",
        differing.len(),
        rows.len()
    );
    for row in differing {
        let (name, section, reason) = (&row.name, &row.section, &row.reason);
        writeln!(list, "- `{name}` ({section}): {reason}").unwrap();
    }
    format!("{before}{HEAD}{}\n{middle}{list}\n## {rest}", shown)
}

/// Whether a cell like `8.2.1 to 8.2.3`, `9.1, 9.2` or `8.4` names a section.
fn has(cell: &str, section: &str) -> bool {
    cell.split(", ").any(|part| match part.split_once(" to ") {
        None => part.replace('`', "") == section,
        Some((first, last)) => {
            let (stem, from) = first.rsplit_once('.').expect("a number");
            let (_, to) = last.rsplit_once('.').expect("a number");
            let number = |text: &str| text.parse::<u32>().expect("a number");
            section
                .rsplit_once('.')
                .filter(|it| it.0 == stem)
                .is_some_and(|it| (number(from)..=number(to)).contains(&number(it.1)))
        }
    })
}

#[test]
fn a_line_of_the_table_may_name_several_sections() {
    assert!(has("8.2.1 to 8.2.3", "8.2.2") && !has("8.2.1 to 8.2.3", "8.2.4"));
    assert!(has("9.1, 9.2", "9.2") && !has("9.1, 9.2", "9.1.1"));
    assert!(has("8.4 `doXslTransform`", "8.4 doXslTransform") && !has("8.4", "8.4.1"));
}
