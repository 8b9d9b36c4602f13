//! Reading `.fsa`.
//!
//! Two passes, because a partner may be the number of a block that comes later: first lines become blocks, then blocks
//! become machines.

use choros_base::{Diagnostic, FileId, Name, Names, Span, nearest};
use rustc_hash::FxHashMap;

use crate::cfsm::{Cfsm, LocalAction, LocalState};
use crate::diagnostics::{fsa_line, fsa_marking, fsa_partner, fsa_twice, self_message};

/// The machines in a text, and what is wrong with the text.
pub fn read_fsa(file: FileId, text: &str, names: &mut Names) -> (Vec<Cfsm>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let blocks = blocks(file, text, &mut diagnostics);
    if blocks.is_empty() && diagnostics.is_empty() {
        diagnostics.push(fsa_line::no_machine(Span::new(file, 0, 0)));
    }
    let participants: Vec<Name> = blocks
        .iter()
        .enumerate()
        .map(|(number, block)| match block.name {
            Some(word) => names.intern(word.text),
            None => names.intern(&number.to_string()),
        })
        .collect();
    for (number, block) in blocks.iter().enumerate() {
        if let Some(first) = participants[..number]
            .iter()
            .position(|&other| other == participants[number])
        {
            diagnostics.push(fsa_twice::diagnostic(
                block.span,
                names.text(participants[number]),
                blocks[first].span,
            ));
        }
    }
    let machines = blocks
        .iter()
        .enumerate()
        .map(|(number, block)| machine(number, block, &participants, names, &mut diagnostics))
        .collect();
    (machines, diagnostics)
}

/// Source, partner, `!` or `?`, message, target.
const TRANSITION_WORDS: usize = 5;

/// More malformed lines than this tell nothing new.
const MAX_MALFORMED: usize = 20;

#[derive(Clone, Copy)]
pub(super) struct Word<'t> {
    pub(super) text: &'t str,
    pub(super) span: Span,
}

pub(super) struct Line<'t> {
    pub(super) source: Word<'t>,
    pub(super) partner: Word<'t>,
    sends: bool,
    pub(super) message: Word<'t>,
    pub(super) target: Word<'t>,
}

pub(super) struct Block<'t> {
    pub(super) span: Span,
    pub(super) name: Option<Word<'t>>,
    pub(super) lines: Vec<Line<'t>>,
    pub(super) marking: Option<Word<'t>>,
    /// Whether `.end` was seen.
    ended: bool,
}

/// The lines of each block.
pub(super) fn blocks<'t>(
    file: FileId,
    text: &'t str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Block<'t>> {
    let mut blocks: Vec<Block<'t>> = Vec::new();
    let mut malformed = 0;
    let mut report = |diagnostic: Diagnostic, diagnostics: &mut Vec<Diagnostic>| {
        malformed += 1;
        if malformed <= MAX_MALFORMED {
            diagnostics.push(diagnostic);
        }
    };
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let mut words = words(file, line, offset);
        offset += line.len();
        // A transition has five words; among them a message may be called `#1`.
        let end = words.iter().skip(TRANSITION_WORDS).position(is_comment);
        words.truncate(end.map_or(words.len(), |end| TRANSITION_WORDS + end));
        let (Some(first), Some(last)) = (words.first(), words.last()) else {
            continue;
        };
        if is_comment(first) {
            continue;
        }
        let span = first.span.to(last.span);
        let open = blocks.last_mut().filter(|block| !block.ended);
        match (first.text, open) {
            (".outputs", open) => {
                if let Some(before) = open {
                    report(fsa_line::no_end(before.span), diagnostics);
                    before.ended = true;
                }
                blocks.push(Block {
                    span,
                    name: words.get(1).copied(),
                    lines: Vec::new(),
                    marking: None,
                    ended: false,
                });
            }
            // Petrify's other headings say nothing that ChorGram's machines need.
            (".state" | ".inputs" | ".internal" | ".dummy" | ".model", _) => {}
            (".marking", Some(block)) => {
                // Petrify writes the marking in braces.
                let state = words.get(1).copied().and_then(without_braces);
                match state {
                    Some(state) => block.marking = Some(state),
                    None => report(fsa_line::no_state(span), diagnostics),
                }
            }
            (".end", Some(block)) => block.ended = true,
            (_, Some(block)) => match transition(&words) {
                Ok(line) => block.lines.push(line),
                Err(wrong) => report(fsa_line::malformed(span, &wrong), diagnostics),
            },
            (_, None) => report(fsa_line::outside(span), diagnostics),
        }
    }
    if let Some(block) = blocks.last().filter(|block| !block.ended) {
        report(fsa_line::no_end(block.span), diagnostics);
    }
    if malformed > MAX_MALFORMED {
        diagnostics.push(fsa_line::further(malformed - MAX_MALFORMED));
    }
    blocks
}

/// Whether a comment begins with this word.
fn is_comment(word: &Word<'_>) -> bool {
    word.text.starts_with("--") || word.text.starts_with('#')
}

/// A state in braces without them; nothing if nothing is left.
fn without_braces(word: Word<'_>) -> Option<Word<'_>> {
    let text = word.text.trim_matches(['{', '}']);
    (!text.is_empty()).then_some(Word { text, ..word })
}

/// The words of a line with their places.
fn words(file: FileId, line: &str, offset: usize) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut rest = line;
    let mut at = offset;
    loop {
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        if trimmed.is_empty() {
            return words;
        }
        let end = trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
        let (text, after) = trimmed.split_at(end);
        words.push(Word {
            text,
            span: Span::new(file, at as u32, (at + end) as u32),
        });
        at += end;
        rest = after;
    }
}

/// `source partner !|? message target`, or what is missing.
fn transition<'t>(words: &[Word<'t>]) -> Result<Line<'t>, String> {
    let [source, partner, mark, message, target] = words else {
        return Err(match words.len() {
            4 => "a state is missing: there are four words".to_owned(),
            count => format!("this line has {count} words"),
        });
    };
    let sends = match mark.text {
        "!" => true,
        "?" => false,
        other => return Err(format!("expected `!` or `?`, found `{other}`")),
    };
    Ok(Line {
        source: *source,
        partner: *partner,
        sends,
        message: *message,
        target: *target,
    })
}

/// The machine of one block.
fn machine(
    number: usize,
    block: &Block<'_>,
    participants: &[Name],
    names: &mut Names,
    diagnostics: &mut Vec<Diagnostic>,
) -> Cfsm {
    let participant = participants[number];
    let mut machine = Cfsm::new(participant);
    let states = state_order(block);
    machine.ensure_states(states.len());
    let mut ids: FxHashMap<&str, LocalState> = FxHashMap::default();
    for (at, &state) in states.iter().enumerate() {
        let id = LocalState(at as u32);
        ids.insert(state, id);
        if state != at.to_string() {
            machine.set_label(id, names.intern(state));
        }
    }
    for line in &block.lines {
        let Some(partner) = partner(line.partner, participants, names, diagnostics) else {
            continue;
        };
        if partner == participant {
            let role = names.text(participant).to_owned();
            let span = line.source.span.to(line.target.span);
            diagnostics.push(self_message::in_machine(span, &role, line.sends));
        }
        let message = names.intern(line.message.text);
        let action = if line.sends {
            LocalAction::output(partner, message)
        } else {
            LocalAction::input(partner, message)
        };
        let span = line.source.span.to(line.target.span);
        machine.add(
            ids[line.source.text],
            action,
            ids[line.target.text],
            Some(span),
        );
    }
    match block.marking {
        None => diagnostics.push(fsa_marking::missing(
            block.span,
            names.text(participant),
            states.first().copied(),
        )),
        Some(marking) => match ids.get(marking.text) {
            // A machine that does nothing has a single state, which only its marking names.
            Some(&initial) if block.lines.is_empty() || mentioned(block, marking.text) => {
                machine.set_initial(initial);
            }
            _ => diagnostics.push(fsa_marking::unknown_state(
                marking.span,
                marking.text,
                names.text(participant),
                nearest(marking.text, states.iter().copied()).filter(|&it| it != marking.text),
            )),
        },
    }
    machine
}

fn mentioned(block: &Block<'_>, state: &str) -> bool {
    block
        .lines
        .iter()
        .any(|line| line.source.text == state || line.target.text == state)
}

/// The states of a block: by number where all are numbers, else in the order of first mention.
fn state_order<'t>(block: &Block<'t>) -> Vec<&'t str> {
    let mut seen = rustc_hash::FxHashSet::default();
    let ends = block
        .lines
        .iter()
        .flat_map(|line| [line.source.text, line.target.text]);
    let marking = block
        .marking
        .filter(|_| block.lines.is_empty())
        .map(|word| word.text);
    let mut states: Vec<&str> = ends
        .chain(marking)
        .filter(|&state| seen.insert(state))
        .collect();
    let numbers: Option<Vec<u64>> = states.iter().map(|state| number(state)).collect();
    if numbers.is_some() {
        // `01` and `1` are two states with one number: the text decides.
        states.sort_by_key(|state| (number(state), *state));
    }
    states
}

fn number(text: &str) -> Option<u64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// The participant that a partner's number or name stands for.
fn partner(
    word: Word<'_>,
    participants: &[Name],
    names: &mut Names,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Name> {
    // A name goes first: a machine may be called `7`.
    if let Some(known) = names
        .get(word.text)
        .filter(|name| participants.contains(name))
        && number(word.text).is_none_or(|number| number >= participants.len() as u64)
    {
        return Some(known);
    }
    let by_number = number(word.text).and_then(|number| participants.get(number as usize));
    if by_number.is_none() {
        let known: Vec<&str> = participants.iter().map(|&name| names.text(name)).collect();
        diagnostics.push(fsa_partner::diagnostic(word.span, word.text, &known));
    }
    by_number.copied()
}

#[cfg(test)]
mod tests {
    use choros_base::SourceMap;

    use super::super::write_fsa;
    use super::*;

    fn read(text: &str) -> (Vec<Cfsm>, Vec<&'static str>, Names) {
        let mut map = SourceMap::new();
        let mut names = Names::new();
        let file = map.add("test.fsa", text);
        let (machines, diagnostics) = read_fsa(file, text, &mut names);
        let codes = diagnostics.iter().map(|one| one.code.code).collect();
        (machines, codes, names)
    }

    const IS_EVEN: &str = "\
.outputs Client
.state graph
0 1 ! number 2
2 1 ? Yes 1
2 1 ? No 1
.marking 0
.end

.outputs Server
.state graph
0 0 ? number 2
2 0 ! Yes 1
2 0 ! No 1
.marking 0
.end
";

    #[test]
    fn reads_what_it_writes() {
        let (machines, codes, names) = read(IS_EVEN);
        assert_eq!(codes, Vec::<&str>::new());
        assert_eq!(machines.len(), 2);
        assert_eq!(machines[0].state_count(), 3);
        assert_eq!(machines[0].transition_count(), 3);
        assert!(machines[0].is_final(LocalState(1)));
        let text = write_fsa(&machines, &names);
        let (again, codes, names) = read(&text);
        assert_eq!(codes, Vec::<&str>::new());
        assert_eq!(write_fsa(&again, &names), text);
    }

    #[test]
    fn states_may_have_names_and_partners_too() {
        let (machines, codes, names) = read(
            "-- KMC style\n.outputs A\n.state graph\nq0 B ! m q1\n.marking {q0}\n.end\n.outputs B\n.state graph\nx 0 ? m y\n.marking x\n.end\n",
        );
        assert_eq!(codes, Vec::<&str>::new());
        let q1 = machines[0].state_called("q1", &names);
        assert_eq!(q1, Some(LocalState(1)));
    }

    #[test]
    fn a_comment_may_follow_a_transition() {
        let (machines, codes, names) = read(
            "# all\n.outputs A -- first\n0 1 ! #1 1 -- note\n1 1 ! a--b 2 #note\n.marking 0 -- start\n.end -- A\n.outputs B\n.marking 0\n.end\n",
        );
        assert_eq!(codes, Vec::<&str>::new());
        let messages = machines[0].transitions();
        let messages: Vec<&str> = messages.map(|it| names.text(it.1.action.message)).collect();
        assert_eq!(messages, ["#1", "a--b"]);
    }

    #[test]
    fn three_mistakes_are_three_findings() {
        let (machines, codes, _) = read(
            ".outputs A\n.state graph\n0 1 ! m\n0 7 ! m 1\n0 0 ! m 1\n0 1 ? n 1\n.marking 5\n.end\n.outputs B\n.marking 0\n.end\n",
        );
        assert_eq!(codes, ["CH0830", "CH0831", "CH0204", "CH0832"]);
        // A message to oneself is a warning, and its transition is there.
        assert_eq!(machines[0].transition_count(), 2);
    }

    #[test]
    fn an_empty_file_has_no_machine() {
        let (machines, codes, _) = read("\n");
        assert_eq!(codes, ["CH0830"]);
        assert!(machines.is_empty());
    }
}
