//! Where a message is added to a text.

use choros_base::{FileId, Names, Span};

use super::parse;

/// The smallest statement that holds all these places, before or after which a message can stand.
pub fn statement_around(
    file: FileId,
    text: &str,
    names: &mut Names,
    places: &[Span],
) -> Option<Span> {
    let (program, _) = parse(file, text, names);
    let holds = |span: Span, place: &Span| {
        let (outer, inner) = (span.range(), place.range());
        place.file() == file && outer.start <= inner.start && inner.end <= outer.end
    };
    let bodies = program.items.iter().filter_map(|it| it.body());
    let statements = bodies.flat_map(|it| program.statements.walk(it));
    let around = statements
        .map(|(_, statement)| statement.span)
        .filter(|span| !places.is_empty() && places.iter().all(|place| holds(*span, place)));
    around.min_by_key(|span| span.range().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "choreography c[a, b] {\n    a -> b: M(x: Int)\n    if x < 5 {\n        b -> a: N\n    } else {\n        b -> a: O\n    }\n}\n";

    fn around(words: &[&str]) -> Option<&'static str> {
        let mut sources = choros_base::SourceMap::new();
        let file = sources.add("c.chor", TEXT);
        let places: Vec<Span> = words
            .iter()
            .map(|word| {
                let start = TEXT.find(word).expect("it is there");
                Span::new(file, start as u32, (start + word.len()) as u32)
            })
            .collect();
        let found = statement_around(file, TEXT, &mut Names::new(), &places)?;
        Some(&TEXT[found.range()])
    }

    #[test]
    fn one_message_or_the_choice_between_several() {
        assert_eq!(around(&["b -> a: N"]), Some("b -> a: N"));
        let all = around(&["b -> a: N", "b -> a: O"]).expect("the choice");
        assert!(all.starts_with("if x < 5") && all.ends_with('}'), "{all}");
        assert_eq!(around(&[]), None);
        assert_eq!(around(&["choreography"]), None);
    }
}
