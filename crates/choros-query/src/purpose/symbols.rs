//! The names of a purpose or of a file of contracts, for editors.

use choros_base::{Names, Span};
use choros_data::syntax::{EXPRESSIONS, Expression};
use choros_model::symbols::{Section, SymbolKind, Symbols};
use choros_syntax::Lexicon;
use rustc_hash::FxHashSet;

use super::syntax::{PurposeLabel, PurposeSyntax, Statement, TriggerSyntax, Word};

/// The words of `.tp` and `.contract` files.
pub static LEXICON: Lexicon = Lexicon {
    keywords: &[
        "purpose",
        "variables",
        "initial",
        "contract",
        "tau",
        "tick",
        "end",
        "raise",
        "out",
    ],
    ..EXPRESSIONS
};

/// The names of a file; the variables of the model that a purpose looks at are not among them.
pub fn symbols(syntax: &PurposeSyntax, names: &Names) -> Symbols {
    let mut own = FxHashSet::default();
    for statement in syntax.statements() {
        match statement {
            Statement::Variables(variables) => own.extend(variables.iter().map(|it| it.0.name)),
            Statement::Edge { label, .. } => {
                own.extend(label.updates.iter().map(|it| it.0.name));
                if let TriggerSyntax::Message(message) = &label.trigger {
                    own.extend(message.binders.iter().map(|it| it.1.name));
                }
            }
            _ => {}
        }
    }
    let mut gathering = Gathering {
        syntax,
        names,
        own,
        found: Symbols::default(),
    };
    for line in &syntax.lines {
        if let Some(statement) = &line.statement {
            gathering.statement(statement, line.span);
        }
    }
    gathering.found.in_order()
}

struct Gathering<'a> {
    syntax: &'a PurposeSyntax,
    names: &'a Names,
    /// The variables of the purpose itself.
    own: FxHashSet<choros_base::Name>,
    found: Symbols,
}

impl Gathering<'_> {
    fn declared(&mut self, kind: SymbolKind, word: Word) {
        self.found
            .symbol(kind, self.names.text(word.name), None)
            .declared(word.span);
    }

    fn used(&mut self, kind: SymbolKind, word: Word) {
        self.found
            .symbol(kind, self.names.text(word.name), None)
            .used(word.span);
    }

    fn statement(&mut self, statement: &Statement, line: Span) {
        match statement {
            Statement::Purpose(name) => {
                self.declared(SymbolKind::Question, *name);
                self.section("purpose", *name, line);
            }
            Statement::Variables(variables) => {
                for (variable, _) in variables {
                    self.declared(SymbolKind::Variable, *variable);
                }
            }
            Statement::Initial(state) => self.used(SymbolKind::State, *state),
            Statement::Edge {
                source,
                target,
                label,
            } => {
                self.used(SymbolKind::State, *source);
                if let Some(target) = target {
                    self.used(SymbolKind::State, *target);
                }
                self.label(label);
            }
            Statement::Contract(contract) => {
                self.used(SymbolKind::Role, contract.partner);
                self.used(SymbolKind::Message, contract.operation);
                self.section("contract", contract.operation, line);
            }
        }
    }

    fn label(&mut self, label: &PurposeLabel) {
        if let Some(guard) = label.guard {
            self.expression(guard);
        }
        if let TriggerSyntax::Message(message) = &label.trigger {
            self.used(SymbolKind::Role, message.partner);
            self.used(SymbolKind::Message, message.operation);
            for (_, variable) in &message.binders {
                self.declared(SymbolKind::Variable, *variable);
            }
        }
        for (variable, value) in &label.updates {
            self.declared(SymbolKind::Variable, *variable);
            self.expression(*value);
        }
    }

    fn expression(&mut self, expression: Expression) {
        for (name, span) in self.syntax.exprs.names(expression) {
            if self.own.contains(&name) {
                self.used(SymbolKind::Variable, Word { name, span });
            }
        }
    }

    fn section(&mut self, word: &'static str, name: Word, span: Span) {
        self.found.sections.push(Section {
            kind: SymbolKind::Question,
            name: self.names.text(name.name).to_owned(),
            word,
            span,
            name_span: name.span,
            is_model: false,
        });
    }
}
