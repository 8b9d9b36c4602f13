//! The text form.

use choros_base::{Severity, SourceMap};

use crate::plot_text::plot_text;
use crate::{
    Answer, Block, NamedResult, Report, SUITE, Style, TextRole, VerdictKind, diagram_text,
    evidence_text, graph_text, table,
};

/// The report for people: outcomes, then one line that sums up.
///
/// Diagnostics are not in it: they go to the standard error stream ([`crate::diagnostics_text`]).
pub fn to_text(report: &Report, sources: &SourceMap, style: &Style) -> String {
    let mut out = String::new();
    let is_picture = |block: &Block| !matches!(block, Block::Plot(_));
    let mut blocks = report.outcomes.iter().flat_map(|it| &it.blocks);
    let with_pictures = blocks.any(is_picture);
    if with_pictures {
        for outcome in &report.outcomes {
            out.push_str(&outcome_text(
                outcome,
                report.outcomes.len() > 1,
                report.explain,
                sources,
                style,
            ));
        }
    } else {
        out.push_str(&overview(report));
        for outcome in &report.outcomes {
            if !outcome.parameters.is_empty() {
                let parameters: Vec<String> = outcome
                    .parameters
                    .iter()
                    .map(|(name, sort)| format!("{name}: {sort}"))
                    .collect();
                out.push_str(&format!(
                    "{} has parameters {}\n",
                    outcome.name,
                    parameters.join(", ")
                ));
            }
        }
        for outcome in &report.outcomes {
            if let Some(reading) = &outcome.reading {
                out.push_str(&format!("{} = {reading}\n", outcome.name));
            }
        }
        for outcome in &report.outcomes {
            if let Some(answer) = &outcome.answer {
                out.push_str(&answer_text(
                    outcome,
                    answer,
                    report.explain,
                    sources,
                    style,
                ));
            }
            out.push_str(&plots(outcome, style));
            if let Some(rejection) = &outcome.rejected {
                out.push_str(&format!("{}: {}\n", outcome.name, rejection.message));
            }
        }
    }
    if let Some(plot) = &report.plot {
        out.push_str(&plot_text(plot, style));
    }
    for file in &report.files {
        out.push_str(&format!("{}: {}\n", file.path, file.fate));
    }
    for note in &report.semantics.notes {
        out.push_str(&format!("note: {note}\n"));
    }
    if let Some(summary) = summary(report, style) {
        out.push_str(&summary);
    }
    out
}

/// What grew, after the answer.
fn plots(outcome: &NamedResult, style: &Style) -> String {
    let plots = outcome.blocks.iter().filter_map(|block| match block {
        Block::Plot(plot) => Some(plot_text(plot, style)),
        _ => None,
    });
    plots.collect()
}

fn outcome_text(
    outcome: &NamedResult,
    several: bool,
    explain: bool,
    sources: &SourceMap,
    style: &Style,
) -> String {
    let mut out = String::new();
    if several {
        let name = style.paint(TextRole::Strong, &outcome.name);
        out.push_str(&format!("{} {name}\n", style.sign("──", "--")));
    }
    if let Some(rejection) = &outcome.rejected {
        let error = style.paint(TextRole::Bad, "error");
        out.push_str(&format!(
            "{error}[{}]: {}\n",
            rejection.code, rejection.message
        ));
    }
    for block in &outcome.blocks {
        match block {
            Block::Line(text) => out.push_str(&format!("{text}\n")),
            Block::Picture { format: SUITE, .. } => {}
            Block::Picture { text, .. } => {
                out.push_str(text);
                if !text.ends_with('\n') {
                    out.push('\n');
                }
            }
            Block::Graph(drawing) => out.push_str(&graph_text(drawing, style)),
            Block::Diagram(diagram) => out.push_str(&diagram_text(diagram, style)),
            Block::Evidence(evidence) => out.push_str(&evidence_text(evidence, sources, style)),
            // After the answer.
            Block::Plot(_) => {}
        }
    }
    if let Some(answer) = &outcome.answer {
        out.push_str(&answer_text(outcome, answer, explain, sources, style));
        // Among several, a plain yes that nothing else tells is told here.
        if several && out.lines().count() == 1 {
            out.push_str(&format!(
                "{}\n",
                style.paint(TextRole::Good, answer.word.text())
            ));
        }
    }
    out.push_str(&plots(outcome, style));
    if several {
        out.push('\n');
    }
    out
}

/// A table of what was counted.
fn overview(report: &Report) -> String {
    let sizes = report.sizes();
    // Most models have no state that is stuck, and a column of noughts tells nothing.
    let shown = |(stat, count): (crate::Stat, u64)| {
        (stat != crate::Stat::Stuck || count > 0).then_some(stat)
    };
    let columns: Vec<crate::Stat> = sizes.stats.iter().filter_map(shown).collect();
    if columns.is_empty() && sizes.complete {
        return String::new();
    }
    let mut heading = vec![String::new()];
    let with_verdicts = report.overview.verdicts && report.outcomes.len() > 1;
    if with_verdicts {
        heading.push("verdict".to_owned());
    }
    heading.extend(columns.iter().map(|stat| stat.word().to_owned()));
    let mut rows = if columns.is_empty() {
        Vec::new()
    } else {
        vec![heading]
    };
    for outcome in &report.outcomes {
        if outcome.rejected.is_some() {
            continue;
        }
        let mut row = vec![outcome.name.clone()];
        if with_verdicts {
            let word = outcome.answer.as_ref().map(|answer| answer.word.text());
            row.push(word.unwrap_or_default().to_owned());
        }
        for &column in &columns {
            row.push(match outcome.sizes.stats.get(column) {
                Some(count) => count.to_string(),
                None => String::new(),
            });
        }
        if !outcome.sizes.complete {
            row.push(report.overview.incomplete.to_owned());
        }
        rows.push(row);
    }
    table(&rows)
}

fn answer_text(
    outcome: &NamedResult,
    answer: &Answer,
    explain: bool,
    sources: &SourceMap,
    style: &Style,
) -> String {
    let mut out = String::new();
    let proviso = match &outcome.proviso {
        Some(proviso) => format!(" {proviso}"),
        None => String::new(),
    };
    let verdict = match (&answer.condition, &answer.reason) {
        (Some(condition), _) => format!("holds{proviso} if {condition}"),
        (None, Some(reason)) => format!("{}{proviso}: {reason}", answer.word.text()),
        (None, None) => format!("{}{proviso}", answer.word.text()),
    };
    let paint = match answer.word {
        VerdictKind::Holds => TextRole::Good,
        VerdictKind::Fails => TextRole::Bad,
        VerdictKind::Conditional | VerdictKind::Unknown => TextRole::Doubtful,
    };
    // A plain yes is in the summary; anything else is worth a line of its own.
    if answer.word != VerdictKind::Holds || answer.reason.is_some() || explain {
        out.push_str(&format!(
            "{}: {}\n",
            outcome.name,
            style.paint(paint, &verdict)
        ));
    }
    if let Some(known) = &outcome.known {
        out.push_str(&format!("  {known}\n"));
    }
    if let Some(evidence) = &answer.evidence
        && (answer.word != VerdictKind::Holds || explain)
    {
        for line in evidence_text(evidence, sources, style).lines() {
            out.push_str(&format!("  {line}\n"));
        }
    }
    out
}

fn summary(report: &Report, style: &Style) -> Option<String> {
    let (errors, warnings) = (
        report.count(Severity::Error),
        report.count(Severity::Warning),
    );
    let word = match report.answer() {
        _ if errors > 0 || report.diagnostics.iter().any(|it| report.denies(it)) => {
            style.paint(TextRole::Bad, "rejected")
        }
        Some(answer) => {
            let paint = match answer.word {
                VerdictKind::Holds => TextRole::Good,
                VerdictKind::Fails => TextRole::Bad,
                VerdictKind::Conditional | VerdictKind::Unknown => TextRole::Doubtful,
            };
            let word = match proviso(report) {
                Some(proviso) => format!("{} {proviso}", answer.word.text()),
                None => answer.word.text().to_owned(),
            };
            style.paint(paint, &word)
        }
        None if warnings > 0 => style.paint(TextRole::Doubtful, "produced"),
        None => return None,
    };
    let mut parts = Vec::new();
    let known = report.outcomes.iter().filter(|it| it.known.is_some());
    let counts = [
        (errors, "error"),
        (warnings, "warning"),
        (known.count(), "known verdict"),
    ];
    for (count, singular) in counts {
        if count > 0 {
            let plural = if count == 1 { "" } else { "s" };
            parts.push(format!("{count} {singular}{plural}"));
        }
    }
    Some(if parts.is_empty() {
        format!("{word}\n")
    } else {
        format!("{word}, with {}\n", parts.join(" and "))
    })
}

/// What all answers take for granted.
fn proviso(report: &Report) -> Option<&str> {
    let mut all = report.outcomes.iter().map(|it| it.proviso.as_deref());
    let first = all.next().flatten()?;
    all.all(|it| it == Some(first)).then_some(first)
}
