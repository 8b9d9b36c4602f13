//! WS-BPEL 2.0: from the elements of a process to activities of the calculus.
//!
//! A process is read against the WSDL and schema documents that it imports; every activity becomes one of
//! [`crate::calculus`], and what has no counterpart there is reported with its place while the rest is still read.
//! Functions here call each other as deeply as elements are nested, which [`choros_xml::document::Limits`] bounds.

mod assign;
mod communicate;
mod compensate;
mod correlate;
mod declare;
mod diagnostics;
mod duration;
mod expression;
mod faults;
mod handlers;
mod history;
mod interface;
mod isolation;
mod links;
mod parts;
mod peers;
mod reader;
mod reading;
mod reference;
mod repeat;
mod scope;
mod structure;
mod track;
mod transform;

use std::sync::Arc;

use choros_data::Terms;
use choros_model::interface::Interface;

use crate::bpel4ws;
use crate::calculus::{Process, Style};
use choros_xml::diagnostics::wrong_root;
use choros_xml::document::{Document, Library};
use choros_xml::wsdl::{Definitions, Partner};
use diagnostics::older_version;

pub use crate::vocabulary::{ABSTRACT, EXECUTABLE};
pub use diagnostics::CODES;
pub use duration::Duration;
pub use reading::Reading;

/// The standard that a process is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standard {
    /// WS-BPEL 2.0.
    WsBpel,
    /// BPEL4WS 1.1, translated.
    Bpel4ws,
}

/// How a process is to be read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// What event handlers do to the body of their scope.
    pub events: Style,
    /// Which of standard and thesis decides.
    pub reading: Reading,
    /// The unit of time; otherwise the greatest common divisor of the durations in the process.
    pub unit: Option<Duration>,
}

/// A process with everything that is known of it.
#[derive(Debug)]
pub struct Orchestration {
    pub name: String,
    /// What it does.
    pub process: Process,
    /// What it says to whom.
    pub interface: Interface,
    /// Its partners, in the order of declaration.
    pub partners: Vec<Partner>,
    /// What the imported documents define.
    pub definitions: Definitions,
    /// How long a tick is; without durations there is none.
    pub unit: Option<Duration>,
    /// What of it is not followed, in words: no verdict that depends on it is more than *unknown*.
    pub unfollowed: Vec<String>,
}

/// Reads the process in a document; `None` when it is none.
///
/// What is wrong is reported to the library; with errors, what is returned is what could be read.
pub fn read_process(
    library: &mut Library<'_>,
    terms: &mut Terms,
    document: &Arc<Document>,
    options: Options,
) -> Option<Orchestration> {
    if let Some(translated) = bpel4ws::translate(document) {
        let mut translated = translated;
        library.report(older_version::diagnostic(document.root().span()));
        library.diagnostics.append(&mut translated.findings);
        return Some(reader::read(
            library,
            terms,
            &Arc::new(translated.document),
            options,
            Standard::Bpel4ws,
        ));
    }
    let root = document.root();
    if !reader::is_bpel(root) || root.local() != "process" {
        library.report(wrong_root::diagnostic(
            "a process of WS-BPEL 2.0",
            root.name(),
            root.span(),
        ));
        return None;
    }
    Some(reader::read(
        library,
        terms,
        document,
        options,
        Standard::WsBpel,
    ))
}
