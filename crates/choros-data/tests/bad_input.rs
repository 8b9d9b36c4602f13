//! Whatever is typed, reading a term ends with a term or with findings that have a place: no panic, no hang.

use choros_base::SourceMap;
use choros_data::{Sort, Terms, read_term};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn any_characters(text in ".{0,120}") {
        read(&text)?;
    }

    /// Words of the language in any order get deeper into the parser, and into sort inference, than noise does.
    #[test]
    fn any_words(words in proptest::collection::vec(proptest::sample::select(WORDS), 0..40)) {
        read(&words.join(" "))?;
    }

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        read(&String::from_utf8_lossy(&bytes))?;
    }
}

#[test]
fn deep_nesting_and_long_numbers_are_refused() {
    for text in [
        "(".repeat(100_000),
        "[".repeat(100_000),
        "{a:".repeat(100_000),
        "if ".repeat(100_000),
        "length(".repeat(100_000),
        "9".repeat(1_000_000),
        format!("x == [{}]", "x, ".repeat(50_000)),
    ] {
        let mut terms = Terms::new();
        let findings = read_term(&mut terms, &mut SourceMap::new(), "test", &text, &[], None);
        assert!(findings.is_err_and(|findings| !findings.is_empty()));
    }
}

const WORDS: &[&str] = &[
    "x", "y", "OK", "1", "2.5", "\"a\"", "true", "(", ")", "[", "]", "{", "}", ",", ":", ".", "==",
    "=", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "++", "=>", "&&", "||", "!", "and", "or",
    "not", "if", "then", "else", "div", "mod", "in", "forall", "exists", "Int", "List", "length",
    "concat", "prefix", "contains", "x'1", "x@c", ";",
];

fn read(text: &str) -> Result<(), TestCaseError> {
    let mut terms = Terms::new();
    let mut sources = SourceMap::new();
    match read_term(&mut terms, &mut sources, "test", text, &[], None) {
        Err(findings) => {
            prop_assert!(!findings.is_empty(), "refused without a reason: {text:?}");
            for finding in findings {
                let place = finding.primary().expect("a finding has a place");
                prop_assert!(place.range().end <= text.len(), "beyond the text: {text:?}");
            }
        }
        // What was understood can be printed, simplified and closed.
        Ok(term) => {
            let printed = terms.print(term);
            prop_assert!(!printed.is_empty());
            terms.simplify(term);
            if terms.sort_of(term) == Sort::BOOL {
                terms.close(term);
            }
        }
    }
    Ok(())
}
