//! The static rules, each broken in several ways.
//!
//! `processes/variants.txt` has a record for each way: the code that must find it, what is done, and the pieces of the
//! process that differ from a small one that keeps all rules, or the whole of it, and further documents.

use std::fmt::Write as _;

use choros_base::{MemorySources, SourceMap};
use choros_bpel::process::{Options, read_process};
use choros_data::Terms;
use choros_xml::document::Library;

const VARIANTS: &str = include_str!("processes/variants.txt");
const DEFINITIONS: &str = include_str!("processes/s.wsdl");

const EXECUTABLE: &str = "http://docs.oasis-open.org/wsbpel/2.0/process/executable";
const IMPORT: &str = r#"<import importType="http://schemas.xmlsoap.org/wsdl/" namespace="urn:t" location="s.wsdl"/>"#;
const LINKS: &str = r#"<partnerLink name="USER" partnerLinkType="t:Link" myRole="service"/>
<partnerLink name="W" partnerLinkType="t:Other" partnerRole="worker"/>"#;
const START: &str =
    r#"<receive partnerLink="USER" operation="a" variable="x" createInstance="yes"/>"#;

/// One way to break a rule.
struct Variant {
    code: String,
    title: String,
    /// What each piece is, and its text.
    pieces: Vec<(String, String)>,
}

fn variants() -> Vec<Variant> {
    let mut found: Vec<Variant> = Vec::new();
    for line in VARIANTS.lines() {
        if let Some(head) = line.strip_prefix("== ") {
            let (code, title) = head.split_once(' ').expect("a code and a title");
            found.push(Variant {
                code: code.to_owned(),
                title: title.to_owned(),
                pieces: Vec::new(),
            });
            continue;
        }
        let last = found.last_mut().expect("a record begins with its code");
        match line.strip_prefix("-- ") {
            Some(piece) => last.pieces.push((piece.to_owned(), String::new())),
            None => {
                let (_, text) = last.pieces.last_mut().expect("a piece has a name");
                writeln!(text, "{line}").expect("a text");
            }
        }
    }
    found
}

impl Variant {
    fn piece(&self, name: &str) -> Option<&str> {
        let mut pieces = self.pieces.iter();
        pieces.find(|it| it.0 == name).map(|it| it.1.trim_end())
    }

    /// The process, made of its pieces in the order of the standard.
    fn process(&self) -> String {
        if let Some(whole) = self.piece("whole") {
            return whole.to_owned();
        }
        let wrapped = |wrapper: &str, name: &str, before: &str| match self.piece(name) {
            None if before.is_empty() => String::new(),
            piece => format!("<{wrapper}>{before}{}</{wrapper}>\n", piece.unwrap_or("")),
        };
        let body = match self.piece("body") {
            Some(body) => body.to_owned(),
            None => format!(
                "<sequence>{START}{}</sequence>",
                self.piece("content").unwrap_or("")
            ),
        };
        [
            format!(
                "<process name='P' xmlns='{EXECUTABLE}' xmlns:bpel='{EXECUTABLE}' xmlns:t='urn:t' \
                 xmlns:xs='http://www.w3.org/2001/XMLSchema' {}>\n",
                self.piece("attrs").unwrap_or("")
            ),
            wrapped("extensions", "ext", ""),
            self.piece("imports").unwrap_or(IMPORT).to_owned(),
            format!(
                "<partnerLinks>{}</partnerLinks>",
                self.piece("links").unwrap_or(LINKS)
            ),
            wrapped("messageExchanges", "exch", ""),
            wrapped(
                "variables",
                "vars",
                "<variable name='x' messageType='t:m'/>",
            ),
            wrapped("correlationSets", "sets", ""),
            self.piece("handlers").unwrap_or("").to_owned(),
            body,
            "</process>".to_owned(),
        ]
        .concat()
    }
}

#[test]
fn every_variant_is_found() {
    let variants = variants();
    assert!(variants.len() > 130);
    for variant in &variants {
        let mut files = MemorySources::default();
        files.add("s.wsdl", DEFINITIONS.to_owned());
        for (name, text) in &variant.pieces {
            if let Some(name) = name.strip_prefix("file ") {
                files.add(name, text.clone());
            }
        }
        let mut sources = SourceMap::new();
        let mut library = Library::new(&files, &mut sources);
        let mut terms = Terms::new();
        let process = variant.process();
        let document = library.add("p.bpel", process.as_str().into());
        let document = document.unwrap_or_else(|| panic!("{}: {process}", variant.title));
        read_process(&mut library, &mut terms, &document, Options::default());
        let found: Vec<&str> = library.diagnostics.iter().map(|it| it.code.code).collect();
        assert!(
            found.contains(&&*variant.code),
            "{} {}: {found:?}\n{process}",
            variant.code,
            variant.title
        );
    }
}
