//! The static rules of WS-BPEL 2.0, appendix B: what a process must not be, whatever happens when it runs.
//!
//! The rules are about the documents as they are written, so they walk the tree and know nothing of the calculus.
//! Rule SA000NN is the diagnostic CH14NN; [`RULES`] says for every rule which diagnostic reports it, or why none does.
//! Where a rule of this module and the translation complain about the same text, the rule's finding is shown alone.

mod compensation;
mod copies;
mod correlation;
mod events;
mod exchanges;
mod expressions;
mod faults;
mod imports;
mod interfaces;
mod link_cycles;
mod links;
mod loops;
mod messages;
mod partner_links;
mod properties;
mod scopes;
mod starts;
mod table;
mod tree;
mod variables;

use std::sync::Arc;

use choros_base::{CodeInfo, Diagnostic, Severity, Span};
use choros_data::Terms;
use choros_xml::document::{Document, Element, Library};
use choros_xml::wsdl::Definitions;

pub(crate) use compensation::scopes_inside;
pub(crate) use link_cycles::Order;
pub use table::{Coverage, RULES, Rule};

/// A rule of the appendix as a diagnostic.
macro_rules! rule {
    ($name:ident { code: $code:literal, name: $defect:literal, section: $section:literal,
      what: $what:literal, why: $why:literal, example: $example:literal $(,)? }) => {
        pub(super) static $name: choros_base::CodeInfo = choros_base::CodeInfo {
            code: $code,
            name: $defect,
            severity: choros_base::Severity::Error,
            documentation: concat!(
                "## What it checks\n",
                $what,
                "\n\n## Why it matters\n",
                $why,
                "\n\n## Example\n```\n",
                $example,
                "\n```\n\n## Reference\nWS-BPEL 2.0, section ",
                $section,
                " and appendix B ([",
                stringify!($name),
                "]).\n"
            ),
        };
    };
}
use rule;

/// All codes of the static rules, in the order of the appendix.
pub const CODES: &[&CodeInfo] = &[
    &interfaces::SA00001,
    &interfaces::SA00002,
    &faults::SA00003,
    &expressions::SA00004,
    &interfaces::SA00005,
    &imports::SA00009,
    &imports::SA00011,
    &imports::SA00012,
    &imports::SA00013,
    &partner_links::SA00016,
    &partner_links::SA00017,
    &partner_links::SA00018,
    &properties::SA00019,
    &properties::SA00020,
    &properties::SA00022,
    &variables::SA00024,
    &variables::SA00025,
    &expressions::SA00027,
    &expressions::SA00028,
    &properties::SA00029,
    &expressions::SA00030,
    &expressions::SA00031,
    &copies::SA00032,
    &expressions::SA00033,
    &copies::SA00034,
    &partner_links::SA00035,
    &partner_links::SA00036,
    &partner_links::SA00037,
    &copies::SA00038,
    &expressions::SA00039,
    &expressions::SA00040,
    &expressions::SA00041,
    &copies::SA00042,
    &copies::SA00043,
    &correlation::SA00044,
    &correlation::SA00045,
    &correlation::SA00046,
    &messages::SA00047,
    &messages::SA00048,
    &messages::SA00050,
    &messages::SA00051,
    &messages::SA00052,
    &messages::SA00053,
    &messages::SA00054,
    &messages::SA00055,
    &starts::SA00056,
    &correlation::SA00057,
    &messages::SA00058,
    &messages::SA00059,
    &exchanges::SA00060,
    &exchanges::SA00061,
    &starts::SA00062,
    &messages::SA00063,
    &links::SA00064,
    &links::SA00067,
    &links::SA00068,
    &links::SA00069,
    &links::SA00071,
    &link_cycles::SA00072,
    &expressions::SA00073,
    &loops::SA00074,
    &loops::SA00075,
    &loops::SA00076,
    &compensation::SA00077,
    &compensation::SA00078,
    &compensation::SA00079,
    &faults::SA00080,
    &faults::SA00081,
    &link_cycles::SA00082,
    &events::SA00083,
    &events::SA00085,
    &events::SA00086,
    &events::SA00087,
    &exchanges::SA00089,
    &events::SA00090,
    &scopes::SA00091,
    &scopes::SA00092,
    &faults::SA00093,
    &copies::SA00094,
    &events::SA00095,
];

/// What the rules find in a process, and the places about which nothing else needs to be said.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    found: Vec<Diagnostic>,
    covered: Vec<Covered>,
    /// Names whose declarations are broken: that they cannot be used is a consequence.
    broken: Vec<String>,
}

/// The codes for names that are not declared, or not as they are used.
const CONSEQUENCES: [&str; 4] = ["CH1117", "CH1141", "CH1143", "CH1144"];

#[derive(Debug, Clone, Copy)]
struct Covered {
    span: Span,
    /// Whether everything inside is covered too, as in an expression.
    inside: bool,
}

impl Findings {
    /// Adds the findings to a library and takes out what is about the same texts.
    pub(crate) fn add_to(mut self, library: &mut Library<'_>) {
        let (covered, broken) = (self.covered, self.broken);
        library.diagnostics.retain(|other| {
            if CONSEQUENCES.contains(&other.code.code)
                && broken.iter().any(|name| other.message.contains(name))
            {
                return false;
            }
            let Some(span) = other.primary() else {
                return true;
            };
            !covered.iter().any(|it| it.covers(span))
        });
        library.diagnostics.append(&mut self.found);
    }
}

impl Covered {
    fn covers(&self, span: Span) -> bool {
        let (own, other) = (self.span.range(), span.range());
        span == self.span
            || self.inside
                && span.file() == self.span.file()
                && own.start <= other.start
                && other.end <= own.end
    }
}

/// A process and what it imports, while it is checked.
pub(crate) struct Rules<'a> {
    root: Element<'a>,
    definitions: &'a Definitions,
    /// The documents that it imports, and those that these import.
    documents: &'a [Arc<Document>],
    /// Every element of BPEL, in the order of the document.
    elements: Vec<Element<'a>>,
    findings: Findings,
}

impl Rules<'_> {
    /// Adds a finding; the number of the rule is appended to the message.
    fn report(
        &mut self,
        code: &'static CodeInfo,
        message: impl AsRef<str>,
        span: Span,
        label: impl Into<String>,
    ) -> &mut Diagnostic {
        self.covers(span, false);
        let number = &code.code[4..];
        let message = format!("{} (SA000{number})", message.as_ref());
        self.findings
            .found
            .push(Diagnostic::new(code, message, span, label));
        let last = self.findings.found.len() - 1;
        &mut self.findings.found[last]
    }

    /// The same for what the standard leaves to the processor: a warning.
    fn warn(
        &mut self,
        code: &'static CodeInfo,
        message: impl AsRef<str>,
        span: Span,
        label: impl Into<String>,
    ) {
        self.report(code, message, span, label).severity = Severity::Warning;
    }

    /// What others find there is a consequence of what was found.
    fn covers(&mut self, span: Span, inside: bool) {
        self.findings.covered.push(Covered { span, inside });
    }

    /// The declaration of a name is broken.
    fn breaks(&mut self, name: &str) {
        self.findings.broken.push(format!("`{name}`"));
    }

    /// Adds another place to the last finding.
    fn also(&mut self, span: Span, label: &str) {
        if let Some(last) = self.findings.found.last_mut() {
            *last = last.clone().label(span, label);
        }
    }
}

/// Checks a process against all rules.
pub(crate) fn check(
    library: &mut Library<'_>,
    terms: &mut Terms,
    definitions: &mut Definitions,
    document: &Arc<Document>,
) -> Findings {
    let documents = imports::documents(library, document);
    let complex = correlation::complex_properties(library, terms, definitions, document.root());
    let mut rules = Rules {
        root: document.root(),
        definitions,
        documents: &documents,
        elements: tree::elements(document.root()),
        findings: Findings::default(),
    };
    rules.imports();
    rules.interfaces();
    rules.partner_links();
    rules.properties();
    rules.variables();
    rules.expressions();
    rules.copies();
    rules.correlation(&complex);
    rules.messages();
    rules.starts();
    rules.exchanges();
    rules.links();
    rules.link_cycles();
    rules.loops();
    rules.compensation();
    rules.faults();
    rules.events();
    rules.scopes();
    rules.findings
}
