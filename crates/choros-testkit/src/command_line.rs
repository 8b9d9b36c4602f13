//! The command lines of transcripts: words, quotes and a file to write to, but no shell.

use std::str::Chars;

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
    /// Reads a line; an error says what is wrong with it.
    pub(crate) fn read(line: &str) -> Result<CommandLine, String> {
        let (words, target) = split(line)?;
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
const SHELL: &str = "|&;<$`*?~(){}!";

/// The words of a line, and the file behind `>` at its end.
fn split(line: &str) -> Result<(Vec<String>, Option<String>), String> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut before_target = None;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' => words.extend(word.take()),
            '\'' => single_quoted(&mut characters, word.get_or_insert_default())?,
            '"' => double_quoted(&mut characters, word.get_or_insert_default())?,
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

fn double_quoted(characters: &mut Chars, word: &mut String) -> Result<(), String> {
    loop {
        match characters.next() {
            Some('"') => return Ok(()),
            Some('\\') => match characters.next() {
                Some(escaped @ ('"' | '\\' | '$' | '`')) => word.push(escaped),
                _ => return Err("a backslash in quotes escapes only \" \\ $ `".to_owned()),
            },
            Some(inner @ ('$' | '`')) => return Err(format!("`{inner}` needs a backslash")),
            Some(inner) => word.push(inner),
            None => return Err("a quote is never closed".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(line: &str) -> Vec<String> {
        match CommandLine::read(line) {
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
            CommandLine::read("CHOROS_LIBZ3=none.so A= choros check B=c"),
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
            }) = CommandLine::read(line)
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
        assert_eq!(
            CommandLine::read("cat a.dot"),
            Ok(CommandLine::Show("a.dot".to_owned()))
        );
        assert!(CommandLine::read("cat").is_err());
        assert!(CommandLine::read("cat a b").is_err());
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
            assert!(CommandLine::read(line).is_err(), "{line}");
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
            assert!(CommandLine::read(line).is_err(), "{line}");
        }
    }
}
