//! Changes of a text that say what becomes of messages that come too late.

use choros_base::{FileId, Names, Span, Suggestion};

use super::ast::{Block, Program, StatementId, StatementKind};
use super::parse;

/// For each race of a message with a tick, as `(message, tick)`, the change that ignores the late message; one change
/// per timer.
///
/// A `timeout` gets a `late`.
/// A choice of which one branch begins with `wait` becomes a `timeout` with a `late`.
/// Whatever is written in another way is not changed.
pub fn late_edits(
    file: FileId,
    text: &str,
    names: &mut Names,
    races: &[(Span, Span)],
) -> Vec<Suggestion> {
    let (program, _) = parse(file, text, names);
    let mut timers: Vec<(Timer, Vec<String>)> = Vec::new();
    for &(message, tick) in races {
        let Some(name) = operation(&program, message, names) else {
            continue;
        };
        let Some(timer) = timer(&program, message, tick) else {
            continue;
        };
        match timers.iter_mut().find(|it| it.0 == timer) {
            Some((_, known)) if known.contains(&name) => {}
            Some((_, known)) => known.push(name),
            None => timers.push((timer, vec![name])),
        }
    }
    let edit = |(timer, messages): &(Timer, Vec<String>)| timer.edit(&program, text, messages);
    timers.iter().filter_map(edit).collect()
}

/// Where a wait for a message ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Timer {
    /// A `timeout`.
    Timeout(StatementId),
    /// A choice, and its branch that begins with `wait`.
    Choice(StatementId, usize),
}

fn contains(outer: Span, inner: Span) -> bool {
    let (out, within) = (outer.range(), inner.range());
    outer.file() == inner.file() && out.start <= within.start && within.end <= out.end
}

fn operation(program: &Program, place: Span, names: &Names) -> Option<String> {
    let bodies = program.items.iter().filter_map(|it| it.body());
    let mut statements = bodies.flat_map(|it| program.statements.walk(it));
    statements.find_map(|(_, statement)| match &statement.kind {
        StatementKind::Message(it) if contains(statement.span, place) => {
            Some(names.text(it.operation.name).to_owned())
        }
        _ => None,
    })
}

/// The innermost timer that measures with this tick and waits for this message.
fn timer(program: &Program, message: Span, tick: Span) -> Option<Timer> {
    let bodies = program.items.iter().filter_map(|it| it.body());
    let statements = bodies.flat_map(|it| program.statements.walk(it));
    let mut found = None;
    for (id, statement) in statements {
        match &statement.kind {
            StatementKind::Timeout(it)
                if it.limit.span == tick && contains(it.body.span, message) =>
            {
                found = Some(Timer::Timeout(id));
            }
            StatementKind::Choice(_, branches) => {
                let waits = |block: &Block| {
                    let first = block.statements.first().copied();
                    let first = first.map(|it| program.statements.get(it));
                    first.is_some_and(|it| matches!(it.kind, StatementKind::Wait(_)))
                };
                let mut waiting = (0..branches.len()).filter(|&it| waits(&branches[it]));
                let (Some(only), None) = (waiting.next(), waiting.next()) else {
                    continue;
                };
                let mut others = branches.iter().enumerate().filter(|it| it.0 != only);
                if contains(branches[only].span, tick)
                    && others.any(|(_, it)| contains(it.span, message))
                {
                    found = Some(Timer::Choice(id, only));
                }
            }
            _ => {}
        }
    }
    found
}

impl Timer {
    fn edit(self, program: &Program, text: &str, messages: &[String]) -> Option<Suggestion> {
        let ignored: Vec<String> = messages
            .iter()
            .map(|it| format!("late {it} {{}}"))
            .collect();
        let ignored = ignored.join(" ");
        match self {
            Timer::Timeout(id) => {
                let end = program.statements.get(id).span.after();
                Some(Suggestion {
                    span: end,
                    message: format!("add `{ignored}` at the end of the timeout"),
                    replacement: format!(" {ignored}"),
                })
            }
            Timer::Choice(id, waiting) => {
                let statement = program.statements.get(id);
                let StatementKind::Choice(_, branches) = &statement.kind else {
                    return None;
                };
                let wait = *branches[waiting].statements.first()?;
                let wait = program.statements.get(wait).span;
                let limit = text.get(wait.range())?.strip_prefix("wait")?.trim();
                let blocks = branches.iter().enumerate();
                let others = blocks.filter(|it| it.0 != waiting);
                let others: Option<Vec<&str>> =
                    others.map(|(_, it)| text.get(it.span.range())).collect();
                let body = match others?[..] {
                    [only] => only.to_owned(),
                    ref several => format!("{{\nchoice {}\n}}", several.join(" or ")),
                };
                let block = branches[waiting].span.range();
                let next = branches[waiting].statements.get(1);
                let next = next.map(|&it| program.statements.get(it).span.range().start);
                let (opening, rest) = match next {
                    Some(next) => (block.start..wait.range().start, next..block.end),
                    None => (block.start..block.start + 1, block.end - 1..block.end),
                };
                let otherwise = format!("{}{}", text.get(opening)?, text.get(rest)?);
                Some(Suggestion {
                    span: statement.span,
                    message: format!(
                        "write the choice as `timeout {limit} {{ … }} else {{ … }} {ignored}`"
                    ),
                    replacement: format!("timeout {limit} {body} else {otherwise} {ignored}"),
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(text: &str, message: &str, tick: &str) -> String {
        let mut sources = choros_base::SourceMap::new();
        let file = sources.add("t.chor", text);
        let place = |word: &str| {
            let start = text.find(word).expect("it is there");
            Span::new(file, start as u32, (start + word.len()) as u32)
        };
        let races = [(place(message), place(tick))];
        let edits = late_edits(file, text, &mut Names::new(), &races);
        let mut text = text.to_owned();
        for edit in edits {
            text.replace_range(edit.span.range(), &edit.replacement);
        }
        text
    }

    #[test]
    fn a_timeout_gets_a_late() {
        let text = "choreography C[a, b] {\n    timeout 3s {\n        b -> a: M\n    } else {\n        a -> b: N\n    }\n}\n";
        let found = edited(text, "b -> a: M", "3s");
        assert!(found.contains("    } late M {}\n}"), "{found}");
    }

    #[test]
    fn a_choice_with_a_wait_becomes_a_timeout() {
        let text = "choreography C[a, b] {\n    choice {\n        b -> a: M\n    } or {\n        wait 3\n        a -> b: N\n    }\n}\n";
        let found = edited(text, "b -> a: M", "wait 3");
        let expected = "choreography C[a, b] {\n    timeout 3 {\n        b -> a: M\n    } else {\n        a -> b: N\n    } late M {}\n}\n";
        assert_eq!(found, expected);
    }
}
