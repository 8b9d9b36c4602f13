//! S-expressions as solvers print them, flat in memory: nesting costs no call stack, neither to read nor to drop.

/// A sequence of S-expressions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sexprs {
    nodes: Vec<Node>,
}

/// One expression of a [`Sexprs`], by position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct At(usize);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Node {
    kind: Kind,
    /// Position of the first node after this expression.
    next: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    /// A symbol (without bars), numeral or keyword.
    Word(String),
    /// A string literal, `""` read as `"`, escapes not.
    Text(String),
    List,
}

impl Sexprs {
    /// Reads all of `text`; `None` when brackets, bars or quotes do not match.
    pub(crate) fn parse(text: &str) -> Option<Sexprs> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let kind = match bytes[at] {
                byte if byte.is_ascii_whitespace() => {
                    at += 1;
                    continue;
                }
                b';' => {
                    at = end_of(bytes, at, |byte| byte == b'\n');
                    continue;
                }
                b'(' => {
                    at += 1;
                    open.push(nodes.len());
                    nodes.push(Node {
                        kind: Kind::List,
                        next: 0,
                    });
                    continue;
                }
                b')' => {
                    at += 1;
                    let list = open.pop()?;
                    nodes[list].next = nodes.len();
                    continue;
                }
                b'"' => {
                    let (string, end) = string_at(text, at)?;
                    at = end;
                    Kind::Text(string)
                }
                b'|' => {
                    let end = at + 1 + text[at + 1..].find('|')?;
                    let word = text[at + 1..end].to_owned();
                    at = end + 1;
                    Kind::Word(word)
                }
                _ => {
                    let end = end_of(bytes, at, |byte| {
                        byte.is_ascii_whitespace() || b"()\"|;".contains(&byte)
                    });
                    let word = text[at..end].to_owned();
                    at = end;
                    Kind::Word(word)
                }
            };
            let next = nodes.len() + 1;
            nodes.push(Node { kind, next });
        }
        open.is_empty().then_some(Sexprs { nodes })
    }

    /// The expressions at the outermost level.
    pub(crate) fn roots(&self) -> impl Iterator<Item = At> + '_ {
        self.between(0, self.nodes.len())
    }

    /// The only expression at the outermost level.
    pub(crate) fn only(&self) -> Option<At> {
        let mut roots = self.roots();
        match (roots.next(), roots.next()) {
            (Some(root), None) => Some(root),
            _ => None,
        }
    }

    /// The members, if it is a list.
    pub(crate) fn list(&self, at: At) -> Option<Vec<At>> {
        match &self.nodes[at.0] {
            Node {
                kind: Kind::List,
                next,
            } => Some(self.between(at.0 + 1, *next).collect()),
            _ => None,
        }
    }

    /// The symbol, numeral or keyword, if it is one.
    pub(crate) fn word(&self, at: At) -> Option<&str> {
        match &self.nodes[at.0].kind {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    /// The string literal, if it is one.
    pub(crate) fn text(&self, at: At) -> Option<&str> {
        match &self.nodes[at.0].kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    fn between(&self, first: usize, end: usize) -> impl Iterator<Item = At> + '_ {
        std::iter::successors(Some(first), |&at| Some(self.nodes.get(at)?.next))
            .take_while(move |&at| at < end)
            .map(At)
    }
}

/// Finds out, byte by byte, when a whole answer has arrived.
#[derive(Debug, Default)]
pub(crate) struct Scanner {
    depth: usize,
    /// Inside a quoted symbol or string, up to this byte.
    until: Option<u8>,
    in_word: bool,
}

impl Scanner {
    /// Whether the expression is complete with this byte.
    pub(crate) fn completes(&mut self, byte: u8) -> bool {
        if let Some(end) = self.until {
            // A doubled quote closes and opens again; what lies between does not matter here.
            if byte == end {
                self.until = None;
                self.in_word = true;
            }
            return false;
        }
        match byte {
            b'"' | b'|' => self.until = Some(byte),
            b'(' => self.depth += 1,
            b')' => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            byte if byte.is_ascii_whitespace() => {
                return std::mem::take(&mut self.in_word) && self.depth == 0;
            }
            _ => self.in_word = true,
        }
        false
    }
}

fn end_of(bytes: &[u8], from: usize, ends: impl Fn(u8) -> bool) -> usize {
    bytes[from..]
        .iter()
        .position(|&byte| ends(byte))
        .map_or(bytes.len(), |length| from + length)
}

fn string_at(text: &str, start: usize) -> Option<(String, usize)> {
    let mut string = String::new();
    let mut at = start + 1;
    loop {
        let end = at + text[at..].find('"')?;
        string.push_str(&text[at..end]);
        at = end + 1;
        if !text[at..].starts_with('"') {
            return Some((string, at));
        }
        string.push('"');
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_strings_and_lists_are_told_apart() {
        let all = Sexprs::parse("((|a b| 1) ; note\n \"x\"\"(\" sat)").expect("well formed");
        let list = all.list(all.only().expect("one")).expect("a list");
        let pair = all.list(list[0]).expect("a list");
        assert_eq!(all.word(pair[0]), Some("a b"));
        assert_eq!(all.word(pair[1]), Some("1"));
        assert_eq!(all.text(list[1]), Some("x\"("));
        assert_eq!(all.word(list[2]), Some("sat"));
    }

    #[test]
    fn unmatched_brackets_are_refused_and_deep_ones_harmless() {
        for bad in ["(", ")", "(a))", "\"", "|a", "(\"a)"] {
            assert_eq!(Sexprs::parse(bad), None, "{bad}");
        }
        let deep = format!("{}{}", "(".repeat(300_000), ")".repeat(300_000));
        assert!(Sexprs::parse(&deep).is_some());
    }

    #[test]
    fn an_answer_is_complete_with_its_last_byte() {
        let complete = |text: &str| {
            let mut scanner = Scanner::default();
            text.bytes().position(|byte| scanner.completes(byte))
        };
        assert_eq!(complete("sat\n"), Some(3));
        assert_eq!(complete("\n  unsat\n"), Some(8));
        assert_eq!(complete("((x \")\") (y |)|))\n"), Some(16));
        assert_eq!(complete("((x 1)"), None);
        assert_eq!(complete("\"a\"\"b\"\n"), Some(6));
    }

    /// What a solver prints is as foreign as a file.
    #[test]
    fn no_text_brings_the_reader_of_answers_down() {
        let corpus = ["(model (define-fun |a b| () Int (- 3)))\n; note\n\"x\"\"(\" sat"];
        choros_testkit::fuzz(choros_testkit::seed_from_env(), 2_000, &corpus, |text| {
            let _ = Sexprs::parse(text);
            let _ = crate::Recording::parse(text);
        });
    }
}
