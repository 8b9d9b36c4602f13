//! The names of a text: what each is, where it is declared and used.
//!
//! Languages fill it; editors ask it.
//! Two places belong to one [`Symbol`] exactly if giving one of them another name means giving it to the other too, so
//! a renaming that keeps the symbols apart keeps the meaning.

use choros_base::Span;
use rustc_hash::FxHashMap;

/// The names of a text, its outline, and what can be said beside it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Symbols {
    /// The names, in the order of their first places.
    pub symbols: Vec<Symbol>,
    /// What the text is made of, in its order; parts come after the wholes that they lie in.
    pub sections: Vec<Section>,
    /// What is not written and may be shown all the same, in the order of the text.
    pub hints: Vec<Hint>,
    /// What is known of single places, in the order of the text.
    pub notes: Vec<Hint>,
    /// What the world calls names of the model that the text says nothing about, in the order of the model.
    pub outside: Vec<OutsideName>,
    /// Where each symbol is in the list while it is being filled.
    known: FxHashMap<Key, usize>,
}

type Key = (SymbolKind, Option<Span>, String, String);

/// A name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// What it is a name of.
    pub kind: SymbolKind,
    /// The name, without quotes and signs.
    pub name: String,
    /// The message of a field; empty for other names.
    pub owner: String,
    /// Where it can be used; `None` is the whole text.
    pub scope: Option<Span>,
    /// Where it stands, in the order of the text.
    pub places: Vec<Occurrence>,
    /// What is known of it, one fact per line.
    pub facts: Vec<String>,
}

/// What a name is a name of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SymbolKind {
    /// A choreography, a system, a component, a definition.
    Component,
    /// Who takes part.
    Role,
    /// What is sent.
    Message,
    /// A part of what is sent, by label.
    Field,
    Sort,
    /// A value of a declared sort, or a constant.
    Value,
    /// A variable or a parameter.
    Variable,
    /// A place to go back to, a scope to leave.
    Label,
    /// A state of a graph.
    State,
    /// A formula, a property, a purpose.
    Question,
    /// A set of rules.
    Rules,
}

/// A place of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    /// The name there.
    pub span: Span,
    /// Whether it comes into being here.
    pub declares: bool,
    /// What else the same text says.
    pub shorthand: Shorthand,
}

/// A text that stands for two names at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shorthand {
    /// It does not.
    None,
    /// The variable gives the field, which begins here, its name: another name for the variable leaves `field = `.
    NamesField(Span),
    /// The field, which begins here, has the name of its variable: another name for the field is written before it.
    NamedByVariable(Span),
}

/// A part of a text that has a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// What it is.
    pub kind: SymbolKind,
    pub name: String,
    /// The word that says what it is: `choreography`, `property`.
    pub word: &'static str,
    /// All of it.
    pub span: Span,
    /// Its name in the text.
    pub name_span: Span,
    /// Whether verbs can be asked about it by its name.
    pub is_model: bool,
}

/// Something that is not written and may be shown at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// Where.
    pub span: Span,
    /// What.
    pub text: String,
}

/// What the world calls something that has no other name there than that of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideName {
    /// The name; empty where the text says it, so that it stays whatever the model calls it.
    pub name: String,
    /// How to say it.
    pub advice: String,
}

/// What may be written at a place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Words of the language.
    pub words: Vec<&'static str>,
    /// Names of a kind; of fields, those of this message.
    pub names: Option<(SymbolKind, Option<String>)>,
    /// Whether it has to be put in quotes.
    pub needs_quotes: bool,
}

impl SymbolKind {
    pub fn word(self) -> &'static str {
        match self {
            SymbolKind::Component => "component",
            SymbolKind::Role => "role",
            SymbolKind::Message => "message",
            SymbolKind::Field => "field",
            SymbolKind::Sort => "sort",
            SymbolKind::Value => "value",
            SymbolKind::Variable => "variable",
            SymbolKind::Label => "label",
            SymbolKind::State => "state",
            SymbolKind::Question => "question",
            SymbolKind::Rules => "rules",
        }
    }

    /// Whether files about the same model mean the same by this name.
    pub fn is_shared(self) -> bool {
        matches!(self, SymbolKind::Role | SymbolKind::Message)
    }
}

impl Symbols {
    /// The symbol of this kind, name and scope; it is added if there is none.
    pub fn symbol(&mut self, kind: SymbolKind, name: &str, scope: Option<Span>) -> &mut Symbol {
        self.owned(kind, "", name, scope)
    }

    /// The field of a message.
    pub fn field(&mut self, message: &str, label: &str) -> &mut Symbol {
        self.owned(SymbolKind::Field, message, label, None)
    }

    fn owned(
        &mut self,
        kind: SymbolKind,
        owner: &str,
        name: &str,
        scope: Option<Span>,
    ) -> &mut Symbol {
        let next = self.symbols.len();
        let key = (kind, scope, owner.to_owned(), name.to_owned());
        let at = *self.known.entry(key).or_insert(next);
        if at == next {
            self.symbols.push(Symbol {
                kind,
                name: name.to_owned(),
                owner: owner.to_owned(),
                scope,
                places: Vec::new(),
                facts: Vec::new(),
            });
        }
        &mut self.symbols[at]
    }

    /// The names of both: those of a text of which another language has a part.
    pub fn joined(mut self, other: Symbols) -> Symbols {
        for symbol in other.symbols {
            let key = (symbol.kind, symbol.scope, &symbol.owner, &symbol.name);
            let same = self
                .symbols
                .iter_mut()
                .find(|it| (it.kind, it.scope, &it.owner, &it.name) == key);
            match same {
                Some(same) => same.places.extend(symbol.places),
                None => self.symbols.push(symbol),
            }
        }
        self.sections.extend(other.sections);
        self.hints.extend(other.hints);
        self.notes.extend(other.notes);
        self.in_order()
    }

    /// Puts places and symbols into the order of the text; what has no place goes.
    pub fn in_order(mut self) -> Symbols {
        self.known.clear();
        for symbol in &mut self.symbols {
            symbol.places.sort_by_key(|it| (it.span, !it.declares));
            symbol.places.dedup_by_key(|it| it.span);
        }
        self.symbols.retain(|it| !it.places.is_empty());
        self.symbols
            .sort_by_key(|it| (it.places[0].span, it.kind, it.scope));
        self.sections
            .sort_by_key(|it| (it.span.start(), std::cmp::Reverse(it.span.range().end)));
        self.hints.sort_by_key(|it| it.span);
        self.notes.sort_by_key(|it| it.span);
        self
    }

    /// The name at a byte of the text, and its place there; after its last letter counts too.
    ///
    /// Where a text stands for a variable and for the field that it names, the variable is meant.
    pub fn at(&self, offset: usize) -> Option<(&Symbol, Occurrence)> {
        let touches = |place: &&Occurrence| {
            let range = place.span.range();
            range.start <= offset && offset <= range.end
        };
        let mut found: Vec<(&Symbol, Occurrence)> = Vec::new();
        for symbol in &self.symbols {
            found.extend(symbol.places.iter().find(touches).map(|it| (symbol, *it)));
        }
        found.into_iter().min_by_key(|(_, place)| {
            let implied = matches!(place.shorthand, Shorthand::NamedByVariable(_));
            (
                implied,
                place.span.range().end == offset,
                place.span.range().len(),
            )
        })
    }

    /// The symbols that can be used at a byte of the text.
    pub fn in_scope(&self, offset: usize) -> impl Iterator<Item = &Symbol> {
        self.symbols.iter().filter(move |symbol| {
            let scope = symbol.scope.map(Span::range);
            scope.is_none_or(|it| it.start <= offset && offset <= it.end)
        })
    }
}

impl Symbol {
    /// Adds a place where it comes into being.
    pub fn declared(&mut self, span: Span) -> &mut Symbol {
        self.place(span, true, Shorthand::None)
    }

    /// Adds a place where it is used.
    pub fn used(&mut self, span: Span) -> &mut Symbol {
        self.place(span, false, Shorthand::None)
    }

    /// Adds a place.
    pub fn place(&mut self, span: Span, declares: bool, shorthand: Shorthand) -> &mut Symbol {
        self.places.push(Occurrence {
            span,
            declares,
            shorthand,
        });
        self
    }

    /// Adds a fact, once.
    pub fn fact(&mut self, fact: impl Into<String>) {
        let fact = fact.into();
        if !self.facts.contains(&fact) {
            self.facts.push(fact);
        }
    }

    /// Where it comes into being; its first place where nothing declares it.
    pub fn declarations(&self) -> Vec<Span> {
        let declaring = self.places.iter().filter(|it| it.declares);
        let spans: Vec<Span> = declaring.map(|it| it.span).collect();
        if spans.is_empty() {
            return self.places.first().map(|it| it.span).into_iter().collect();
        }
        spans
    }
}

#[cfg(test)]
mod tests {
    use choros_base::SourceMap;

    use super::*;

    #[test]
    fn a_variable_counts_before_the_field_that_it_names() {
        let file = SourceMap::new().add("t", "Op(x: Int, y: Int)");
        let span = |from, to| Span::new(file, from, to);
        let mut symbols = Symbols::default();
        let begins = span(3, 3);
        let field = symbols.field("Op", "x");
        field.place(span(3, 4), false, Shorthand::NamedByVariable(begins));
        symbols
            .symbol(SymbolKind::Variable, "x", Some(span(0, 18)))
            .place(span(3, 4), true, Shorthand::NamesField(begins));
        let symbols = symbols.in_order();
        for offset in [3, 4] {
            let (symbol, _) = symbols.at(offset).expect("something is there");
            assert_eq!(symbol.kind, SymbolKind::Variable);
        }
        assert_eq!(symbols.at(5), None);
        assert_eq!(symbols.in_scope(30).count(), 1);
    }
}
