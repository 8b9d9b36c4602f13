//! Evidence as a picture, of the form that suits it.

use choros_base::SourceMap;
use choros_model::Evidence;

use super::outline::outline_svg;
use super::sequence::{chart_svg, sequence_svg};
use super::table::table_svg;
use crate::run_chart::run_chart;
use crate::{Style, evidence_rows, evidence_text};

/// The picture: a sequence chart of a trace, an outline of an explanation, a table of anything else.
pub fn evidence_svg(evidence: &Evidence, sources: &SourceMap) -> String {
    match evidence {
        Evidence::Trace(trace) => sequence_svg(trace),
        Evidence::Tree(tree) if let Some((chart, [])) = run_chart(tree) => {
            chart_svg(&chart, "sequence chart")
        }
        Evidence::Tree(tree) => outline_svg(tree, |evidence| {
            let style = Style {
                unicode: true,
                ..Style::PLAIN
            };
            evidence_text(evidence, sources, &style)
        }),
        other => table_svg(other.kind(), &evidence_rows(other, sources)),
    }
}
