//! The command lines of transcripts: words, quotes and a file to write to, but no shell.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::str::Chars;

/// Names of pretended services and their partners, and where they are.
pub(crate) type Addresses = BTreeMap<String, SocketAddr>;

/// A command that a transcript may hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CommandLine {
    /// `choros …`, with environment variables set before it as in a shell: `NAME=value choros …`.
    Choros {
        /// Variables, in order.
        environment: Vec<(String, String)>,
        /// What comes after the program's name.
        arguments: Vec<String>,
        /// `> FILE`: where standard output goes.
        target: Option<String>,
    },
    /// `cat FILE`: shows a file that a command wrote.
    Show(String),
}

impl CommandLine {
    /// Reads a line in which `$NAME` stands for the address of that name; an error says what is wrong with it.
    pub(crate) fn read(line: &str, addresses: &Addresses) -> Result<CommandLine, String> {
        let (words, target) = split(line, addresses)?;
        let mut words = words.into_iter();
        let mut environment = Vec::new();
        loop {
            let Some(word) = words.next() else {
                return Err("a command is missing".to_owned());
            };
            match (word.as_str(), word.split_once('=')) {
                ("choros", _) => {
                    let arguments = words.collect();
                    return Ok(CommandLine::Choros {
                        environment,
                        arguments,
                        target,
                    });
                }
                ("cat", _) if environment.is_empty() && target.is_none() => {
                    let files: Vec<String> = words.collect();
                    return match files.as_slice() {
                        [file] => Ok(CommandLine::Show(file.clone())),
                        _ => Err("`cat` shows one file".to_owned()),
                    };
                }
                (_, Some((name, value))) if is_variable(name) => {
                    environment.push((name.to_owned(), value.to_owned()));
                }
                _ => return Err(format!("only `choros` and `cat` can be run, not `{word}`")),
            }
        }
    }
}

fn is_variable(name: &str) -> bool {
    !name.is_empty()
        && name.chars().all(|character| {
            character.is_ascii_uppercase() || character.is_ascii_digit() || character == '_'
        })
}

/// Characters to which a shell would give a meaning; a reader who pastes the line must get what the test gets.
const SHELL: &str = "|&;<`*?~(){}!";

/// The words of a line, and the file after `>` at its end.
fn split(line: &str, addresses: &Addresses) -> Result<(Vec<String>, Option<String>), String> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut before_target = None;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' => words.extend(word.take()),
            '\'' => single_quoted(&mut characters, word.get_or_insert_default())?,
            '"' => double_quoted(&mut characters, word.get_or_insert_default(), addresses)?,
            '$' => word
                .get_or_insert_default()
                .push_str(&variable(&mut characters, addresses)?),
            '\\' => match characters.next() {
                Some(escaped) => word.get_or_insert_default().push(escaped),
                None => return Err("nothing follows the backslash".to_owned()),
            },
            '>' => {
                words.extend(word.take());
                if before_target.replace(words.len()).is_some() {
                    return Err("output goes to one file".to_owned());
                }
            }
            _ if SHELL.contains(character) => {
                return Err(format!("`{character}` needs quotes: there is no shell"));
            }
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    let target = match before_target {
        None => None,
        Some(before) if words.len() == before + 1 => words.pop(),
        Some(_) => return Err("one file follows `>`, at the end".to_owned()),
    };
    Ok((words, target))
}

fn single_quoted(characters: &mut Chars, word: &mut String) -> Result<(), String> {
    loop {
        match characters.next() {
            Some('\'') => return Ok(()),
            Some(inner) => word.push(inner),
            None => return Err("a quote is never closed".to_owned()),
        }
    }
}

/// The address whose name follows.
fn variable(characters: &mut Chars, addresses: &Addresses) -> Result<String, String> {
    let rest = characters.as_str();
    let is_name = |it: char| it.is_ascii_uppercase() || it.is_ascii_digit() || it == '_';
    let name = &rest[..rest.find(|it| !is_name(it)).unwrap_or(rest.len())];
    let address = addresses.get(name).ok_or_else(|| {
        format!("`${name}` is the address of no service here; other dollar signs need quotes")
    })?;
    *characters = rest[name.len()..].chars();
    Ok(address.to_string())
}

fn double_quoted(
    characters: &mut Chars,
    word: &mut String,
    addresses: &Addresses,
) -> Result<(), String> {
    loop {
        match characters.next() {
            Some('"') => return Ok(()),
            Some('\\') => match characters.next() {
                Some(escaped @ ('"' | '\\' | '$' | '`')) => word.push(escaped),
                _ => return Err("a backslash in quotes escapes only \" \\ $ `".to_owned()),
            },
            Some('$') => word.push_str(&variable(characters, addresses)?),
            Some('`') => return Err("`` ` `` needs a backslash".to_owned()),
            Some(inner) => word.push(inner),
            None => return Err("a quote is never closed".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<CommandLine, String> {
        CommandLine::read(line, &Addresses::new())
    }

    fn arguments(line: &str) -> Vec<String> {
        match read(line) {
            Ok(CommandLine::Choros {
                environment,
                arguments,
                target: None,
            }) if environment.is_empty() => arguments,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn words_and_quotes() {
        assert_eq!(arguments("choros"), [""; 0]);
        assert_eq!(
            arguments("choros  check a.schora#b "),
            ["check", "a.schora#b"]
        );
        assert_eq!(
            arguments(r#"choros 'a "b"' "c 'd' \"e\" \$f" g\ h i'j'k '' """#),
            ["a \"b\"", "c 'd' \"e\" $f", "g h", "ijk", "", ""]
        );
    }

    #[test]
    fn variables_come_first() {
        assert_eq!(
            read("CHOROS_LIBZ3=none.so A= choros check B=c"),
            Ok(CommandLine::Choros {
                environment: vec![
                    ("CHOROS_LIBZ3".to_owned(), "none.so".to_owned()),
                    ("A".to_owned(), String::new())
                ],
                arguments: vec!["check".to_owned(), "B=c".to_owned()],
                target: None,
            })
        );
    }

    #[test]
    fn output_goes_to_a_file() {
        for line in ["choros check > r.json", "choros check >r.json"] {
            let Ok(CommandLine::Choros {
                arguments, target, ..
            }) = read(line)
            else {
                panic!("{line}");
            };
            assert_eq!(arguments, ["check"]);
            assert_eq!(target.as_deref(), Some("r.json"));
        }
        assert_eq!(arguments("choros '>' a"), [">", "a"]);
    }

    #[test]
    fn files_can_be_shown() {
        assert_eq!(read("cat a.dot"), Ok(CommandLine::Show("a.dot".to_owned())));
        assert!(read("cat").is_err());
        assert!(read("cat a b").is_err());
    }

    #[test]
    fn addresses_have_names() {
        let addresses =
            Addresses::from([("A_1".to_owned(), SocketAddr::from(([127, 0, 0, 1], 7)))]);
        let line = r#"choros http://$A_1/x a=$A_1 "$A_1" '$A_1' "\$A_1""#;
        let Ok(CommandLine::Choros { arguments, .. }) = CommandLine::read(line, &addresses) else {
            panic!("{line}");
        };
        let here = "127.0.0.1:7";
        assert_eq!(
            arguments,
            [
                &format!("http://{here}/x"),
                &format!("a={here}"),
                here,
                "$A_1",
                "$A_1"
            ]
        );
        for line in ["choros $A", "choros \"$A_1x$\"", "choros $"] {
            assert!(CommandLine::read(line, &addresses).is_err(), "{line}");
        }
    }

    #[test]
    fn nothing_else_is_run() {
        for line in [
            "",
            "ls",
            "./choros",
            "sh -c choros",
            "a=b choros",
            "A=b",
            "A=b cat c",
        ] {
            assert!(read(line).is_err(), "{line}");
        }
        for line in [
            "choros | less",
            "choros >",
            "choros > a b",
            "choros >> a",
            "> a",
            "cat a > b",
            "choros $A",
            "choros \"$A\"",
            "choros 'a",
            "choros \"a",
            "choros \\",
        ] {
            assert!(read(line).is_err(), "{line}");
        }
    }
}
