//! The faults of the standard (appendix A).

use choros_base::Name;
use choros_data::Terms;

/// All of them.
pub(super) const STANDARD: [&str; 20] = [
    "ambiguousReceive",
    "completionConditionFailure",
    "conflictingReceive",
    "conflictingRequest",
    "correlationViolation",
    "invalidBranchCondition",
    "invalidExpressionValue",
    "invalidVariables",
    "joinFailure",
    "mismatchedAssignmentFailure",
    "missingReply",
    "missingRequest",
    "scopeInitializationFailure",
    "selectionFailure",
    "subLanguageExecutionFault",
    "uninitializedPartnerRole",
    "uninitializedVariable",
    "unsupportedReference",
    "xsltInvalidSource",
    "xsltStylesheetNotFound",
];

/// Those after which `exitOnStandardFault` ends the process: all but a failed join (section 5.2).
pub(super) fn standard_faults(terms: &mut Terms) -> Vec<Name> {
    let ending = STANDARD.iter().filter(|it| **it != "joinFailure");
    ending
        .map(|it| terms.names.intern(&format!("bpel:{it}")))
        .collect()
}
