//! Where the finding after an answer stands, and what it says.

use choros_base::Span;
use choros_model::Evidence;

/// The place of the last step of a run that has one.
pub(crate) fn written_at(evidence: &Evidence) -> Option<Span> {
    match evidence {
        Evidence::Trace(trace) => trace.steps.iter().rev().find_map(|step| step.origin),
        _ => None,
    }
}

/// The input and the line that the conclusion of a run names first: `order.jsonl:8`.
///
/// Logs are read as they come and have no spans; their judge names their lines.
pub(crate) fn logged_at<'i>(
    evidence: &Evidence,
    inputs: impl Iterator<Item = &'i String>,
) -> Option<(&'i str, u64)> {
    let conclusion = conclusion(evidence)?;
    let named = inputs.filter_map(|input| {
        let at = conclusion.find(&format!("{input}:"))?;
        let rest = &conclusion[at + input.len() + 1..];
        let end = rest
            .find(|it: char| !it.is_ascii_digit())
            .unwrap_or(rest.len());
        Some((at, input.as_str(), rest[..end].parse().ok()?))
    });
    let (_, input, line) = named.min_by_key(|(at, ..)| *at)?;
    Some((input, line))
}

/// What a run shows.
pub(crate) fn conclusion(evidence: &Evidence) -> Option<&str> {
    match evidence {
        Evidence::Trace(trace) if !trace.conclusion.is_empty() => Some(&trace.conclusion),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use choros_model::Evidence;
    use choros_model::evidence::Trace;

    use super::logged_at;

    #[test]
    fn the_line_of_the_input_that_is_named_first_counts() {
        let evidence = Evidence::Trace(Trace {
            conclusion: "session s1: b.jsonl:12, a.jsonl:7: x:9 is not allowed".to_owned(),
            ..Trace::default()
        });
        let inputs = ["a.jsonl".to_owned(), "b.jsonl".to_owned(), "c".to_owned()];
        assert_eq!(logged_at(&evidence, inputs.iter()), Some(("b.jsonl", 12)));
        assert_eq!(logged_at(&evidence, inputs[2..].iter()), None);
    }
}
