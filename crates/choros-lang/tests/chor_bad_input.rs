//! Input that no one meant, for the native language: always findings or a model, never a panic, an overflow or a hang.

use choros_base::{Budget, Names, SourceMap, has_errors};
use choros_data::Terms;
use choros_lang::chor::{format, read};

/// The codes of the findings, each once; everything is lowered and formatted as well.
fn codes(text: &str) -> Vec<&'static str> {
    let mut terms = Terms::new();
    let mut sources = SourceMap::new();
    let file = sources.add("bad", text);
    let (model, diagnostics) = read(file, text, &mut terms);
    for id in model.ids().collect::<Vec<_>>() {
        let lowered = model.lower(id, &mut terms, &Budget::steps(1_000_000));
        assert!(lowered.is_ok() || has_errors(&diagnostics));
    }
    let _ = format(file, text, &mut Names::new());
    let mut codes: Vec<&str> = diagnostics.iter().map(|it| it.code.code).collect();
    codes.dedup();
    codes
}

fn in_c(body: &str) -> String {
    format!("choreography C[a, b] {{\n{body}\n}}\n")
}

#[test]
fn nothing_is_a_file_without_components() {
    assert_eq!(codes(""), [""; 0]);
    assert_eq!(codes("\n\n// only a comment"), [""; 0]);
}

#[test]
fn a_line_of_ten_megabytes() {
    let line = format!("a -> b: M{}; ", "x".repeat(100)).repeat(100_000);
    assert!(line.len() > 10_000_000);
    assert_eq!(codes(&in_c(&line)), [""; 0]);
}

#[test]
fn a_comment_of_ten_megabytes_and_a_million_comments() {
    assert_eq!(
        codes(&in_c(&format!("// {}", "x".repeat(10_000_000)))),
        [""; 0]
    );
    assert_eq!(codes(&in_c(&"/* */".repeat(1_000_000))), [""; 0]);
}

#[test]
fn a_hundred_thousand_braces_and_parentheses() {
    assert_eq!(
        codes(&in_c(&format!(
            "{}skip{}",
            "repeat { ".repeat(100_000),
            "}".repeat(100_000)
        ))),
        ["CH0004"]
    );
    assert_eq!(
        codes(&in_c(&format!(
            "x: Int := {}1{}",
            "(".repeat(100_000),
            ")".repeat(100_000)
        ))),
        ["CH0004"]
    );
    assert_eq!(codes(&in_c(&"{".repeat(100_000))), ["CH0120", "CH0001"]);
    assert_eq!(codes(&in_c(&"}".repeat(100_000))), ["CH0001"]);
}

#[test]
fn long_chains_are_no_nesting() {
    let arms = " else if x == 1 { a -> b: M }".repeat(2_000);
    let text = in_c(&format!("a -> b: N(x: Int)\nif x == 0 {{ skip }}{arms}"));
    assert_eq!(codes(&text), [""; 0]);
    let branches = " or { a -> b: M }".repeat(20_000);
    assert_eq!(
        codes(&in_c(&format!("choice {{ skip }}{branches}"))),
        [""; 0]
    );
    let parts = " || r".repeat(10_000);
    assert_eq!(
        codes(&format!("role r[b] {{ -> b: M }}\nsystem S = r{parts}\n")),
        [""; 0]
    );
}

#[test]
fn inclusions_of_inclusions() {
    // A chain of a thousand choreographies, and one that doubles twenty times: both are too much, neither hangs.
    let mut chain = String::new();
    let mut tree = String::new();
    for number in 0..1000 {
        chain += &format!(
            "choreography C{number}[a, b] {{ do C{}[a, b] }}\n",
            number + 1
        );
    }
    chain += "choreography C1000[a, b] { a -> b: M }\n";
    assert_eq!(codes(&chain), ["CH0132"]);
    for number in 0..30 {
        let next = number + 1;
        tree += &format!("choreography C{number}[a, b] {{ do C{next}[a, b]; do C{next}[a, b] }}\n");
    }
    tree += "choreography C30[a, b] { a -> b: M }\n";
    let mut terms = Terms::new();
    let mut sources = SourceMap::new();
    let file = sources.add("tree", tree.as_str());
    let (model, diagnostics) = read(file, &tree, &mut terms);
    assert!(diagnostics.is_empty());
    let id = model.find("C0", &terms).unwrap();
    assert!(model.lower(id, &mut terms, &Budget::steps(10_000)).is_err());
}

#[test]
fn line_ends_of_other_systems() {
    assert_eq!(
        codes(
            "\u{feff}choreography C[a, b] {\r\n    a -> b: M(x: Int)\r\n    b -> a: N(x)\r\n}\r\n"
        ),
        [""; 0]
    );
}

#[test]
fn unknown_words_and_duplicates() {
    assert_eq!(codes("chorography C[a, b] { a -> b: M }"), ["CH0001"]);
    assert_eq!(codes(&in_c("perhaps { a -> b: M }")), ["CH0001"]);
    assert_eq!(codes(&in_c("a -> b: M").repeat(2)), ["CH0129"]);
}

#[test]
fn three_mistakes_are_three_findings() {
    let text = "choreography C[a, b] {\n    a -> c: M\n    a b: M\n    a -> b: N(y)\n}\nrole a { -> b: M( }\n";
    assert_eq!(codes(text), ["CH0121", "CH0001", "CH0122", "CH0001"]);
}
