//! `choros.toml`: what is to be checked in a project, which warnings count, and what is known.

use choros_base::{Diagnostic, FileId, Span, has_errors, nearest};
use choros_codes::diagnostics::{project_syntax, project_value};
use toml_edit::{Document, Item};

use crate::Lookup;
use crate::baseline::BaselineEntry;
use crate::keys::{BASELINE, CHECK, CONFORM, REALIZE, Reader, Row, SECTIONS, TOP, VERIFY};

/// A project as its file describes it.
#[derive(Debug, Clone)]
pub struct ProjectFile {
    /// Every warning counts.
    pub deny_warnings: bool,
    /// Findings with these codes count.
    pub deny_codes: Vec<&'static str>,
    /// The bound of states for all items.
    pub max_states: Option<u64>,
    /// The bound of each question to the solver.
    pub solver_budget: Option<u64>,
    /// What is asked, in the order of the file.
    pub items: Vec<(Verb, Row)>,
    /// What is known.
    pub baseline: Vec<BaselineEntry>,
}

/// Who answers an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// Is it sound?
    Check,
    /// Can roles play it?
    Realize,
    /// Does one implement the other?
    Conform,
    /// Do formulas hold?
    Verify,
}

impl Verb {
    /// The name of its section.
    pub fn name(self) -> &'static str {
        match self {
            Verb::Check => CHECK.name,
            Verb::Realize => REALIZE.name,
            Verb::Conform => CONFORM.name,
            Verb::Verify => VERIFY.name,
        }
    }
}

/// Reads the file; nothing where it has mistakes, which are among the findings.
pub fn read(
    file: FileId,
    text: &str,
    lookup: Lookup,
    findings: &mut Vec<Diagnostic>,
) -> Option<ProjectFile> {
    let whole = Span::new(file, 0, 0);
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(error) => {
            let at = error.span().map_or(whole, |it| {
                Span::new(file, it.start as u32, it.end.max(it.start) as u32)
            });
            findings.push(project_syntax::diagnostic(error.message(), at));
            return None;
        }
    };
    let table = document.as_table();
    let mut reader = Reader { file, findings };
    let top = reader.row(&TOP, table, whole);
    let mut rows: Vec<(&'static str, Row)> = Vec::new();
    for section in SECTIONS {
        let Some(item) = table.get(section.name) else {
            continue;
        };
        let place = reader.span(item.span(), whole);
        let Item::ArrayOfTables(tables) = item else {
            let expected = format!("tables, each under [[{}]]", section.name);
            let found = project_value::diagnostic(section.name, &expected, place);
            reader.findings.push(found);
            continue;
        };
        for one in tables {
            let span = reader.span(one.span(), place);
            rows.push((section.name, reader.row(section, one, span)));
        }
    }
    let (deny_warnings, deny_codes) = deny(&top, lookup, findings);
    let mut items = Vec::new();
    let mut baseline = Vec::new();
    rows.sort_by_key(|(_, row)| row.span.range().start);
    for (name, row) in rows {
        let verb = [Verb::Check, Verb::Realize, Verb::Conform, Verb::Verify]
            .into_iter()
            .find(|it| it.name() == name);
        match verb {
            Some(verb) => items.push((verb, row)),
            None if name == BASELINE.name => {
                baseline.extend(BaselineEntry::of(&row, lookup, findings))
            }
            None => {}
        }
    }
    (!has_errors(findings)).then_some(ProjectFile {
        deny_warnings,
        deny_codes,
        max_states: top.number("max-states"),
        solver_budget: top.number("solver-budget"),
        items,
        baseline,
    })
}

/// What counts: all warnings, or some codes.
fn deny(top: &Row, lookup: Lookup, findings: &mut Vec<Diagnostic>) -> (bool, Vec<&'static str>) {
    let (mut all, mut codes) = (false, Vec::new());
    for text in top.texts("deny") {
        if text == "warnings" {
            all = true;
            continue;
        }
        match lookup(text) {
            Ok(info) => codes.push(info.code),
            Err(similar) => {
                let similar = similar.map(|it| it.code);
                let similar = nearest(text, ["warnings"]).or(similar);
                let place = top.place("deny");
                findings.push(project_value::unknown_code(text, similar, place));
            }
        }
    }
    (all, codes)
}
