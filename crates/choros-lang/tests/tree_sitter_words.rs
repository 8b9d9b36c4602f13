//! The grammar for editors knows the words of the language.
//!
//! That it reads every text that Choros reads is shown by `scripts/test-editors.sh`, which needs tree-sitter.

use choros_lang::chor::LEXICON;

#[test]
fn every_word_of_the_language_is_in_the_tree_sitter_grammar() {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../editors/tree-sitter-chor"
    );
    let read = |path: &str| {
        let text = std::fs::read_to_string(format!("{folder}/{path}"));
        text.unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    let (grammar, colours) = (read("grammar.js"), read("queries/highlights.scm"));
    for word in LEXICON.reserved().chain(LEXICON.values.iter().copied()) {
        assert!(
            grammar.contains(&format!("'{word}'")),
            "`{word}` is not in grammar.js"
        );
    }
    // Nodes that are one word are coloured as nodes.
    let by_node = ["skip", "abort", "true", "false"];
    for word in LEXICON.reserved().filter(|it| !by_node.contains(it)) {
        assert!(
            colours.contains(&format!("\"{word}\"")),
            "`{word}` has no colour"
        );
    }
    for sort in LEXICON.sorts.iter().filter(|it| **it != "List") {
        assert!(
            colours.contains(&format!("\"{sort}\"")),
            "`{sort}` has no colour"
        );
    }
}
