//! Where a name is declared, and where it is used.

use choros::FileKind;
use choros::base::Span;
use choros::model::symbols::Symbol;
use serde_json::{Value, json};

use super::About;
use super::neighbours::{is_same, neighbours};
use crate::documents::Reading;
use crate::findings::Places;

/// Where the name at a position is declared.
pub(crate) fn definition(about: About<'_>, offset: usize) -> Value {
    let reading = about.documents.reading(about.document);
    let Some((symbol, _)) = reading.symbols.at(offset) else {
        return Value::Null;
    };
    let is_declared = symbol.places.iter().any(|it| it.declares);
    if !is_declared {
        // Another file about the model may declare it; what no file declares comes into being in the model.
        let beside = neighbours(about);
        let is_model = |path: &str| FileKind::of_path(path).is_some_and(FileKind::is_model);
        let own = is_model(&about.document.path);
        let models = beside.iter().filter(|it| !own && is_model(&it.path));
        let declared = beside.iter().map(|it| (it, declaring(&it.reading, symbol)));
        let used = models.map(|it| (it, first(&it.reading, symbol)));
        let found = declared.chain(used).find(|(_, spans)| !spans.is_empty());
        if let Some((beside, spans)) = found {
            return locations(about, &beside.reading, &spans);
        }
    }
    locations(about, reading, &symbol.declarations())
}

/// Where the name at a position is used, in all files about the model.
pub(crate) fn references(about: About<'_>, offset: usize, with_declarations: bool) -> Value {
    let reading = about.documents.reading(about.document);
    let Some((symbol, _)) = reading.symbols.at(offset) else {
        return Value::Null;
    };
    let places = |symbol: &Symbol| -> Vec<Span> {
        let places = symbol.places.iter();
        let wanted = places.filter(|it| with_declarations || !it.declares);
        wanted.map(|it| it.span).collect()
    };
    let mut found = vec![locations(about, reading, &places(symbol))];
    if symbol.kind.is_shared() || !symbol.owner.is_empty() {
        for beside in neighbours(about) {
            let symbols = beside.reading.symbols.symbols.iter();
            for other in symbols.filter(|it| is_same(symbol, it)) {
                found.push(locations(about, &beside.reading, &places(other)));
            }
        }
    }
    let lists = found.into_iter().filter_map(|it| match it {
        Value::Array(list) => Some(list),
        _ => None,
    });
    Value::Array(lists.flatten().collect())
}

/// The places of the name at a position in the same buffer.
pub(crate) fn highlights(about: About<'_>, offset: usize) -> Value {
    let reading = about.documents.reading(about.document);
    let Some((symbol, _)) = reading.symbols.at(offset) else {
        return Value::Null;
    };
    let places = symbol.places.iter().map(|place| {
        let kind = if place.declares { 3 } else { 2 };
        json!({"range": about.span(place.span), "kind": kind})
    });
    Value::Array(places.collect())
}

/// The first place of a name.
fn first(reading: &Reading, symbol: &Symbol) -> Vec<Span> {
    let mut symbols = reading.symbols.symbols.iter();
    let same = symbols.find(|it| is_same(symbol, it));
    same.map_or_else(Vec::new, Symbol::declarations)
}

fn declaring(reading: &Reading, symbol: &Symbol) -> Vec<Span> {
    let same = reading
        .symbols
        .symbols
        .iter()
        .filter(|it| is_same(symbol, it));
    same.flat_map(|it| it.places.iter())
        .filter(|it| it.declares)
        .map(|it| it.span)
        .collect()
}

fn locations(about: About<'_>, reading: &Reading, spans: &[Span]) -> Value {
    let uri = |path: &str| about.documents.uri(path);
    let sources = &reading.sources;
    let mut places = Places::new(sources, about.encoding, &about.document.path, &uri);
    Value::Array(spans.iter().map(|it| places.location(*it)).collect())
}
