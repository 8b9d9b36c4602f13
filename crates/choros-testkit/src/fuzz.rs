//! Feeds a parser with text that no one would write.

use std::any::Any;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::{Random, Stopwatch, seed_from_env};

/// Tries `inputs` texts; the same seed, number and corpus always give the same texts.
///
/// With `CHOROS_FUZZ_SECONDS` it continues for so long instead, from a fresh seed unless `CHOROS_SEED` names one.
///
/// One in four is random bytes read as UTF-8, the others are entries of the corpus after some damage: pieces deleted,
/// doubled, swapped, taken from another entry, signs and words put in, brackets nested deeply.
/// The entries themselves come first.
///
/// # Panics
///
/// If `check` panics on a text, or takes longer than ten seconds of processor time: the message holds the text, made as small as the
/// failure allows.
/// A stack overflow cannot be caught, it ends the process; `CHOROS_FUZZ_LAST=FILE` writes every text to that file
/// before it is tried, so that the last one is there afterwards.
pub fn fuzz(seed: u64, inputs: usize, corpus: &[&str], check: impl Fn(&str)) {
    let last = std::env::var_os("CHOROS_FUZZ_LAST");
    let seconds = std::env::var("CHOROS_FUZZ_SECONDS").ok();
    let until = seconds
        .and_then(|text| text.parse().ok())
        .map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let seed = until.map_or(seed, |_| seed_from_env());
    let mut random = Random::new(seed);
    for number in 0.. {
        let is_over = match until {
            Some(until) => Instant::now() >= until,
            None => number >= inputs,
        };
        if is_over {
            return;
        }
        let text = match corpus.get(number) {
            Some(entry) => (*entry).to_owned(),
            None => invent(&mut random, corpus),
        };
        if let Some(path) = &last
            && let Err(error) = std::fs::write(path, &text)
        {
            panic!("CHOROS_FUZZ_LAST: {error}");
        }
        if let Some(complaint) = complaint(&check, &text) {
            let (text, complaint) = quietly(|| smallest(&check, text, complaint));
            panic!(
                "text {number} of CHOROS_SEED={seed} fails: {complaint}\nmade smaller, it is {text:?}"
            );
        }
    }
}

/// No text may take the processor longer.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// What is wrong with a text, if anything.
fn complaint(check: &impl Fn(&str), text: &str) -> Option<String> {
    let watch = Stopwatch::start();
    match catch_unwind(AssertUnwindSafe(|| check(text))) {
        Err(payload) => Some(message(&*payload)),
        Ok(()) => {
            let spent = watch.spent();
            (spent > TIME_LIMIT).then(|| format!("it takes {spent:?}"))
        }
    }
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied());
    text.unwrap_or("it panics").to_owned()
}

/// Removes pieces, large ones first, as long as something is still wrong.
fn smallest(check: &impl Fn(&str), text: String, complaint_about_it: String) -> (String, String) {
    let start = Instant::now();
    let mut characters: Vec<char> = text.chars().collect();
    let mut complaint_now = complaint_about_it;
    let mut size = characters.len().div_ceil(2);
    while size > 0 {
        let mut position = 0;
        let mut has_shrunk = false;
        while position < characters.len() && start.elapsed() < TIME_LIMIT {
            let end = (position + size).min(characters.len());
            let rest: Vec<char> = [&characters[..position], &characters[end..]].concat();
            match complaint(check, &rest.iter().collect::<String>()) {
                Some(complaint) => {
                    characters = rest;
                    complaint_now = complaint;
                    has_shrunk = true;
                }
                None => position = end,
            }
        }
        if !has_shrunk || size > characters.len() {
            size = if size == 1 { 0 } else { size / 2 };
        }
    }
    (characters.into_iter().collect(), complaint_now)
}

/// Keeps the panics of this thread from being printed: making a text smaller causes hundreds of them.
fn quietly<T>(work: impl FnOnce() -> T) -> T {
    let this = std::thread::current().id();
    let usual = std::panic::take_hook();
    let usual: Arc<dyn Fn(&PanicHookInfo) + Send + Sync> = usual.into();
    let others = usual.clone();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().id() != this {
            others(info);
        }
    }));
    let result = work();
    std::panic::set_hook(Box::new(move |info| usual(info)));
    result
}

/// Words and signs of our languages, and some that trouble parsers in general.
const TOKENS: [&str; 48] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "[>",
    "|>",
    "||",
    "|",
    ";",
    "+",
    "*",
    "-",
    "->",
    ".",
    "?",
    "!",
    ",",
    ":",
    "=",
    "==",
    "!=",
    "<=",
    ">=",
    "=>",
    "\"",
    "'",
    "//",
    "/*",
    "*/",
    "\\",
    "#",
    "component",
    "end component",
    "chorD",
    "STG",
    "DECLARATIONS",
    "COMMANDS",
    "skip",
    "label",
    "0",
    "99999999999999999999",
    "\0",
    "é\u{301}\u{1f600}",
    "\r\n",
];

fn invent(random: &mut Random, corpus: &[&str]) -> String {
    if corpus.is_empty() || random.percent(25) {
        let length = random.below(200);
        let bytes: Vec<u8> = (0..length).map(|_| random.number() as u8).collect();
        return String::from_utf8_lossy(&bytes).into_owned();
    }
    let mut characters: Vec<char> = random.pick(corpus).chars().collect();
    for _ in 0..1 + random.below(6) {
        damage(random, &mut characters, corpus);
    }
    characters.into_iter().collect()
}

fn damage(random: &mut Random, characters: &mut Vec<char>, corpus: &[&str]) {
    let start = random.below(characters.len() + 1);
    let longest = (characters.len() - start).min(40);
    let end = start + random.below(longest + 1);
    match random.below(8) {
        0 => drop(characters.drain(start..end)),
        1 => characters.truncate(start),
        2 => {
            let piece = characters[start..end].to_vec();
            splice(characters, start, piece);
        }
        3 => {
            let piece: Vec<char> = characters.drain(start..end).collect();
            let place = random.below(characters.len() + 1);
            splice(characters, place, piece);
        }
        4 => {
            let other: Vec<char> = random.pick(corpus).chars().collect();
            let from = random.below(other.len() + 1);
            let to = (from + random.below(60)).min(other.len());
            splice(characters, start, other[from..to].to_vec());
        }
        5 | 6 => {
            let token = *random.pick(&TOKENS);
            splice(characters, start, token.chars());
        }
        _ => {
            let token = *random.pick(&TOKENS);
            let times = *random.pick(&[3, 100, 3000]);
            splice(characters, start, token.repeat(times).chars());
        }
    }
}

fn splice(characters: &mut Vec<char>, place: usize, piece: impl IntoIterator<Item = char>) {
    characters.splice(place..place, piece);
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    fn texts(seed: u64, inputs: usize, corpus: &[&str]) -> Vec<String> {
        let texts = RefCell::new(Vec::new());
        fuzz(seed, inputs, corpus, |text| {
            texts.borrow_mut().push(text.to_owned())
        });
        texts.into_inner()
    }

    const CORPUS: [&str; 2] = ["Request[b,v].<x> ; skip", "[x > 0] |> a[b,c]"];

    #[test]
    fn the_corpus_comes_first_and_then_something_else() {
        let tried = texts(1, 200, &CORPUS);
        assert_eq!(tried.len(), 200);
        assert_eq!(tried[..2], CORPUS);
        assert!(
            tried[2..]
                .iter()
                .filter(|text| CORPUS.contains(&text.as_str()))
                .count()
                < 50
        );
        assert!(tried.iter().any(|text| text.contains('\u{fffd}')));
        assert!(tried.iter().any(|text| text.len() > 3000));
        assert!(tried.iter().any(|text| text.contains("Request[b,v]")
            && text.contains("skip")
            && text.len() != CORPUS[0].len()));
    }

    #[test]
    fn the_same_seed_tries_the_same() {
        assert_eq!(texts(5, 50, &CORPUS), texts(5, 50, &CORPUS));
        assert_ne!(texts(5, 50, &CORPUS), texts(6, 50, &CORPUS));
        assert_eq!(texts(5, 50, &[]).len(), 50);
    }

    #[test]
    fn a_failure_is_made_small() {
        let failure = catch_unwind(|| {
            fuzz(1, 1000, &["abc [x] def [y] ghi"], |text| {
                let depth = text.matches('[').count();
                assert!(depth < 2, "too deep: {depth}");
            });
        });
        let message = message(&*failure.expect_err("it must fail"));
        assert_eq!(
            message,
            "text 0 of CHOROS_SEED=1 fails: too deep: 2\nmade smaller, it is \"[[\""
        );
    }
}
