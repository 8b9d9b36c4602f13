//! What is wrong with the input, where, why, and what to do about it.

use crate::Span;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The input cannot be used as it stands.
    Error,
    /// The input can be used, but probably does not say what was meant.
    Warning,
    /// Worth knowing.
    Information,
}

/// A kind of diagnostic: one constant per check, kept beside the check.
///
/// `choros explain CH0012` prints [`CodeInfo::documentation`], which has four headings:
/// *What it checks*, *Why it matters*, *Example*, *Reference*.
#[derive(Debug, PartialEq, Eq)]
pub struct CodeInfo {
    /// Stable code, `CH` and four digits; never used again for another meaning.
    pub code: &'static str,
    /// The defect in words with dashes, such as `undeclared-component`.
    pub name: &'static str,
    /// Severity it is reported with.
    pub severity: Severity,
    /// Markdown with the four headings.
    pub documentation: &'static str,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which check found it.
    pub code: &'static CodeInfo,
    /// How bad it is: the code's severity unless the caller decided otherwise.
    pub severity: Severity,
    /// One sentence without a full stop, readable without the source.
    pub message: String,
    /// Places: the first is the primary one.
    pub labels: Vec<DiagnosticLabel>,
    /// Further sentences: reasons, rules, consequences.
    pub notes: Vec<String>,
    /// A change of the text that would probably fix it.
    pub suggestion: Option<Suggestion>,
}

/// A place and what is to be said about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagnosticLabel {
    /// Where.
    pub span: Span,
    /// What; may be empty.
    pub message: String,
}

/// Replace the text of `span` by `replacement`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// What the change does, such as "a component with a similar name exists".
    pub message: String,
    /// What is replaced.
    pub span: Span,
    /// By what.
    pub replacement: String,
}

impl Diagnostic {
    /// A finding at a place; `label` says what is wrong just there.
    pub fn new(
        code: &'static CodeInfo,
        message: impl Into<String>,
        span: Span,
        label: impl Into<String>,
    ) -> Self {
        let mut diagnostic = Self::without_place(code, message);
        diagnostic.labels.push(DiagnosticLabel {
            span,
            message: label.into(),
        });
        diagnostic
    }

    /// A finding about the input as a whole.
    pub fn without_place(code: &'static CodeInfo, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            suggestion: None,
        }
    }

    /// Adds a second place.
    #[must_use]
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(DiagnosticLabel {
            span,
            message: message.into(),
        });
        self
    }

    /// Adds a sentence.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds a proposed change.
    #[must_use]
    pub fn suggest(
        mut self,
        message: impl Into<String>,
        span: Span,
        replacement: impl Into<String>,
    ) -> Self {
        self.suggestion = Some(Suggestion {
            message: message.into(),
            span,
            replacement: replacement.into(),
        });
        self
    }

    /// Where it is, if anywhere.
    pub fn primary(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }
}

/// Whether any of these makes the input unusable.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics
        .iter()
        .any(|diagnostic| diagnostic.severity == Severity::Error)
}
