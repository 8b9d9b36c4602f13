//! Is a term of services well formed?

use choros_report::{Answer, Outcome, Report, Word};

use crate::service::Service;

/// Mistakes have been reported by the reader: a term without any holds.
pub(in crate::verbs) fn check(path: &str, service: &Service, report: &mut Report) {
    report.semantics.relation = Some("static rules of COWS".to_owned());
    if service.program.is_none() {
        return;
    }
    report.outcomes.push(Outcome {
        name: path.to_owned(),
        answer: Some(Answer {
            word: Word::Holds,
            condition: None,
            reason: None,
            evidence: None,
        }),
        ..Outcome::default()
    });
}
