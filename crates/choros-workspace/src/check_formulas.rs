//! Can formulas and abstraction rules be read? (`check FORMULAS`)

use choros_base::has_errors;
use choros_codes::Content;
use choros_codes::diagnostics::no_model::{formulas_are_asked, rules_are_used};
use choros_report::answers::{RunNotes, Soundness, SoundnessKind, Stop};

use crate::{Request, Workspace, count_questions, count_rules};

/// Checks that formulas and rules can be read, with the files of rules that they name.
///
/// Whether formulas hold is what `verify` asks of a model.
pub fn check_formulas(
    workspace: &mut Workspace<'_>,
    requests: &[Request],
    run: &mut RunNotes,
) -> Result<Vec<Result<Soundness, Stop>>, Stop> {
    run.semantics.relation = Some("syntax of formulas and abstraction rules".to_owned());
    let mut parts = Vec::new();
    for request in requests {
        let path = request.path.as_str();
        let before = run.findings.len();
        let is_rules = request.holds(&[Content::Rules]);
        let counted = if is_rules {
            count_rules(workspace, path, run)
        } else {
            count_questions(workspace, path, run)
        };
        let Some(counted) = counted.filter(|_| !has_errors(&run.findings[before..])) else {
            continue;
        };
        let ask = if is_rules {
            rules_are_used(path)
        } else {
            formulas_are_asked(path)
        };
        let note = format!("{counted} and no mistakes; {ask}");
        run.semantics.notes.push(note);
        parts.push(Ok(Soundness::new(path, SoundnessKind::Read)));
    }
    if has_errors(&run.findings) {
        run.semantics.notes.clear();
        return Err(Stop::Mistakes);
    }
    Ok(parts)
}
