//! The names of a specification, for editors.
//!
//! Free names of partners and operations are what other files speak of: they count as roles and messages.
//! What a delimitation binds belongs to the term after it, what a definition takes to its body.

use std::sync::Arc;

use choros_base::Span;
use choros_model::symbols::{Section, SymbolKind, Symbols};
use choros_syntax::Lexicon;

use super::ast::{Endpoint, Identifier, Specification, Term, TermKind};
use super::read::KEYWORDS;
use super::token::COMMENTS;

/// The words of `.cows` files.
pub static LEXICON: Lexicon = Lexicon {
    comments: COMMENTS,
    keywords: &KEYWORDS,
    sigils: &['$'],
    ..Lexicon::EMPTY
};

/// The names of a specification.
pub fn symbols(specification: &Specification) -> Symbols {
    let mut gathering = Gathering {
        found: Symbols::default(),
        scopes: Vec::new(),
    };
    for definition in &specification.definitions {
        let name = &definition.name;
        let whole = name.span.to(definition.body.span);
        gathering.declared(SymbolKind::Component, name, None);
        gathering.found.sections.push(Section {
            kind: SymbolKind::Component,
            name: name.text.to_string(),
            word: "definition",
            span: whole,
            name_span: name.span,
            is_model: false,
        });
        for parameter in &definition.parameters {
            gathering.bind(parameter, SymbolKind::Variable, whole);
        }
        gathering.term(&definition.body);
        gathering.scopes.clear();
    }
    if let Some(main) = &specification.main {
        gathering.term(main);
    }
    gathering.found.in_order()
}

struct Gathering {
    found: Symbols,
    /// What is bound around the position, the innermost last.
    scopes: Vec<(Arc<str>, SymbolKind, Span)>,
}

impl Gathering {
    fn declared(&mut self, kind: SymbolKind, name: &Identifier, scope: Option<Span>) {
        self.found
            .symbol(kind, &name.text, scope)
            .declared(name.span);
    }

    fn bind(&mut self, name: &Identifier, kind: SymbolKind, scope: Span) {
        self.declared(kind, name, Some(scope));
        self.scopes.push((name.text.clone(), kind, scope));
    }

    /// A name that is used; `free` is what it is where nothing binds it.
    fn used(&mut self, name: &Identifier, free: SymbolKind) {
        if name.text.starts_with(|it: char| it.is_ascii_digit()) {
            return;
        }
        let bound = self.scopes.iter().rev().find(|it| it.0 == name.text);
        let (kind, scope) = match bound {
            Some((_, kind, scope)) => (*kind, Some(*scope)),
            None => (free, None),
        };
        self.found.symbol(kind, &name.text, scope).used(name.span);
    }

    fn endpoint(&mut self, endpoint: &Endpoint) {
        self.used(&endpoint.partner, SymbolKind::Role);
        self.used(&endpoint.operation, SymbolKind::Message);
        for datum in &endpoint.tuple {
            self.used(datum, SymbolKind::Value);
        }
    }

    /// The parser keeps terms from nesting too deeply for this.
    fn term(&mut self, term: &Term) {
        match &term.kind {
            TermKind::Nil | TermKind::Error => {}
            TermKind::Kill(label) => self.used(label, SymbolKind::Label),
            TermKind::Invoke(endpoint) => self.endpoint(endpoint),
            TermKind::Receive(endpoint, then) => {
                self.endpoint(endpoint);
                if let Some(then) = then {
                    self.term(then);
                }
            }
            TermKind::Choice(parts) | TermKind::Parallel(parts) => {
                for part in parts {
                    self.term(part);
                }
            }
            TermKind::Protection(inner) | TermKind::Replication(inner) => self.term(inner),
            TermKind::Delimitation(binders, inner) => {
                let known = self.scopes.len();
                for binder in binders {
                    let name = &binder.identifier;
                    let kind = match (name.is_variable(), binder.is_name) {
                        (true, _) => SymbolKind::Variable,
                        (false, true) => SymbolKind::Value,
                        (false, false) => SymbolKind::Label,
                    };
                    self.bind(name, kind, term.span);
                }
                self.term(inner);
                self.scopes.truncate(known);
            }
            TermKind::Call(name, arguments) => {
                self.found
                    .symbol(SymbolKind::Component, &name.text, None)
                    .used(name.span);
                for argument in arguments {
                    self.used(argument, SymbolKind::Value);
                }
            }
        }
    }
}
