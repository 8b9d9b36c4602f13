//! The page.

use choros_base::{Severity, SourceMap};
use choros_syntax::quote::xml_text;

use super::ansi::ansi_to_html;
use super::evidence::{evidence_html, figure, table_html};
use crate::{
    Answer, Block, GraphDrawing, NamedResult, Report, SUITE, Style, VerdictKind, diagnostics_text,
    diagram_svg, graph_svg, graph_text, plots_svg,
};

/// One page, with a line break at the end.
pub fn to_html(report: &Report, sources: &SourceMap) -> String {
    let mut out = String::new();
    let title = format!("choros {}", report.verb);
    out.push_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.push_str(&format!("<title>{}</title>\n", xml_text(&title)));
    out.push_str(&format!(
        "<style>\n{}</style>\n</head>\n<body>\n",
        include_str!("page.css")
    ));
    out.push_str(&heading(report, &title));
    out.push_str("<main>\n");
    out.push_str(&diagnostics(report, sources));
    if !report.outcomes.is_empty() {
        out.push_str("<h2>Results</h2>\n");
    }
    // What is wrong comes first, otherwise as in the report.
    let mut outcomes: Vec<&NamedResult> = report.outcomes.iter().collect();
    outcomes.sort_by_key(|outcome| urgency(outcome));
    for outcome in outcomes {
        out.push_str(&outcome_html(outcome, sources));
    }
    if let Some(plot) = &report.plot {
        out.push_str(&figure(&plots_svg(std::slice::from_ref(plot))));
    }
    if !report.files.is_empty() {
        out.push_str("<h2>Files</h2>\n<ul>\n");
        for file in &report.files {
            let path = xml_text(&file.path);
            out.push_str(&format!("<li><code>{path}</code> {}</li>\n", file.fate));
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</main>\n");
    out.push_str(&facts(report));
    out.push_str("</body>\n</html>\n");
    out
}

fn heading(report: &Report, title: &str) -> String {
    let rejected = report.count(Severity::Error) > 0;
    let badge = match (&report.answer(), rejected) {
        (_, true) => badge("bad", "rejected"),
        (Some(answer), false) => answer_badge(answer),
        (None, false) => String::new(),
    };
    let mut out = format!("<header>\n<h1>{}{badge}</h1>\n", xml_text(title));
    if let Some(failure) = &report.world_failed {
        out.push_str(&format!("<p class=\"bad\">{}</p>\n", xml_text(failure)));
    }
    if report.interrupted {
        out.push_str(
            "<p class=\"doubtful\">The run was interrupted; this is what was known by then.</p>\n",
        );
    }
    let semantics = &report.semantics;
    if !semantics.inputs.is_empty() {
        let inputs = semantics.inputs.keys();
        let inputs: Vec<String> = inputs.map(|input| xml_text(input).to_string()).collect();
        out.push_str(&format!(
            "<p><code>{}</code></p>\n",
            inputs.join("</code> <code>")
        ));
    }
    for note in &semantics.notes {
        out.push_str(&format!("<p>{}</p>\n", prose(note)));
    }
    out.push_str("</header>\n");
    out
}

/// What was decided how, folded: at the end, because findings come first.
fn facts(report: &Report) -> String {
    let semantics = &report.semantics;
    let mut facts: Vec<(String, String)> = Vec::new();
    for (input, kind) in &semantics.inputs {
        facts.push(("input".to_owned(), format!("{input} ({kind})")));
    }
    let mut add = |name: &str, value: &Option<String>| {
        if let Some(value) = value {
            facts.push((name.to_owned(), value.clone()));
        }
    };
    add("relation", &semantics.relation);
    add("channels", &semantics.channels);
    add("solver", &semantics.solver);
    add("seed", &semantics.seed.map(|seed| seed.to_string()));
    for (name, value) in &semantics.parameters {
        facts.push((format!("--param {name}"), value.clone()));
    }
    for (name, bound) in &semantics.bounds {
        facts.push((format!("--{name}"), bound.to_string()));
    }
    let version = env!("CARGO_PKG_VERSION");
    facts.push(("choros".to_owned(), version.to_owned()));
    let mut out = "<footer>\n<details><summary>How this was decided</summary>\n<dl>\n".to_owned();
    for (name, value) in facts {
        let (name, value) = (xml_text(&name), xml_text(&value));
        out.push_str(&format!("<dt>{name}</dt><dd>{value}</dd>\n"));
    }
    out.push_str("</dl>\n</details>\n</footer>\n");
    out
}

fn diagnostics(report: &Report, sources: &SourceMap) -> String {
    if report.diagnostics.is_empty() {
        return String::new();
    }
    let style = Style {
        colour: true,
        unicode: true,
        width: 110,
    };
    let mut out = "<h2>Findings</h2>\n".to_owned();
    for diagnostic in &report.diagnostics {
        let (class, word) = match diagnostic.severity {
            Severity::Error => ("bad", "error"),
            Severity::Warning => ("doubtful", "warning"),
            Severity::Information => ("faint", "note"),
        };
        let drawn = diagnostics_text(std::slice::from_ref(diagnostic), sources, &style);
        out.push_str(&format!(
            "<details open><summary><span class=\"{class} strong\">{word} {}</span> {}</summary>\n<pre tabindex=\"0\">{}</pre></details>\n",
            xml_text(diagnostic.code.code),
            prose(&diagnostic.message),
            // Few fonts have the sign with which a second file begins.
            ansi_to_html(drawn.trim_end()).replace('⸬', "⋮")
        ));
    }
    out
}

/// Small for what people look for first.
fn urgency(outcome: &NamedResult) -> u8 {
    let word = outcome.answer.as_ref().map(|answer| answer.word);
    match word {
        _ if outcome.rejected.is_some() => 0,
        Some(VerdictKind::Fails) => 0,
        Some(VerdictKind::Unknown | VerdictKind::Conditional) => 1,
        Some(VerdictKind::Holds) | None => 2,
    }
}

fn outcome_html(outcome: &NamedResult, sources: &SourceMap) -> String {
    let badge = outcome.answer.as_ref().map(answer_badge);
    let mut out = format!(
        "<section>\n<h3>{}</h3>{}\n",
        xml_text(&outcome.name),
        badge.unwrap_or_default()
    );
    if let Some(rejection) = &outcome.rejected {
        let (code, message) = (xml_text(rejection.code), xml_text(&rejection.message));
        out.push_str(&format!(
            "<p><span class=\"bad strong\">error {code}</span> {message}</p>\n"
        ));
    }
    if let Some(answer) = &outcome.answer {
        if let Some(condition) = &answer.condition {
            let condition = xml_text(condition);
            out.push_str(&format!("<p>holds if <code>{condition}</code></p>\n"));
        }
        if let Some(reason) = &answer.reason {
            out.push_str(&format!("<p>{}</p>\n", prose(reason)));
        }
    }
    let mut rows: Vec<Vec<String>> = vec![Vec::new(), Vec::new()];
    for (stat, count) in outcome.sizes.stats.iter() {
        rows[0].push(stat.word().to_owned());
        rows[1].push(count.to_string());
    }
    if !rows[0].is_empty() {
        out.push_str(&table_html(&rows));
    }
    if !outcome.sizes.complete {
        out.push_str("<p class=\"doubtful\">A bound was reached; the result is incomplete.</p>\n");
    }
    if !outcome.parameters.is_empty() {
        let parameters: Vec<String> = outcome
            .parameters
            .iter()
            .map(|(name, sort)| format!("{name}: {sort}"))
            .collect();
        let parameters = xml_text(&parameters.join(", "));
        out.push_str(&format!("<p>parameters <code>{parameters}</code></p>\n"));
    }
    for block in &outcome.blocks {
        out.push_str(&match block {
            Block::Line(text) => format!("<p>{}</p>\n", prose(text)),
            Block::Picture { format: SUITE, .. } => String::new(),
            Block::Picture { format, text } => picture(format, text),
            Block::Graph(drawing) => graph(drawing),
            Block::Diagram(diagram) => figure(&diagram_svg(diagram)),
            Block::Evidence(evidence) => evidence_html(evidence, sources),
            // After the evidence: what is wrong comes first.
            Block::Plot(_) => String::new(),
        });
    }
    if let Some(answer) = &outcome.answer
        && let Some(evidence) = &answer.evidence
    {
        let body = evidence_html(evidence, sources);
        let open = if answer.word == VerdictKind::Holds {
            ""
        } else {
            " open"
        };
        if !is_empty(evidence) {
            out.push_str(&format!(
                "<details{open}><summary>Evidence</summary>\n{body}</details>\n"
            ));
        }
    }
    for block in &outcome.blocks {
        if let Block::Plot(plot) = block {
            out.push_str(&figure(&plots_svg(std::slice::from_ref(plot))));
        }
    }
    for model in &outcome.models {
        let picture = graph(model);
        out.push_str(&format!(
            "<details open><summary>Picture of {}</summary>\n{picture}</details>\n",
            xml_text(&model.name)
        ));
    }
    out.push_str("</section>\n");
    out
}

/// A sentence, with what stands between backticks as code.
pub(super) fn prose(text: &str) -> String {
    let pieces: Vec<&str> = text.split('`').collect();
    // An odd backtick is not a quotation.
    if pieces.len().is_multiple_of(2) {
        return xml_text(text).to_string();
    }
    let piece = |(place, text): (usize, &&str)| match place % 2 {
        0 => xml_text(text).to_string(),
        _ => format!("<code>{}</code>", xml_text(text)),
    };
    pieces.iter().enumerate().map(piece).collect()
}

fn is_empty(evidence: &choros_model::Evidence) -> bool {
    matches!(evidence, choros_model::Evidence::GraphMark(mark) if mark.edges.is_empty())
}

/// A picture beyond this makes a page that browsers scroll badly.
const MAX_NODES: usize = 1_500;

fn graph(drawing: &GraphDrawing) -> String {
    let drawn = if drawing.nodes.len() <= MAX_NODES {
        graph_svg(drawing).ok()
    } else {
        None
    };
    match drawn {
        Some(svg) => figure(&svg),
        None => {
            let style = Style {
                unicode: true,
                ..Style::PLAIN
            };
            format!("<pre>{}</pre>\n", xml_text(&graph_text(drawing, &style)))
        }
    }
}

fn picture(format: &str, text: &str) -> String {
    match format {
        // Our own, so that it can be trusted to be well-formed.
        "svg" => figure(text),
        _ => format!("<pre>{}</pre>\n", xml_text(text)),
    }
}

fn answer_badge(answer: &Answer) -> String {
    let class = match answer.word {
        VerdictKind::Holds => "good",
        VerdictKind::Fails => "bad",
        VerdictKind::Conditional | VerdictKind::Unknown => "doubtful",
    };
    badge(class, answer.word.text())
}

fn badge(class: &str, text: &str) -> String {
    format!("<span class=\"badge {class}\">{text}</span>")
}
