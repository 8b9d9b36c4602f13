//! What editors are told of a text is in it.

use choros::base::MemorySources;
use choros::{FileKind, Request, Settings, Workspace, inspect, lexicon};

/// The examples that have names.
fn examples() -> Vec<(String, String)> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut found = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.to_string_lossy().into_owned();
            let is_ours = FileKind::of_path(&name).is_some_and(|it| it.name() != "bpel");
            if is_ours && let Ok(text) = std::fs::read_to_string(&path) {
                found.push((name, text));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_place_of_a_name_says_it() {
    let mut names = 0;
    for (path, text) in examples() {
        let mut sources = MemorySources::default();
        sources.add(path.clone(), text.clone());
        let mut workspace = Workspace::new(&sources);
        let found = inspect(&mut workspace, &Request::file(&path), &Settings::default());
        for symbol in &found.symbols.symbols {
            names += 1;
            for place in &symbol.places {
                let here = &text[place.span.range()];
                let here = here.trim_matches('"');
                assert_eq!(here, symbol.name, "{path}: {:?}", symbol.kind);
            }
            let spans: Vec<_> = symbol.places.iter().map(|it| it.span).collect();
            assert!(spans.is_sorted(), "{path}: {}", symbol.name);
        }
        for section in &found.symbols.sections {
            let (whole, name) = (section.span.range(), section.name_span.range());
            assert!(
                name.start >= whole.start && name.end <= whole.end,
                "{path}: {}",
                section.name
            );
        }
    }
    assert!(names > 300, "{names}");
}

/// The pieces of a text are in order, and what lies between them is white space.
#[test]
fn the_words_of_a_language_cover_its_texts() {
    for (path, text) in examples() {
        let mut end = 0;
        for piece in lexicon(&Request::file(&path)).pieces(&text) {
            assert!(text[end..piece.range.start].trim().is_empty(), "{path}");
            assert!(!piece.range.is_empty(), "{path}");
            end = piece.range.end;
        }
        assert!(text[end..].trim().is_empty(), "{path}");
    }
}
