//! `.socl`: formulas.

use choros_codes::diagnostics::no_model;
use choros_model::symbols::{Hint, Symbol, SymbolKind};
use choros_query::questions::{self, Question, format_questions, parse_questions};

use super::{Formatter, Inspection, Language, Opened, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "socl",
    declares_integers: false,
    reader: Reader::NoModel(no_model::FORMULAS),
    formatter: Some(Formatter::of(|file, text, terms| {
        format_questions(file, text, &mut terms.names)
    })),
    lexicon: &questions::LEXICON,
    inspect: Some(inspect),
};

fn inspect(opened: &mut Opened<'_>) -> Inspection {
    let (file, text) = (opened.file, opened.text);
    let names = &mut opened.terms.names;
    let (found, findings) = parse_questions(file, text, names);
    let mut symbols = questions::symbols(file, text);
    // What is asked in words is shown in operators too.
    let all = found.groups.iter().flat_map(|it| &it.questions);
    for question in all {
        if let Question::Formula { name, formula } = question
            && formula.has_sentences()
        {
            let is_it = |it: &&Symbol| it.kind == SymbolKind::Question && it.name == *name;
            let places = symbols
                .symbols
                .iter()
                .find(is_it)
                .map(|it| it.places.clone());
            for place in places.into_iter().flatten() {
                symbols.notes.push(Hint {
                    span: place.span,
                    text: format!("= `{}`", formula.print(names)),
                });
            }
        }
    }
    Inspection {
        findings,
        symbols: symbols.in_order(),
    }
}
