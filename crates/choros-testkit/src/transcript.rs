//! A transcript: commands, each with the output and exit status it must have.
//!
//! A line `$ …` is a command; the lines up to the next one are its output, and a last line `? 2` says that it ends
//! with status 2 instead of 0.
//! White space at the end of a line and empty lines at the end of an output do not count: editors remove the first,
//! and readers like the second.

use crate::line_diff::{ANY_CHARACTERS, ANY_LINES, Aligned, align, fits};
use crate::markdown::{Malformed, fence_length};
use crate::process::{End, ProcessOutput};

/// A fenced block of commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Transcript {
    /// Index of the line that opens the block.
    pub(crate) opening: usize,
    /// How many lines are between that and the line that closes it.
    pub(crate) length: usize,
    /// The commands.
    pub(crate) steps: Vec<TranscriptStep>,
}

/// A command and what is expected of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TranscriptStep {
    /// The line it stands in, from 1.
    pub(crate) line: usize,
    /// The text after `$ `.
    pub(crate) command: String,
    /// The output, as patterns.
    pub(crate) expected: Vec<String>,
    /// The exit status.
    pub(crate) status: i32,
    /// How many empty lines follow in the document.
    blank_lines: usize,
}

impl Transcript {
    /// Reads the lines of a block; `opening` is the index of the line before them.
    pub(crate) fn read(opening: usize, lines: &[&str]) -> Result<Transcript, Malformed> {
        let mut steps: Vec<TranscriptStep> = Vec::new();
        for (offset, line) in lines.iter().enumerate() {
            let line = line.trim_end();
            if let Some(command) = line.strip_prefix("$ ") {
                steps.push(TranscriptStep {
                    line: opening + offset + 2,
                    command: command.to_owned(),
                    expected: Vec::new(),
                    status: 0,
                    blank_lines: 0,
                });
            } else if let Some(step) = steps.last_mut() {
                step.expected.push(line.to_owned());
            } else if !line.is_empty() {
                return Err(Malformed {
                    line: opening + offset + 2,
                    message: "this is the output of no command".to_owned(),
                });
            }
        }
        if steps.is_empty() {
            return Err(Malformed {
                line: opening + 1,
                message: "this transcript has no command".to_owned(),
            });
        }
        for step in &mut steps {
            step.settle();
        }
        Ok(Transcript {
            opening,
            length: lines.len(),
            steps,
        })
    }

    /// The whole block, fences included, with what the commands really did.
    ///
    /// The fence grows when the output holds one of its own.
    pub(crate) fn blessed(&self, opening: &str, outcomes: &[ProcessOutput]) -> Vec<String> {
        let mut lines = Vec::new();
        for (step, outcome) in self.steps.iter().zip(outcomes) {
            lines.push(format!("$ {}", step.command));
            match outcome.end {
                End::Status(status) => lines.extend(step.blessed(outcome, status)),
                End::Signal | End::TimeLimit(_) => lines.extend(step.as_written()),
            }
            lines.extend(vec![String::new(); step.blank_lines]);
        }
        let inner = opening.trim_start();
        let indentation = &opening[..opening.len() - inner.len()];
        let sign = if inner.starts_with('~') { '~' } else { '`' };
        let old = fence_length(inner, sign);
        let needed = lines
            .iter()
            .map(|line| fence_length(line.trim_start(), sign) + 1)
            .max()
            .unwrap_or(0);
        let fence = sign.to_string().repeat(old.max(needed));
        lines.insert(0, format!("{indentation}{fence}{}", &inner[old..]));
        lines.push(format!("{indentation}{fence}"));
        lines
    }
}

impl TranscriptStep {
    /// Takes the empty lines and the exit status off the end of the output.
    fn settle(&mut self) {
        self.blank_lines += drop_blank_lines(&mut self.expected);
        let status = self
            .expected
            .last()
            .and_then(|line| line.strip_prefix("? "))
            .and_then(|number| number.parse().ok());
        if let Some(status) = status {
            self.status = status;
            self.expected.pop();
            drop_blank_lines(&mut self.expected);
        }
    }

    /// What differs, or `None`.
    pub(crate) fn difference(&self, outcome: &ProcessOutput) -> Option<String> {
        let actual = output_lines(outcome);
        let aligned = align(&as_strs(&self.expected), &as_strs(&actual));
        let mut lines = Vec::new();
        if !fits(&aligned) {
            for piece in aligned {
                match piece {
                    Aligned::Kept { actual, .. } => lines.push(format!("    {actual}")),
                    Aligned::Any(_) => lines.push(format!("    {ANY_LINES}")),
                    Aligned::Missing(line) => lines.push(format!("  - {line}")),
                    Aligned::Unexpected(line) => lines.push(format!("  + {line}")),
                }
            }
        }
        match outcome.end {
            End::Status(status) if status == self.status => {}
            End::Status(status) => {
                lines.push(format!("  - exit status {}", self.status));
                lines.push(format!("  + exit status {status}"));
            }
            End::Signal => lines.push("  + ended by a signal".to_owned()),
            End::TimeLimit(limit) => {
                lines.push(format!(
                    "  + not done after {} s, and killed",
                    limit.as_secs_f32()
                ));
            }
        }
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// The expectation as it stands in the document; a crash is nothing that anyone should bless.
    fn as_written(&self) -> Vec<String> {
        let status = (self.status != 0).then(|| format!("? {}", self.status));
        self.expected.iter().cloned().chain(status).collect()
    }

    /// The output as it is to be written down, status included; patterns that still fit are kept.
    fn blessed(&self, outcome: &ProcessOutput, status: i32) -> Vec<String> {
        let actual = output_lines(outcome);
        let expected = as_strs(&self.expected);
        let aligned = align(&expected, &as_strs(&actual));
        let mut lines: Vec<String> = Vec::new();
        for (index, piece) in aligned.iter().enumerate() {
            match piece {
                Aligned::Kept { pattern, .. } => lines.push((*pattern).to_owned()),
                // A `...` whose neighbour has gone could stand for everything that is left, and assert nothing.
                Aligned::Any(skipped) => {
                    let neighbours = [index.checked_sub(1), Some(index + 1)];
                    let is_anchored = neighbours
                        .iter()
                        .filter_map(|&neighbour| aligned.get(neighbour?))
                        .all(|neighbour| matches!(neighbour, Aligned::Kept { .. }));
                    if is_anchored {
                        lines.push(ANY_LINES.to_owned());
                    } else {
                        lines.extend(skipped.iter().map(|line| literal(line)));
                    }
                }
                Aligned::Missing(_) => {}
                Aligned::Unexpected(line) => lines.push(literal(line)),
            }
        }
        if status != 0 {
            lines.push(format!("? {status}"));
        }
        lines
    }
}

/// The output, line by line, as it is compared.
fn output_lines(outcome: &ProcessOutput) -> Vec<String> {
    let mut lines: Vec<String> = outcome
        .output
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect();
    drop_blank_lines(&mut lines);
    lines
}

/// Removes empty lines from the end and says how many there were.
fn drop_blank_lines(lines: &mut Vec<String>) -> usize {
    let kept = lines
        .iter()
        .rposition(|line| !line.is_empty())
        .map_or(0, |last| last + 1);
    let dropped = lines.len() - kept;
    lines.truncate(kept);
    dropped
}

/// A line of output as a pattern that reads it, where it would be read as something else.
fn literal(line: &str) -> String {
    match line.strip_prefix(['$', '?']) {
        Some(rest) if rest.starts_with(' ') => format!("{ANY_CHARACTERS}{rest}"),
        _ => line.to_owned(),
    }
}

fn as_strs(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn step(text: &str) -> TranscriptStep {
        let lines: Vec<&str> = text.lines().collect();
        let mut transcript = Transcript::read(0, &lines).expect("a transcript");
        assert_eq!(transcript.steps.len(), 1);
        transcript.steps.remove(0)
    }

    fn outcome(output: &str, status: i32) -> ProcessOutput {
        ProcessOutput {
            output: output.to_owned(),
            end: End::Status(status),
        }
    }

    #[test]
    fn commands_and_their_outputs() {
        let lines = [
            "$ choros a",
            "x",
            "",
            "y ",
            "",
            "$ choros b",
            "? 3",
            "",
            "$ choros c",
            "? no",
            "? 4 ",
        ];
        let transcript = Transcript::read(10, &lines).expect("a transcript");
        let shown: Vec<_> = transcript
            .steps
            .iter()
            .map(|step| {
                (
                    step.line,
                    step.command.as_str(),
                    step.expected.join("|"),
                    step.status,
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                (12, "choros a", "x||y".to_owned(), 0),
                (17, "choros b", String::new(), 3),
                (20, "choros c", "? no".to_owned(), 4),
            ]
        );
    }

    #[test]
    fn a_transcript_has_commands_and_nothing_before_them() {
        assert_eq!(Transcript::read(3, &["", ""]).expect_err("empty").line, 4);
        assert_eq!(
            Transcript::read(3, &["x", "$ choros"])
                .expect_err("no command")
                .line,
            5
        );
    }

    #[test]
    fn what_fits() {
        assert_eq!(
            step("$ c\na\nb").difference(&outcome("a  \nb\n\n", 0)),
            None
        );
        assert_eq!(
            step("$ c\n...\nb[..]\n? 2").difference(&outcome("a\nbc\n", 2)),
            None
        );
        assert_eq!(step("$ c").difference(&outcome("", 0)), None);
    }

    #[test]
    fn what_does_not_fit() {
        assert_eq!(
            step("$ c\na\nb[..]\n? 2").difference(&outcome("a\nc\n", 0)),
            Some("    a\n  - b[..]\n  + c\n  - exit status 2\n  + exit status 0".to_owned())
        );
        assert_eq!(
            step("$ c").difference(&outcome("a", 0)),
            Some("  + a".to_owned())
        );
        assert_eq!(
            step("$ c\na").difference(&outcome("", 0)),
            Some("  - a".to_owned())
        );
        assert_eq!(
            step("$ c\na\n\nb").difference(&outcome("a\nb", 0)),
            Some("    a\n  - \n    b".to_owned())
        );
    }

    #[test]
    fn a_crash_or_a_hang_never_fits() {
        for end in [End::Signal, End::TimeLimit(Duration::from_secs(1))] {
            let outcome = ProcessOutput {
                output: String::new(),
                end,
            };
            assert!(step("$ c").difference(&outcome).is_some());
            assert!(step("$ c\n? 101").difference(&outcome).is_some());
        }
    }

    #[test]
    fn blessing_keeps_what_fits() {
        let blessed =
            |text: &str, output: &str, status| step(text).blessed(&outcome(output, status), status);
        assert_eq!(blessed("$ c\na[..]\nb", "ax\nc\n", 0), ["a[..]", "c"]);
        assert_eq!(
            blessed("$ c\na\n...\nb\n? 1", "a\nx\nb\nc\n", 2),
            ["a", "...", "b", "c", "? 2"]
        );
        assert_eq!(blessed("$ c\na\n...\nb", "x\ny\n", 0), ["x", "y"]);
        assert_eq!(
            blessed("$ c\n? 1", "$ x\n? 5\n...\n", 0),
            ["[..] x", "[..] 5", "..."]
        );
    }

    #[test]
    fn what_is_blessed_fits() {
        for (text, output) in [
            ("$ c", "$ a\n\n? 3\n"),
            ("$ c\na\n...", "b\nc"),
            ("$ c\n...\nx", "x\ny\nx"),
        ] {
            let outcome = outcome(output, 1);
            let lines = step(text).blessed(&outcome, 1);
            assert_eq!(
                step(&format!("$ c\n{}", lines.join("\n"))).difference(&outcome),
                None,
                "{lines:?}"
            );
        }
    }

    #[test]
    fn a_blessed_block_keeps_its_form() {
        let transcript =
            Transcript::read(0, &["$ c", "", "$ d", "x", "? 1", ""]).expect("a transcript");
        let outcomes = [outcome("```\n", 0), outcome("x", 0)];
        assert_eq!(
            transcript.blessed(" ```console", &outcomes),
            [" ````console", "$ c", "```", "", "$ d", "x", "", " ````"]
        );
    }
}
