//! What a comparison found, as an answer.

use choros_conform::{Conformance as Found, divergent_implementation};
use choros_data::Terms;
use choros_model::Verdict;
use choros_model::stg::{DotMarks, Stg};
use choros_report::answers::{Conformance, RunNotes};
use choros_report::{GraphDrawing, Stats};

/// The answer about two graphs, with what is to be said of it.
pub fn assembled(
    (implementation, specification): (&Stg, &Stg),
    found: Found<'_>,
    terms: &Terms,
    run: &mut RunNotes,
) -> Conformance {
    let divergent = divergent_implementation::diagnostic(&found.implementation, &found.divergent);
    run.findings.extend(divergent);
    let both = [
        (implementation, DotMarks::default()),
        (specification, DotMarks::default()),
    ];
    let answer = Conformance {
        implementation: implementation.name().to_owned(),
        specification: specification.name().to_owned(),
        verdict: found.verdict,
        stats: Stats::of_graph(implementation),
        equations: Vec::new(),
        script: None,
        proof: None,
        certificate: None,
        drawings: GraphDrawing::pictures(&both, terms),
    };
    if let Verdict::HoldsIf(condition, _) = answer.verdict
        && terms.is_quantified(condition)
    {
        run.semantics.notes.push(format!(
            "the condition of `{}` keeps its quantifiers: no equivalent formula without them was found and proved",
            answer.name()
        ));
    }
    answer
}
