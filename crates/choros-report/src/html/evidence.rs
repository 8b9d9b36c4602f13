//! Evidence on a page: pictures of traces, outlines that fold, tables.

use choros_base::SourceMap;
use choros_model::Evidence;
use choros_model::evidence::Tree;
use choros_syntax::quote::xml_text;

use super::page::prose;
use crate::run_chart::run_chart;
use crate::svg::chart_svg;
use crate::{evidence_rows, sequence_svg};

pub(super) fn evidence_html(evidence: &Evidence, sources: &SourceMap) -> String {
    match evidence {
        Evidence::Trace(trace) => figure(&sequence_svg(trace)),
        Evidence::Tree(tree) => tree_html(tree, sources),
        other => table_html(&evidence_rows(other, sources)),
    }
}

/// A picture that fits its card; a tick shows it in its own size, where it scrolls.
pub(super) fn figure(svg: &str) -> String {
    format!(
        "<figure><label class=\"zoom\"><input type=\"checkbox\"> actual size</label>\
         <div class=\"view\" tabindex=\"0\">{svg}</div></figure>\n"
    )
}

/// Rows; the first is the heading. A table that is too wide scrolls by itself, also with the keyboard.
pub(super) fn table_html(rows: &[Vec<String>]) -> String {
    let mut out = "<div class=\"view\" tabindex=\"0\"><table>\n".to_owned();
    for (index, row) in rows.iter().enumerate() {
        let (open, close) = match index {
            0 => ("<th scope=\"col\">", "</th>"),
            _ => ("<td>", "</td>"),
        };
        out.push_str("<tr>");
        for text in row {
            out.push_str(&format!("{open}{}{close}", xml_text(text)));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table></div>\n");
    out
}

enum Task<'a> {
    Open(&'a Tree),
    Close,
}

fn tree_html(tree: &Tree, sources: &SourceMap) -> String {
    let mut out = String::new();
    // As deep as an explanation: a stack of our own.
    let mut tasks = vec![Task::Open(tree)];
    while let Some(task) = tasks.pop() {
        let Task::Open(tree) = task else {
            out.push_str("</div></details>\n");
            continue;
        };
        let place = match tree.origin {
            Some(span) => format!(
                " <span class=\"faint\">{}</span>",
                xml_text(&sources.locate(span))
            ),
            None => String::new(),
        };
        let claim = prose(&tree.claim);
        if tree.because.is_empty() && tree.evidence.is_none() {
            out.push_str(&format!("<p class=\"leaf\">{claim}{place}</p>\n"));
            continue;
        }
        out.push_str(&format!(
            "<details open class=\"claim\"><summary>{claim}{place}</summary><div>\n"
        ));
        tasks.push(Task::Close);
        if let Some((chart, rest)) = run_chart(tree) {
            out.push_str(&figure(&chart_svg(&chart, &tree.claim)));
            tasks.extend(rest.iter().rev().map(Task::Open));
            continue;
        }
        if let Some(evidence) = &tree.evidence {
            match &**evidence {
                // Trees within trees are rare and flat; their text is enough.
                Evidence::Tree(_) => out.push_str(&table_html(&evidence_rows(evidence, sources))),
                other => out.push_str(&evidence_html(other, sources)),
            }
        }
        tasks.extend(tree.because.iter().rev().map(Task::Open));
    }
    out
}
