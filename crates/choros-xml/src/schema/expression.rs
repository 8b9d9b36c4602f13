//! Regular expressions as XML Schema writes them (Part 2, appendix F).
//!
//! A text is matched as a whole; `^` and `$` are ordinary characters; `.` is anything but a line break; `\s`, `\d` and
//! `\w` are those of XML Schema, which differ from those of other tools (`\w` has `$` and `+`, and not `_`).
//! `\i` and `\c` are the characters of names as XML 1.0 has had them since its fifth edition, to which XML Schema 1.1
//! refers; the tables of earlier editions differ beyond Latin letters.
//! Blocks whose extent is not the same in all editions of Unicode, and others not listed here, are not understood.

use choros_data::{MAX_EXPRESSION_NESTING, RegularExpression};
use regex_syntax::hir::HirKind;

/// What an expression means; nothing where it is not understood.
pub(super) fn read(text: &str) -> Option<RegularExpression> {
    let mut reader = Reader {
        rest: text,
        depth: 0,
    };
    let read = reader.alternatives()?;
    reader.rest.is_empty().then_some(read)
}

type Ranges = Vec<(char, char)>;

struct Reader<'t> {
    rest: &'t str,
    depth: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.rest = &self.rest[character.len_utf8()..];
        Some(character)
    }

    fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// `branch | branch | …`.
    fn alternatives(&mut self) -> Option<RegularExpression> {
        self.depth += 1;
        // An expression is written with twice as many brackets as it has here.
        if self.depth > MAX_EXPRESSION_NESTING / 4 {
            return None;
        }
        let mut branches = vec![self.branch()?];
        while self.eat("|") {
            branches.push(self.branch()?);
        }
        self.depth -= 1;
        Some(RegularExpression::Choice(branches))
    }

    fn branch(&mut self) -> Option<RegularExpression> {
        let mut pieces = Vec::new();
        while !matches!(self.peek(), None | Some('|' | ')')) {
            let atom = self.atom()?;
            pieces.push(self.quantified(atom)?);
        }
        Some(RegularExpression::Sequence(pieces))
    }

    fn atom(&mut self) -> Option<RegularExpression> {
        Some(match self.next()? {
            '(' => {
                let inner = self.alternatives()?;
                self.eat(")").then_some(inner)?
            }
            '[' => RegularExpression::class(self.class()?),
            '.' => RegularExpression::class(others([('\n', '\n'), ('\r', '\r')])),
            '\\' => RegularExpression::class(self.escape()?),
            '?' | '*' | '+' | '{' | '}' | ']' => return None,
            character => RegularExpression::class([(character, character)]),
        })
    }

    fn quantified(&mut self, atom: RegularExpression) -> Option<RegularExpression> {
        let (least, most) = match self.peek() {
            Some('?') => (0, Some(1)),
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('{') => {
                let (bounds, rest) = self.rest[1..].split_once('}')?;
                let count = |text: &str| {
                    let digits = text.bytes().all(|it| it.is_ascii_digit());
                    digits.then(|| text.parse::<u32>().ok())?
                };
                let (least, most) = match bounds.split_once(',') {
                    None => (count(bounds)?, Some(count(bounds)?)),
                    Some((least, "")) => (count(least)?, None),
                    Some((least, most)) => (count(least)?, Some(count(most)?)),
                };
                if most.is_some_and(|most| most < least) {
                    return None;
                }
                self.rest = rest;
                return Some(RegularExpression::Repeat(Box::new(atom), least, most));
            }
            _ => return Some(atom),
        };
        self.next();
        Some(RegularExpression::Repeat(Box::new(atom), least, most))
    }

    /// A class after its `[`, up to and with its `]`.
    fn class(&mut self) -> Option<Ranges> {
        self.depth += 1;
        if self.depth > MAX_EXPRESSION_NESTING / 4 {
            return None;
        }
        let is_negated = self.eat("^");
        let mut ranges = Ranges::new();
        let mut is_first = true;
        let mut without = None;
        loop {
            if self.eat("-[") {
                without = Some(self.class()?);
                self.eat("]").then_some(())?;
                break;
            }
            if !is_first && self.eat("]") {
                break;
            }
            let start = match self.next()? {
                '\\' if !matches!(self.peek()?, 'n' | 'r' | 't') && !is_sign(self.peek()?) => {
                    ranges.extend(self.escape()?);
                    is_first = false;
                    continue;
                }
                '\\' => self.single()?,
                // A `-` stands for itself at the beginning and at the end.
                '-' if is_first || self.rest.starts_with(']') || self.rest.starts_with("-[") => '-',
                '[' | ']' | '-' => return None,
                character => character,
            };
            is_first = false;
            let is_range = self.rest.starts_with('-')
                && !self.rest.starts_with("-]")
                && !self.rest.starts_with("-[");
            let end = if is_range {
                self.next();
                match self.next()? {
                    '\\' => self.single()?,
                    '[' | ']' | '-' => return None,
                    character => character,
                }
            } else {
                start
            };
            (start <= end).then_some(())?;
            ranges.push((start, end));
        }
        self.depth -= 1;
        if is_negated {
            ranges = others(ranges);
        }
        Some(match without {
            Some(without) => {
                let mut both = others(ranges);
                both.extend(without);
                others(both)
            }
            None => ranges,
        })
    }

    /// The character of `\n` and similar ones, after the backslash.
    fn single(&mut self) -> Option<char> {
        Some(match self.next()? {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            sign if is_sign(sign) => sign,
            _ => return None,
        })
    }

    /// What an escape stands for, after its backslash.
    fn escape(&mut self) -> Option<Ranges> {
        let blank = || vec![(' ', ' '), ('\t', '\t'), ('\n', '\n'), ('\r', '\r')];
        let word = || {
            let all = ["P", "Z", "C"].iter().map(|name| category(name));
            Some(others(all.collect::<Option<Vec<_>>>()?.concat()))
        };
        let name = || [&NAME_START[..], &NAME_REST].concat();
        let letter = self.peek()?;
        let ranges = match letter {
            's' => blank(),
            'S' => others(blank()),
            'd' => category("Nd")?,
            'D' => others(category("Nd")?),
            'w' => word()?,
            'W' => others(word()?),
            'i' => NAME_START.to_vec(),
            'I' => others(NAME_START),
            'c' => name(),
            'C' => others(name()),
            'p' | 'P' => {
                let (name, rest) = self.rest[1..].strip_prefix('{')?.split_once('}')?;
                let ranges = match name.strip_prefix("Is") {
                    Some(block) => self::block(block)?,
                    None => category(name)?,
                };
                self.rest = rest;
                return Some(match letter {
                    'p' => ranges,
                    _ => others(ranges),
                });
            }
            _ => {
                let character = self.single()?;
                return Some(vec![(character, character)]);
            }
        };
        self.next();
        Some(ranges)
    }
}

/// `NameStartChar` of XML 1.0, fifth edition, production 4.
const NAME_START: [(char, char); 16] = [
    (':', ':'),
    ('A', 'Z'),
    ('_', '_'),
    ('a', 'z'),
    ('\u{C0}', '\u{D6}'),
    ('\u{D8}', '\u{F6}'),
    ('\u{F8}', '\u{2FF}'),
    ('\u{370}', '\u{37D}'),
    ('\u{37F}', '\u{1FFF}'),
    ('\u{200C}', '\u{200D}'),
    ('\u{2070}', '\u{218F}'),
    ('\u{2C00}', '\u{2FEF}'),
    ('\u{3001}', '\u{D7FF}'),
    ('\u{F900}', '\u{FDCF}'),
    ('\u{FDF0}', '\u{FFFD}'),
    ('\u{10000}', '\u{EFFFF}'),
];

/// What `NameChar` has beside those, production 4a.
const NAME_REST: [(char, char); 6] = [
    ('-', '-'),
    ('.', '.'),
    ('0', '9'),
    ('\u{B7}', '\u{B7}'),
    ('\u{300}', '\u{36F}'),
    ('\u{203F}', '\u{2040}'),
];

/// Characters that have a meaning, and lose it after a backslash.
fn is_sign(character: char) -> bool {
    "\\|.?*+(){}-[]^".contains(character)
}

/// All characters but these.
fn others(ranges: impl IntoIterator<Item = (char, char)>) -> Ranges {
    match RegularExpression::class(ranges) {
        RegularExpression::Class(ranges) => RegularExpression::others(&ranges),
        _ => Ranges::new(),
    }
}

/// The characters of a general category of Unicode.
fn category(name: &str) -> Option<Ranges> {
    const NAMES: &str = " L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po Z Zs Zl Zp S Sm Sc Sk So C Cc Cf Co Cn ";
    if name.contains(' ') || !NAMES.contains(&format!(" {name} ")) {
        return None;
    }
    let hir = regex_syntax::parse(&format!("\\p{{{name}}}")).ok()?;
    match hir.kind() {
        HirKind::Class(regex_syntax::hir::Class::Unicode(class)) => {
            Some(class.iter().map(|it| (it.start(), it.end())).collect())
        }
        _ => None,
    }
}

/// The characters of a block, by its name without blanks: those whose extent is the same in all editions of Unicode.
fn block(name: &str) -> Option<Ranges> {
    const BLOCKS: [(&str, char, char); 20] = [
        ("BasicLatin", '\0', '\u{7F}'),
        ("Latin-1Supplement", '\u{80}', '\u{FF}'),
        ("LatinExtended-A", '\u{100}', '\u{17F}'),
        ("LatinExtended-B", '\u{180}', '\u{24F}'),
        ("IPAExtensions", '\u{250}', '\u{2AF}'),
        ("SpacingModifierLetters", '\u{2B0}', '\u{2FF}'),
        ("CombiningDiacriticalMarks", '\u{300}', '\u{36F}'),
        ("Greek", '\u{370}', '\u{3FF}'),
        ("GreekandCoptic", '\u{370}', '\u{3FF}'),
        ("Cyrillic", '\u{400}', '\u{4FF}'),
        ("Armenian", '\u{530}', '\u{58F}'),
        ("Hebrew", '\u{590}', '\u{5FF}'),
        ("Arabic", '\u{600}', '\u{6FF}'),
        ("Devanagari", '\u{900}', '\u{97F}'),
        ("Thai", '\u{E00}', '\u{E7F}'),
        ("GeneralPunctuation", '\u{2000}', '\u{206F}'),
        ("CurrencySymbols", '\u{20A0}', '\u{20CF}'),
        ("Hiragana", '\u{3040}', '\u{309F}'),
        ("Katakana", '\u{30A0}', '\u{30FF}'),
        ("CJKUnifiedIdeographs", '\u{4E00}', '\u{9FFF}'),
    ];
    let found = BLOCKS.iter().find(|it| it.0 == name)?;
    Some(vec![(found.1, found.2)])
}

#[cfg(test)]
mod tests {
    use choros_testkit::{Random, fuzz, rounds, seed_from_env};

    use super::*;

    #[track_caller]
    fn check(expression: &str, right: &[&str], wrong: &[&str]) {
        let read = read(expression).unwrap_or_else(|| panic!("{expression}"));
        for text in right {
            assert!(read.matches(text), "{expression} on {text:?}");
        }
        for text in wrong {
            assert!(!read.matches(text), "{expression} on {text:?}");
        }
    }

    #[test]
    fn as_the_standard_says() {
        check("b", &["b"], &["ab", "", "bb"]);
        check("a|b|", &["a", "b", ""], &["ab"]);
        check("[0-9]{3}", &["123"], &["1234", "12"]);
        check("(ab){2,}c?", &["abab", "abababc"], &["ab", "abc"]);
        check("^a$", &["^a$"], &["a"]);
        check("[a-z-[aeiou]]+", &["xyz"], &["xyza", ""]);
        check("[^a-z-[A]]", &["B", "1"], &["a", "A"]);
        check("[-+]?[+-]", &["-", "+-"], &["a"]);
        check("[\\-\\]\\[]", &["-", "]", "["], &["\\"]);
        check("[\\d.]+", &["1.5", "٣"], &["a"]);
        check(".", &["a", "\u{10FFFF}"], &["\n", "\r", ""]);
        check("\\s\\S", &[" a", "\ta"], &["\u{a0}a", "a "]);
        check("\\w+", &["a$+", "é"], &["_", "-", " "]);
        check("\\W", &["_", "-", " "], &["a", "$"]);
        check("\\p{Lu}\\P{Lu}", &["Aa"], &["aA"]);
        check("\\p{IsBasicLatin}+", &["a~\u{7f}"], &["é", ""]);
        check("[\\p{IsGreek}-[Ω]]", &["α"], &["a", "Ω"]);
        check("\\P{IsBasicLatin}", &["é"], &["a"]);
        check("a{0}", &[""], &["a"]);
        check(
            "\\i\\c*",
            &["a", "_:-.9", "é\u{b7}"],
            &["", "9a", "-", "a b", "\u{d7}"],
        );
        check("\\I\\C", &["9 ", "-\u{d7}"], &["a ", "9a", "9-"]);
        check("[\\i-[:]][\\c-[:]]*", &["a-b"], &["a:b", ":a"]);
    }

    #[test]
    fn what_is_not_understood_is_not_guessed() {
        for expression in [
            "\\p{IsKlingon}",
            "\\p{Is}",
            "\\p{Greek}",
            "[a",
            "a]",
            "(a",
            "a)",
            "*",
            "a**",
            "a{2,1}",
            "a{,2}",
            "a{x}",
            "a{+1}",
            "\\x41",
            "\\b",
            "\\",
            "[z-a]",
            "[]",
            "[^]",
            "[a-\\d]",
            "[[a]]",
            "(?:a)",
            "(?i)a",
            "a{1",
            "\\p{L l}",
        ] {
            assert_eq!(read(expression), None, "{expression}");
        }
        assert_eq!(read(&"(".repeat(100_000)), None);
        assert_eq!(read(&"[a-".repeat(100_000)), None);
        // What is read can be written and read again.
        let deep = format!("{}a{}", "(".repeat(24), ")*".repeat(24));
        let deep = read(&deep).expect("not too deep").to_string();
        assert!(RegularExpression::read(&deep).is_some(), "{deep}");
    }

    /// Where both notations mean the same, a reader of expressions that others wrote agrees.
    #[test]
    fn it_agrees_with_another_reader() {
        let seed = seed_from_env();
        let mut random = Random::new(seed);
        let pieces = [
            "a",
            "b",
            "[a-c]",
            "[^b]",
            "(a|b)",
            "(ab|c)*",
            "a?",
            "b+",
            "c{2}",
            "[ac]{1,2}",
            "(b{0,2}c|a)",
            "\\.",
            "\\p{Ll}",
            "\\d",
        ];
        let mut found = [0, 0];
        for _ in 0..rounds(300) {
            let count = 1 + random.below(4);
            let text: String = (0..count).map(|_| *random.pick(&pieces)).collect();
            let other = regex::Regex::new(&format!("\\A(?:{text})\\z")).expect("an expression");
            let own = read(&text).expect("an expression");
            for _ in 0..20 {
                let length = random.below(6);
                let word: String = (0..length)
                    .map(|_| *random.pick(&['a', 'b', 'c', '.', '7']))
                    .collect();
                let expected = other.is_match(&word);
                found[usize::from(expected)] += 1;
                assert_eq!(
                    own.matches(&word),
                    expected,
                    "{text} on {word} (CHOROS_SEED={seed})"
                );
            }
        }
        assert!(found[0] > 0 && found[1] > 0, "{found:?}");
    }

    #[test]
    fn no_text_brings_the_reader_down() {
        let corpus = [
            "[a-z-[aeiou]]+\\p{Lu}{2,5}|(\\d|\\.)*[^\\-]?",
            "\\w\\s[\\S\\n]",
        ];
        fuzz(seed_from_env(), 1_000, &corpus, |text| {
            if let Some(read) = read(text) {
                assert!(
                    RegularExpression::read(&read.to_string()).is_some(),
                    "{text}"
                );
            }
        });
    }
}
