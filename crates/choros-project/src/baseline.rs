//! The baseline: findings that are known, with a reason and a day until which they are.
//!
//! A finding is recognised by its code, its file, and a fingerprint of what it says and of the line that it is about,
//! so that it stays the same when lines move.
//! An entry without a fingerprint stands for every finding of its code in its file.

use std::collections::BTreeMap;

use choros_base::{Diagnostic, Severity, SourceMap, Span};
use choros_codes::diagnostics::{expired_entry, project_value, unused_entry};
use choros_report::{KnownFinding, NamedResult, Report, VerdictKind};
use jiff::civil::Date;
use jiff::{Span as Days, ToSpan};
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

use crate::keys::Row;
use crate::{Lookup, PROJECT_FILE};
use choros_report::sha256;

#[derive(Debug, Clone)]
pub struct BaselineEntry {
    span: Span,
    code: String,
    file: Option<String>,
    question: Option<String>,
    fingerprint: Option<String>,
    reason: String,
    expires: Date,
}

/// A finding as entries describe it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Finding {
    code: String,
    file: Option<String>,
    question: Option<String>,
    fingerprint: Option<String>,
}

/// The verdicts that a baseline may know, as `code`.
const VERDICTS: [(&str, VerdictKind); 3] = [
    ("fails", VerdictKind::Fails),
    ("unknown", VerdictKind::Unknown),
    ("conditional", VerdictKind::Conditional),
];

/// An entry that is added is known for this many days.
const DAYS: i64 = 90;

impl BaselineEntry {
    /// An entry of the file; what is wrong with it is among the findings.
    pub(crate) fn of(
        row: &Row,
        lookup: Lookup,
        findings: &mut Vec<Diagnostic>,
    ) -> Option<BaselineEntry> {
        let text = |key| row.text(key).map(str::to_owned);
        let code = text("code")?;
        let is_verdict = VERDICTS.iter().any(|(word, _)| *word == code);
        let code = match (is_verdict, lookup(&code)) {
            (true, _) => code,
            (false, Ok(info)) => info.code.to_owned(),
            (false, Err(similar)) => {
                let similar = similar.map(|it| it.code);
                let place = row.place("code");
                findings.push(project_value::unknown_code(&code, similar, place));
                return None;
            }
        };
        let entry = BaselineEntry {
            span: row.span,
            code,
            file: text("file"),
            question: text("question"),
            fingerprint: text("fingerprint"),
            reason: text("reason")?,
            expires: row.date("expires")?,
        };
        if entry.reason.trim().is_empty() {
            findings.push(project_value::missing(
                "baseline",
                "reason",
                row.place("reason"),
            ));
        } else if is_verdict && entry.question.is_none() {
            findings.push(project_value::missing("baseline", "question", row.span));
        } else if entry.file.is_none() && entry.fingerprint.is_none() && !is_verdict {
            findings.push(project_value::missing("baseline", "file", row.span));
        }
        Some(entry)
    }

    fn fits(&self, finding: &Finding) -> bool {
        let part = |own: &Option<String>, its: &Option<String>| own.is_none() || own == its;
        self.code == finding.code
            && part(&self.file, &finding.file)
            && part(&self.question, &finding.question)
            && part(&self.fingerprint, &finding.fingerprint)
    }

    fn is_about_the_same(&self, other: &BaselineEntry) -> bool {
        let about = |it: &BaselineEntry| {
            let BaselineEntry {
                code,
                file,
                question,
                fingerprint,
                ..
            } = it.clone();
            (code, file, question, fingerprint)
        };
        about(self) == about(other)
    }

    /// In words, for messages.
    fn name(&self) -> String {
        match (&self.file, &self.question) {
            (Some(file), _) => format!("{} in `{file}`", self.code),
            (None, Some(question)) => format!("`{question}`: {}", self.code),
            (None, None) => self.code.clone(),
        }
    }
}

/// The report without what is known, which says so.
pub fn apply(
    entries: &[BaselineEntry],
    mut report: Report,
    sources: &SourceMap,
    root: &str,
    today: Date,
) -> Report {
    let mut used = vec![false; entries.len()];
    let mut expired = vec![false; entries.len()];
    let mut known = |finding: &Finding| -> Option<&BaselineEntry> {
        let mut found = None;
        for (index, entry) in entries.iter().enumerate() {
            if !entry.fits(finding) {
                continue;
            }
            if entry.expires < today {
                expired[index] = true
            } else {
                used[index] = true;
                found = found.or(Some(entry));
            }
        }
        found
    };
    let mut names = Names::default();
    let mut kept = Vec::new();
    for diagnostic in std::mem::take(&mut report.diagnostics) {
        let finding = names.of_diagnostic(&diagnostic, sources, root);
        // What cannot be read cannot be known.
        let may = diagnostic.severity != Severity::Error;
        match known(&finding).filter(|_| may) {
            Some(entry) => report.known.push(KnownFinding {
                diagnostic,
                reason: entry.reason.clone(),
            }),
            None => kept.push(diagnostic),
        }
    }
    report.diagnostics = kept;
    let mut verdicts = 0;
    for outcome in &mut report.outcomes {
        if let Some(entry) = of_outcome(outcome).and_then(|it| known(&it)) {
            verdicts += 1;
            let until = format!("known until {}: {}", entry.expires, entry.reason);
            outcome.known = Some(until);
        }
    }
    for (index, entry) in entries.iter().enumerate() {
        let first = entries[..index]
            .iter()
            .find(|it| it.is_about_the_same(entry));
        if let Some(first) = first {
            let found = unused_entry::twice(&entry.name(), first.span, entry.span);
            report.diagnostics.push(found);
            continue;
        }
        match (used[index], expired[index]) {
            (_, true) => {
                let found = expired_entry::diagnostic(
                    &entry.name(),
                    &entry.expires.to_string(),
                    entry.span,
                );
                report.diagnostics.push(found);
            }
            (false, false) => {
                let found = unused_entry::diagnostic(&entry.name(), entry.span);
                report.diagnostics.push(found);
            }
            (true, false) => {}
        }
    }
    if !entries.is_empty() {
        let note = summary(&report.known, verdicts);
        report.semantics.notes.push(note);
    }
    report
}

/// How much was known, by code.
fn summary(known: &[KnownFinding], verdicts: usize) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for one in known {
        *counts.entry(one.diagnostic.code.code).or_default() += 1;
    }
    let codes: Vec<String> = counts
        .iter()
        .map(|(code, count)| format!("{count} of {code}"))
        .collect();
    let findings = if codes.is_empty() {
        "no finding".to_owned()
    } else {
        format!("{} ({})", counted(known.len(), "finding"), codes.join(", "))
    };
    let verdicts = match verdicts {
        0 => "no verdict".to_owned(),
        some => counted(some, "verdict"),
    };
    format!("the baseline knows {findings} and {verdicts}; what it knows does not count")
}

fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        more => format!("{more} {what}s"),
    }
}

/// The text of the file with an entry for everything that counts and is not known, where that changes it, and a note
/// that says what was done.
///
/// What is there stays, to the byte.
pub fn update(
    text: &str,
    entries: &[BaselineEntry],
    report: &Report,
    sources: &SourceMap,
    root: &str,
    today: Date,
) -> (Option<String>, String) {
    let path = format!("{root}{PROJECT_FILE}");
    let new = unknown_findings(entries, report, sources, root);
    let count = match new.len() {
        1 => "1 entry was".to_owned(),
        more => format!("{more} entries were"),
    };
    match with_entries(text, new, today) {
        Some(text) => (
            Some(text),
            format!("{count} added to the baseline of `{path}`"),
        ),
        None => (None, format!("the baseline of `{path}` is left unchanged")),
    }
}

/// Everything that counts and is not known.
fn unknown_findings(
    entries: &[BaselineEntry],
    report: &Report,
    sources: &SourceMap,
    root: &str,
) -> Vec<Finding> {
    let mut names = Names::default();
    let mut new: Vec<Finding> = Vec::new();
    let known = |finding: &Finding| entries.iter().any(|it| it.fits(finding));
    for diagnostic in &report.diagnostics {
        let finding = names.of_diagnostic(diagnostic, sources, root);
        if diagnostic.severity == Severity::Warning && !known(&finding) {
            new.push(finding);
        }
    }
    let verdicts = report.outcomes.iter().filter_map(of_outcome);
    new.extend(verdicts.filter(|it| !known(it)));
    new
}

/// The text with an entry for each of these; none if there are none.
fn with_entries(text: &str, new: Vec<Finding>, today: Date) -> Option<String> {
    if new.is_empty() {
        return None;
    }
    let days: Days = DAYS.days();
    let expires = today.checked_add(days).unwrap_or(today);
    let mut tables = ArrayOfTables::new();
    for finding in new {
        let mut table = Table::new();
        table.decor_mut().set_prefix("\n");
        table["code"] = value(finding.code);
        for (key, text) in [
            ("file", finding.file),
            ("question", finding.question),
            ("fingerprint", finding.fingerprint),
        ] {
            if let Some(text) = text {
                table[key] = value(text);
            }
        }
        table["reason"] = value(format!("added on {today}: say why"));
        let date: toml_edit::Datetime = expires.to_string().parse().ok()?;
        table["expires"] = value(date);
        tables.push(table);
    }
    let mut added = DocumentMut::new();
    added.insert("baseline", Item::ArrayOfTables(tables));
    // Tables of one name need not stand together, so that what is there is not touched.
    let mut whole = text.to_owned();
    if !whole.is_empty() && !whole.ends_with('\n') {
        whole.push('\n');
    }
    whole.push_str(&added.to_string());
    if text.contains("\r\n") {
        let (kept, rest) = whole.split_at(text.len());
        whole = format!("{kept}{}", rest.replace('\n', "\r\n"));
    }
    let is_whole = whole.parse::<DocumentMut>().is_ok();
    is_whole.then_some(whole)
}

/// The verdict of a question, where it is not a plain yes.
fn of_outcome(outcome: &NamedResult) -> Option<Finding> {
    let word = outcome.answer.as_ref()?.word;
    let (code, _) = VERDICTS.iter().find(|(_, known)| *known == word)?;
    Some(Finding {
        code: (*code).to_owned(),
        file: None,
        question: Some(outcome.name.clone()),
        fingerprint: None,
    })
}

/// Fingerprints of the findings of a report; the second of two equal ones is another one.
#[derive(Default)]
struct Names {
    seen: BTreeMap<String, usize>,
}

impl Names {
    fn of_diagnostic(
        &mut self,
        diagnostic: &Diagnostic,
        sources: &SourceMap,
        root: &str,
    ) -> Finding {
        let place = diagnostic.primary();
        let source = place.map(|it| sources.file(it.file()));
        let line = place.zip(source).map_or("", |(place, source)| {
            let text: &str = source.text();
            let start = place.range().start.min(text.len());
            let begin = text[..start].rfind('\n').map_or(0, |it| it + 1);
            let end = text[start..].find('\n').map_or(text.len(), |it| start + it);
            text[begin..end].trim()
        });
        let file = source.map(|it| it.name().strip_prefix(root).unwrap_or(it.name()).to_owned());
        let said = [
            diagnostic.code.code,
            file.as_deref().unwrap_or(""),
            &diagnostic.message,
            line,
        ];
        let mut fingerprint = sha256(&said.join("\n"));
        fingerprint.truncate(16);
        let count = self.seen.entry(fingerprint.clone()).or_default();
        *count += 1;
        if *count > 1 {
            fingerprint = format!("{fingerprint}-{count}");
        }
        Finding {
            code: diagnostic.code.code.to_owned(),
            file,
            question: None,
            fingerprint: Some(fingerprint),
        }
    }
}

#[cfg(test)]
mod tests {
    use choros_report::Answer;

    use super::*;

    /// What the user wrote is there afterwards, to the byte, and what was added is read.
    #[test]
    fn what_is_there_stays_to_the_byte() {
        let report = Report {
            outcomes: vec![NamedResult {
                name: "check: \"a\"".to_owned(),
                answer: Some(Answer {
                    word: VerdictKind::Fails,
                    condition: None,
                    reason: None,
                    evidence: None,
                }),
                ..NamedResult::default()
            }],
            ..Report::default()
        };
        let today = Date::constant(2026, 11, 16);
        for text in [
            "",
            "# a comment",
            "deny = [ 'warnings' ]   # why\n",
            "[[check]]\r\nfiles = \"a\"\r\n",
            "[[baseline]]\ncode = \"x\"\n\n[[check]]\nfiles = \"\"\"\na\n\"\"\"\n\n\n",
            "[[check]]\nparam = { a = 1 }\n[[baseline]]\ncode=\"y\"",
        ] {
            let (whole, note) = update(text, &[], &report, &SourceMap::new(), "", today);
            let whole = whole.expect("it is TOML");
            assert_eq!(note, "1 entry was added to the baseline of `choros.toml`");
            assert!(whole.starts_with(text), "{whole:?}");
            let (lines, returns) = (whole.matches('\n').count(), whole.matches('\r').count());
            let expected = if text.contains('\r') { lines } else { 0 };
            assert_eq!(returns, expected, "{whole:?}");
            let document: DocumentMut = whole.parse().expect("it is TOML");
            let tables = document["baseline"].as_array_of_tables().expect("tables");
            let last = tables.iter().last().expect("an entry");
            assert_eq!(last["question"].as_str(), Some("check: \"a\""));
        }
    }
}
