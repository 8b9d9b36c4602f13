//! Random bytes, random words and mutated examples for the native language: whatever the text, reading, lowering,
//! printing and formatting it ends, and findings lie within it.

mod support;

use choros_base::{Budget, Names, SourceMap};
use choros_data::Terms;
use choros_lang::chor::{format, parse, print, read};
use choros_testkit::{fuzz, seed_from_env};
use proptest::prelude::*;
use support::mutate::{check_findings, examples, mutate};
use support::random::Random;

const WORDS: [&str; 56] = [
    "choreography",
    "role",
    "system",
    "type",
    "const",
    "choice",
    "or",
    "par",
    "and",
    "try",
    "interrupt",
    "when",
    "if",
    "else",
    "while",
    "repeat",
    "at",
    "do",
    "wait",
    "skip",
    "new",
    "hiding",
    "plays",
    "not",
    "C",
    "D",
    "a",
    "b",
    "x",
    "y",
    "Int",
    "OK",
    "0",
    "12",
    "2.5",
    "\"s\"",
    "[a, b]",
    "(x: Int)",
    "{",
    "}",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ",",
    ":",
    ":=",
    "->",
    "<-",
    "=",
    "||",
    "\n",
    ";",
    "// note\n",
];

/// Reads, lowers, prints and formats, whatever comes of it.
fn exercise(text: &str) {
    let mut terms = Terms::new();
    let mut sources = SourceMap::new();
    let file = sources.add("fuzz", text);
    let (model, diagnostics) = read(file, text, &mut terms);
    check_findings(&diagnostics, text);
    for id in model.ids().collect::<Vec<_>>() {
        let budget = Budget::steps(2_000);
        let _ = model.lower(id, &mut terms, &budget);
    }
    let printed = print(model.program(), &terms.names, Some(text));
    parse(file, &printed, &mut Names::new());
    if let Ok(formatted) = format(file, text, &mut terms.names) {
        let again = format(file, &formatted, &mut terms.names);
        assert_eq!(again.ok().as_ref(), Some(&formatted), "{text:?}");
    }
}

fn texts() -> Vec<String> {
    let mut texts = examples("chor");
    texts.push(EVERYTHING.to_owned());
    texts
}

/// A file with every construct.
const EVERYTHING: &str = "\
type Card; type Status = OK | KO; const limit: Int = 5
choreography Pay[v, b](card: Card, sum: Int) { v -> b: Charge(card, sum); sum := sum + 1; b -> v: Done(s: Status) }
choreography Shop[buyer, vendor, bank](top: Int) {
  buyer -> vendor: Request(amount: Int, card: Card) // bound
  total: Int := 0; total := total + amount
  par { do Pay[vendor, bank](card, 2 * amount) } and { repeat at buyer { buyer -> vendor: More(new amount) } }
  try { wait 3; vendor -> buyer: Confirm(fee = total) } interrupt { buyer -> vendor: Cancel }
  if amount < limit { skip } else if amount < top { } else { when total > 0 { vendor -> buyer: Sum(total) } }
  while amount > 0 { choice at vendor { vendor -> buyer: Abort } or { vendor -> buyer: Next(new amount: Int) } }
}
role buyer[vendor] { -> vendor: Hello(x: Int); <- vendor: Bye(_ = x) }
role vendor { <- buyer: Hello(y: Int); -> buyer: Bye(y) }
system Impl = buyer || vendor hiding Hello
";

#[test]
fn everything_is_read_and_formatted() {
    let mut terms = Terms::new();
    let mut sources = SourceMap::new();
    let file = sources.add("everything", EVERYTHING);
    let (model, diagnostics) = read(file, EVERYTHING, &mut terms);
    let found: Vec<String> = diagnostics.iter().map(|it| it.message.clone()).collect();
    assert_eq!(found, ["`vendor` cannot know `amount` here"; 0]);
    for id in model.ids().collect::<Vec<_>>() {
        let name = model.name(id, &terms).to_owned();
        let lowered = model.lower(id, &mut terms, &Budget::steps(100_000));
        assert!(lowered.is_ok(), "{name}");
    }
    exercise(EVERYTHING);
}

#[test]
fn damaged_examples() {
    let texts = texts();
    let corpus: Vec<&str> = texts.iter().map(String::as_str).collect();
    fuzz(seed_from_env(), 200, &corpus, exercise);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        exercise(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn words(seed in any::<u64>(), count in 0usize..120) {
        let mut random = Random(seed);
        let words: Vec<&str> = (0..count).map(|_| *random.pick(&WORDS)).collect();
        exercise(&words.join(" "));
        exercise(&format!("choreography C[a, b] {{ {} }}", words.join(" ")));
        exercise(&format!("role a[b](x: Int) {{ {} }}", words.join(" ")));
    }

    #[test]
    fn mutated_examples(seed in any::<u64>()) {
        let mut random = Random(seed);
        let examples = texts();
        let text = random.pick(&examples);
        exercise(&mutate(text, &WORDS, &mut random));
    }
}
