//! Tokens of XPath 1.0.

/// A token and the bytes it covers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum TokenKind {
    /// `12`, `.5`, `1.25`, as it is written.
    Number(String),
    /// A text in quotes, without them.
    Literal(String),
    /// `$name`, or `$name.part`.
    Variable(String),
    /// `name` or `prefix:name`.
    Name(String),
    /// A sign, or two.
    Sign(&'static str),
    /// The end of the text.
    End,
}

const SIGNS: [&str; 22] = [
    "::", "//", "..", "==", "!=", "<=", ">=", "(", ")", "[", "]", "@", ",", "/", "|", "+", "-",
    "*", "=", "<", ">", ".",
];

/// The tokens of a text, the last of them its end; the error is a place and what is wrong there.
pub(super) fn lex(text: &str) -> Result<Vec<Token>, (usize, usize, String)> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, length) = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if first.is_ascii_digit()
            || first == '.' && rest[1..].starts_with(|it: char| it.is_ascii_digit())
        {
            let length = number_length(rest);
            (TokenKind::Number(rest[..length].to_owned()), length)
        } else if first == '"' || first == '\'' {
            match rest[1..].find(first) {
                Some(inner) => (TokenKind::Literal(rest[1..=inner].to_owned()), inner + 2),
                None => return Err((at, text.len(), "the text has no closing quote".to_owned())),
            }
        } else if first == '$' {
            let length = name_length(&rest[1..]);
            if length == 0 {
                return Err((at, at + 1, "a name is expected after `$`".to_owned()));
            }
            (TokenKind::Variable(rest[1..=length].to_owned()), length + 1)
        } else if is_name_start(first) {
            let length = name_length(rest);
            (TokenKind::Name(rest[..length].to_owned()), length)
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            (TokenKind::Sign(sign), sign.len())
        } else {
            let message = format!("`{first}` is not a sign of XPath");
            return Err((at, at + first.len_utf8(), message));
        };
        tokens.push(Token {
            kind,
            start: at,
            end: at + length,
        });
        at += length;
    }
    tokens.push(Token {
        kind: TokenKind::End,
        start: text.len(),
        end: text.len(),
    });
    Ok(tokens)
}

fn is_name_start(character: char) -> bool {
    character.is_alphabetic() || character == '_'
}

fn is_name_part(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-' | '.')
}

/// The bytes of `name` or `prefix:name` at the start of a text.
fn name_length(text: &str) -> usize {
    let one = |text: &str| {
        if !text.starts_with(is_name_start) {
            return 0;
        }
        text.find(|it| !is_name_part(it)).unwrap_or(text.len())
    };
    let first = one(text);
    if first == 0 || !text[first..].starts_with(':') || text[first..].starts_with("::") {
        return first;
    }
    match one(&text[first + 1..]) {
        0 => first,
        second => first + 1 + second,
    }
}

fn number_length(text: &str) -> usize {
    let digits = |text: &str| {
        text.find(|it: char| !it.is_ascii_digit())
            .unwrap_or(text.len())
    };
    let whole = digits(text);
    match text[whole..].strip_prefix('.') {
        Some(fraction) => whole + 1 + digits(fraction),
        None => whole,
    }
}

impl TokenKind {
    /// How it is called in messages.
    pub(super) fn words(&self) -> String {
        match self {
            TokenKind::Number(text) | TokenKind::Name(text) => format!("`{text}`"),
            TokenKind::Literal(text) => format!("`'{text}'`"),
            TokenKind::Variable(text) => format!("`${text}`"),
            TokenKind::Sign(sign) => format!("`{sign}`"),
            TokenKind::End => "the end".to_owned(),
        }
    }
}
