//! WS-BPEL to the letter of the standard: processes for every section, and what each of them must do.
//!
//! A row of `rows/*.md` is a process, a sentence of the standard in other words, and the runs that follow from it.
//! They were derived by hand from the text of the standard, never from what the program says.
//!
//! | file | what lives there |
//! |---|---|
//! | `rows.rs` | rows, and the words in which runs are written |
//! | `expand.rs` | whole processes of short bodies |
//! | `outcome.rs` | the tests of a process against its runs |
//! | `book.rs` | the table of the standard in the book, and the rows that show each line |
//! | `services.rs`, `instance.rs`, `drive.rs` | services written from processes by hand, right and wrong, and the tests that drive them |

mod book;
mod drive;
mod expand;
mod instance;
mod outcome;
mod rows;
mod services;

use rows::{FILES, rows};

fn every_row_of(name: &str) {
    let rows = rows();
    let rows: Vec<_> = rows.iter().filter(|row| row.file == name).collect();
    let mut problems = String::new();
    for row in &rows {
        for problem in outcome::problems(row) {
            problems.push_str(&format!("{}: {problem}\n", row.name));
        }
    }
    assert!(problems.is_empty(), "{problems}");
    assert!(rows.len() > 5, "{name} has {} rows", rows.len());
}

#[test]
fn processes_variables_expressions_assignments() {
    every_row_of("data");
}

#[test]
fn partners_correlation_messages() {
    every_row_of("communication");
}

#[test]
fn structured_activities() {
    every_row_of("structure");
}

#[test]
fn scopes_abstract_processes_extensions() {
    every_row_of("scopes");
}

#[test]
fn standard_faults() {
    every_row_of("faults");
}

#[test]
fn the_older_version() {
    every_row_of("older");
}

#[test]
fn activities_together() {
    every_row_of("together");
}

#[test]
fn odd_processes() {
    every_row_of("hostile");
}

#[test]
fn there_are_rows_enough_and_each_has_its_own_name() {
    let rows = rows();
    let names: std::collections::BTreeSet<&str> = rows.iter().map(|row| &*row.name).collect();
    assert_eq!(names.len(), rows.len(), "two rows have one name");
    assert!(rows.len() >= 150, "{}", rows.len());
    for row in &rows {
        assert!(FILES.iter().any(|(name, _)| *name == row.file));
        let is_said = row.reason.ends_with('.') && row.reason.contains(' ');
        assert!(is_said, "{}: why?", row.name);
    }
}
