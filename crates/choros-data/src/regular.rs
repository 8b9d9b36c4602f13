//! Regular expressions over characters: what the second argument of [`Op::Matches`](crate::Op::Matches) says.
//!
//! Their notation here is plain, so that it means the same to everyone: `[a-z\u{e9}]` is one of the characters listed,
//! `()` is nothing, expressions stand one after the other, `(r|s)` is either, `r{2,5}` and `r{2,}` are repetitions.
//! Languages of models have notations of their own and translate them.

use std::fmt::{self, Display};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegularExpression {
    /// One character of these ranges, which are sorted and do not touch; none of them where there are none.
    Class(Vec<(char, char)>),
    /// One after the other; nothing where there are none.
    Sequence(Vec<RegularExpression>),
    /// One of several.
    Choice(Vec<RegularExpression>),
    /// This many times at least, and at most, if there is a bound.
    Repeat(Box<RegularExpression>, u32, Option<u32>),
}

/// Expressions that are nested deeper are not read; so no recursion here goes deeper.
pub const MAX_EXPRESSION_NESTING: usize = 100;

impl RegularExpression {
    /// One of the characters in any of the ranges, in whatever order they come.
    pub fn class(ranges: impl IntoIterator<Item = (char, char)>) -> RegularExpression {
        let mut ranges: Vec<(char, char)> = ranges.into_iter().filter(|it| it.0 <= it.1).collect();
        ranges.sort_unstable();
        let mut merged: Vec<(char, char)> = Vec::new();
        for (low, high) in ranges {
            match merged.last_mut() {
                Some(last) if after(last.1).is_none_or(|next| low <= next) => {
                    last.1 = last.1.max(high);
                }
                _ => merged.push((low, high)),
            }
        }
        RegularExpression::Class(merged)
    }

    /// The characters that are in none of the ranges, which are those of a class.
    pub fn others(ranges: &[(char, char)]) -> Vec<(char, char)> {
        let mut found = Vec::new();
        let mut next = Some('\0');
        for &(low, high) in ranges {
            if let (Some(start), Some(end)) = (next, before(low))
                && start <= end
            {
                found.push((start, end));
            }
            next = after(high);
        }
        found.extend(next.map(|start| (start, char::MAX)));
        found
    }

    /// Whether the whole text is one of the expression.
    pub fn matches(&self, text: &str) -> bool {
        let characters: Vec<char> = text.chars().collect();
        let mut start = vec![false; characters.len() + 1];
        start[0] = true;
        self.ends(&characters, &start)[characters.len()]
    }

    /// The places where a text of the expression may end that begins at one of `starts`.
    fn ends(&self, text: &[char], starts: &[bool]) -> Vec<bool> {
        match self {
            RegularExpression::Class(ranges) => {
                let mut ends = vec![false; starts.len()];
                for (at, &character) in text.iter().enumerate() {
                    let is_in = |&(low, high): &(char, char)| low <= character && character <= high;
                    ends[at + 1] = starts[at] && ranges.iter().any(is_in);
                }
                ends
            }
            RegularExpression::Sequence(parts) => parts
                .iter()
                .fold(starts.to_vec(), |starts, part| part.ends(text, &starts)),
            RegularExpression::Choice(parts) => {
                let mut ends = vec![false; starts.len()];
                for part in parts {
                    join(&mut ends, &part.ends(text, starts));
                }
                ends
            }
            RegularExpression::Repeat(part, least, most) => {
                repeated(part, *least, *most, text, starts)
            }
        }
    }

    /// All texts of the expression, if there are no more than `most`.
    pub fn words(&self, most: usize) -> Option<Vec<String>> {
        let mut words: Vec<String> = Vec::new();
        let mut add = |word: String| {
            if !words.contains(&word) {
                words.push(word);
            }
            words.len() <= most
        };
        match self {
            RegularExpression::Class(ranges) => {
                for &(low, high) in ranges {
                    if !(low..=high).all(|it| add(it.to_string())) {
                        return None;
                    }
                }
            }
            RegularExpression::Sequence(parts) => {
                words.push(String::new());
                for part in parts {
                    words = products(&words, &part.words(most)?, most)?;
                }
            }
            RegularExpression::Choice(parts) => {
                for part in parts {
                    if !part.words(most)?.into_iter().all(&mut add) {
                        return None;
                    }
                }
            }
            RegularExpression::Repeat(part, least, bound) => {
                let once = part.words(most)?;
                if once.iter().all(String::is_empty) {
                    let is_empty = *least == 0 || !once.is_empty();
                    return Some(is_empty.then(String::new).into_iter().collect());
                }
                // Words of thousands of characters are no list to look at.
                let bound = bound.filter(|&bound| bound <= 1_000)?;
                let mut power = vec![String::new()];
                for count in 0..=bound {
                    if count >= *least && !power.iter().cloned().all(&mut add) {
                        return None;
                    }
                    if count < bound {
                        power = products(&power, &once, most)?;
                    }
                }
            }
        }
        Some(words)
    }

    /// Reads the notation of this module; nothing where a text is not in it.
    pub fn read(text: &str) -> Option<RegularExpression> {
        let mut reader = Reader {
            rest: text,
            depth: 0,
        };
        let read = reader.sequence()?;
        reader.rest.is_empty().then_some(read)
    }
}

fn join(all: &mut [bool], more: &[bool]) -> bool {
    let mut is_new = false;
    for (known, &found) in all.iter_mut().zip(more) {
        is_new |= found && !*known;
        *known |= found;
    }
    is_new
}

fn repeated(
    part: &RegularExpression,
    least: u32,
    most: Option<u32>,
    text: &[char],
    starts: &[bool],
) -> Vec<bool> {
    // The places after exactly `count` times; they are the same forever once they are the same once.
    let mut now = starts.to_vec();
    let mut count = 0;
    while count < least {
        let next = part.ends(text, &now);
        count += 1;
        if next == now {
            count = least;
        }
        now = next;
    }
    let mut ends = now.clone();
    while most.is_none_or(|most| count < most) {
        now = part.ends(text, &now);
        count = count.saturating_add(1);
        if !join(&mut ends, &now) {
            break;
        }
    }
    ends
}

fn products(left: &[String], right: &[String], most: usize) -> Option<Vec<String>> {
    if left.len().checked_mul(right.len())? > most {
        return None;
    }
    let both = |first: &String| {
        let first = first.clone();
        right.iter().map(move |second| format!("{first}{second}"))
    };
    Some(left.iter().flat_map(both).collect())
}

/// The next character; surrogates are not characters.
fn after(character: char) -> Option<char> {
    (character..=char::MAX).nth(1)
}

fn before(character: char) -> Option<char> {
    ('\0'..=character).rev().nth(1)
}

impl Display for RegularExpression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = |character: char| match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | ' ' | '.' | ',' | ':' | '_' | '/' => {
                character.to_string()
            }
            other => format!("\\u{{{:x}}}", u32::from(other)),
        };
        match self {
            RegularExpression::Class(ranges) => {
                f.write_str("[")?;
                for &(low, high) in ranges {
                    f.write_str(&sign(low))?;
                    if low < high {
                        write!(f, "-{}", sign(high))?;
                    }
                }
                f.write_str("]")
            }
            RegularExpression::Sequence(parts) if parts.is_empty() => f.write_str("()"),
            RegularExpression::Sequence(parts) => parts.iter().try_for_each(|part| match part {
                RegularExpression::Sequence(_) => write!(f, "({part})"),
                _ => write!(f, "{part}"),
            }),
            RegularExpression::Choice(parts) if parts.is_empty() => f.write_str("[]"),
            RegularExpression::Choice(parts) => {
                f.write_str("(")?;
                for (position, part) in parts.iter().enumerate() {
                    if position > 0 {
                        f.write_str("|")?;
                    }
                    write!(f, "{part}")?;
                }
                f.write_str(")")
            }
            RegularExpression::Repeat(part, least, most) => {
                match **part {
                    RegularExpression::Class(_) => write!(f, "{part}")?,
                    _ => write!(f, "({part})")?,
                }
                match most {
                    Some(most) => write!(f, "{{{least},{most}}}"),
                    None => write!(f, "{{{least},}}"),
                }
            }
        }
    }
}

struct Reader<'t> {
    rest: &'t str,
    depth: usize,
}

impl Reader<'_> {
    fn eat(&mut self, sign: char) -> bool {
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn sequence(&mut self) -> Option<RegularExpression> {
        let mut parts = Vec::new();
        loop {
            let part = match self.rest.chars().next() {
                Some('[') => self.class()?,
                Some('(') => self.group()?,
                _ => break,
            };
            parts.push(self.repetition(part)?);
        }
        Some(match <[RegularExpression; 1]>::try_from(parts) {
            Ok([only]) => only,
            Err(parts) => RegularExpression::Sequence(parts),
        })
    }

    fn group(&mut self) -> Option<RegularExpression> {
        self.depth += 1;
        if self.depth > MAX_EXPRESSION_NESTING || !self.eat('(') {
            return None;
        }
        let mut parts = vec![self.sequence()?];
        while self.eat('|') {
            parts.push(self.sequence()?);
        }
        self.depth -= 1;
        self.eat(')').then_some(())?;
        Some(match <[RegularExpression; 1]>::try_from(parts) {
            Ok([only]) => only,
            Err(parts) => RegularExpression::Choice(parts),
        })
    }

    fn repetition(&mut self, part: RegularExpression) -> Option<RegularExpression> {
        if !self.eat('{') {
            return Some(part);
        }
        let (bounds, rest) = self.rest.split_once('}')?;
        self.rest = rest;
        let (least, most) = bounds.split_once(',')?;
        let least = least.parse().ok()?;
        let most = match most {
            "" => None,
            most => Some(most.parse().ok().filter(|&most| most >= least)?),
        };
        Some(RegularExpression::Repeat(Box::new(part), least, most))
    }

    fn class(&mut self) -> Option<RegularExpression> {
        self.eat('[').then_some(())?;
        let mut ranges = Vec::new();
        while !self.eat(']') {
            let low = self.character()?;
            let high = if self.eat('-') {
                self.character()?
            } else {
                low
            };
            (low <= high).then_some(())?;
            ranges.push((low, high));
        }
        Some(RegularExpression::class(ranges))
    }

    fn character(&mut self) -> Option<char> {
        if let Some(rest) = self.rest.strip_prefix("\\u{") {
            let (digits, rest) = rest.split_once('}')?;
            self.rest = rest;
            return char::from_u32(u32::from_str_radix(digits, 16).ok()?);
        }
        let character = self.rest.chars().next()?;
        self.rest = &self.rest[character.len_utf8()..];
        (!matches!(character, '[' | ']' | '-' | '\\')).then_some(character)
    }
}

#[cfg(test)]
mod tests {
    use choros_testkit::{Random, fuzz, rounds, seed_from_env};

    use super::*;

    fn random(random: &mut Random, depth: usize) -> RegularExpression {
        let choice = if depth == 0 { 0 } else { random.below(4) };
        let several = |random_: &mut Random| {
            let count = random_.below(3);
            (0..count)
                .map(|_| self::random(random_, depth - 1))
                .collect()
        };
        match choice {
            0 => {
                let letters = ['a', 'b', 'c', 'é'];
                let count = random.below(3);
                RegularExpression::class(
                    (0..count).map(|_| (*random.pick(&letters), *random.pick(&letters))),
                )
            }
            1 => RegularExpression::Sequence(several(random)),
            2 => RegularExpression::Choice(several(random)),
            _ => {
                let least = random.below(3) as u32;
                let most = random.percent(60).then(|| least + random.below(3) as u32);
                RegularExpression::Repeat(Box::new(self::random(random, depth - 1)), least, most)
            }
        }
    }

    /// By the definition, with every way to cut a text in two.
    fn naive(expression: &RegularExpression, text: &[char]) -> bool {
        match expression {
            RegularExpression::Class(ranges) => {
                matches!(text, [one] if ranges.iter().any(|&(low, high)| low <= *one && *one <= high))
            }
            RegularExpression::Sequence(parts) => match &parts[..] {
                [] => text.is_empty(),
                [first, rest @ ..] => (0..=text.len()).any(|cut| {
                    naive(first, &text[..cut])
                        && naive(&RegularExpression::Sequence(rest.to_vec()), &text[cut..])
                }),
            },
            RegularExpression::Choice(parts) => parts.iter().any(|part| naive(part, text)),
            RegularExpression::Repeat(part, least, most) => {
                let enough = *least == 0 && text.is_empty();
                let fewer = || {
                    let most = most.map(|most| most - 1);
                    RegularExpression::Repeat(part.clone(), least.saturating_sub(1), most)
                };
                enough
                    || *most != Some(0)
                        && (0..=text.len()).any(|cut| {
                            // An empty piece helps only to reach the least number.
                            (cut > 0 || *least > 0)
                                && naive(part, &text[..cut])
                                && naive(&fewer(), &text[cut..])
                        })
            }
        }
    }

    #[test]
    fn matching_agrees_with_the_definition() {
        let seed = seed_from_env();
        let mut source = Random::new(seed);
        let mut found = [0, 0];
        for _ in 0..rounds(400) {
            let expression = random(&mut source, 3);
            for _ in 0..8 {
                let length = source.below(5);
                let text: Vec<char> = (0..length)
                    .map(|_| *source.pick(&['a', 'b', 'c', 'd']))
                    .collect();
                let whole: String = text.iter().collect();
                let expected = naive(&expression, &text);
                found[usize::from(expected)] += 1;
                assert_eq!(
                    expression.matches(&whole),
                    expected,
                    "{expression} on {whole:?} (CHOROS_SEED={seed})"
                );
                if let Some(words) = expression.words(50) {
                    assert_eq!(words.contains(&whole), expected, "{expression}: {words:?}");
                    assert!(words.iter().all(|word| expression.matches(word)));
                }
            }
            let written = expression.to_string();
            let again = RegularExpression::read(&written).expect(&written);
            assert_eq!(
                again.to_string(),
                RegularExpression::read(&again.to_string())
                    .expect("again")
                    .to_string()
            );
            assert_eq!(again.matches("ab"), expression.matches("ab"), "{written}");
        }
        assert!(found[0] > 0 && found[1] > 0, "{found:?}");
    }

    #[test]
    fn counting_does_not_depend_on_the_bound() {
        let letter = || Box::new(RegularExpression::class([('a', 'z')]));
        let million = RegularExpression::Repeat(letter(), 0, Some(1_000_000_000));
        assert!(million.matches("abc"));
        let empty = RegularExpression::Repeat(
            Box::new(RegularExpression::Sequence(Vec::new())),
            1_000_000_000,
            None,
        );
        assert!(empty.matches("") && !empty.matches("a"));
        let many = RegularExpression::Repeat(letter(), 1_000_000_000, None);
        assert!(!many.matches("abc"));
    }

    #[test]
    fn no_text_brings_the_reader_down() {
        let corpus = ["[a-z\\u{e9}]{2,5}([]|()|[0-9]{1,})", "((([a]{0,1})))"];
        fuzz(seed_from_env(), 1_000, &corpus, |text| {
            if let Some(read) = RegularExpression::read(text) {
                let written = read.to_string();
                assert_eq!(
                    RegularExpression::read(&written).map(|it| it.to_string()),
                    Some(written)
                );
            }
        });
        assert_eq!(RegularExpression::read(&"(".repeat(100_000)), None);
    }
}
