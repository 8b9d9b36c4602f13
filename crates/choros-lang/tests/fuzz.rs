//! Random bytes, random words and mutated examples: whatever the text, reading it ends, and so does lowering it.

mod support;

use choros_base::{Budget, Names, SourceMap};
use choros_lang::{parse, print};
use choros_testkit::{fuzz, seed_from_env};
use proptest::prelude::*;
use support::Script;
use support::mutate::{check_findings, examples, mutate};
use support::random::Random;

const WORDS: [&str; 40] = [
    "DECLARATIONS",
    "COMMANDS",
    "component",
    "end",
    "chorD",
    "STG",
    "skip",
    "tau",
    "A",
    "b",
    "v",
    "x",
    "0",
    "1",
    "2.5",
    "[",
    "]",
    "(",
    ")",
    "<",
    ">",
    "[>",
    "|>",
    "|",
    "||",
    "+",
    ";",
    "*",
    ".",
    "!",
    "?",
    ",",
    "->",
    "=",
    "\"A[b,v].<x>\"",
    "\"[x > 0] B[v,b]\"",
    "label",
    "showSTG",
    "SYNC",
    "// \n",
];

/// Reads, lowers and prints, whatever comes of it.
fn exercise(text: &str) {
    let mut script = Script::new(text);
    check_findings(&script.diagnostics, text);
    for id in script.model.ids().collect::<Vec<_>>() {
        let budget = Budget::steps(2_000);
        let _ = script.model.lower(id, &mut script.terms, &budget);
    }
    let printed = print(script.model.script(), &script.terms.names);
    let mut sources = SourceMap::new();
    let file = sources.add("printed", printed.as_str());
    parse(file, &printed, &mut Names::new());
}

#[test]
fn damaged_examples() {
    let texts = examples("schora");
    let corpus: Vec<&str> = texts.iter().map(String::as_str).collect();
    fuzz(seed_from_env(), 200, &corpus, exercise);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        exercise(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn words(seed in any::<u64>(), count in 0usize..120) {
        let mut random = Random(seed);
        let words: Vec<&str> = (0..count).map(|_| *random.pick(&WORDS)).collect();
        exercise(&words.join(" "));
        exercise(&format!("DECLARATIONS component c chorD {} end component", words.join(" ")));
        exercise(&format!("DECLARATIONS component c STG {} end component", words.join(" ")));
    }

    #[test]
    fn mutated_examples(seed in any::<u64>()) {
        let mut random = Random(seed);
        let examples = examples("schora");
        let text = random.pick(&examples);
        exercise(&mutate(text, &WORDS, &mut random));
    }
}
