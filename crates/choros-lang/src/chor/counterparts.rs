//! The other ends of the messages of roles: slips in names, and roles that two services of a system play.

use choros_base::{Diagnostic, Name, Names, Span, nearest};
use choros_model::stg::Direction;
use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{Item, Program, StatementKind, System};
use super::resolve::{Resolution, ends};
use crate::diagnostics::{MAX_FINDINGS, misspelt_message, role_played_twice};

/// What is odd about who talks to whom.
pub(super) fn check(program: &Program, resolution: &Resolution, names: &Names) -> Vec<Diagnostic> {
    let mut diagnostics = misspelt(program, names);
    let mut looked_at = 0;
    for item in &program.items {
        if let Item::System(system) = item {
            played_twice(
                program,
                resolution,
                names,
                system,
                &mut looked_at,
                &mut diagnostics,
            );
        }
    }
    diagnostics.truncate(MAX_FINDINGS);
    diagnostics
}

/// The roles between which a message goes.
type Pair = (Name, Name);

fn misspelt(program: &Program, names: &Names) -> Vec<Diagnostic> {
    // Each message with the sides that are seen of it, and the first place.
    let mut messages: FxHashMap<Pair, Vec<(Name, Direction, Span)>> = FxHashMap::default();
    let mut known: FxHashSet<(Pair, Name, Direction)> = FxHashSet::default();
    let mut one_sided: Vec<(Pair, Name, Direction, Span)> = Vec::new();
    for item in &program.items {
        let Some(body) = item.body() else { continue };
        for (_, statement) in program.statements.walk(body) {
            let StatementKind::Message(message) = &statement.kind else {
                continue;
            };
            let Some(ends) = ends(item, message) else {
                continue;
            };
            let (pair, side) = ((ends.from, ends.to), ends.direction);
            let operation = message.operation;
            if known.insert((pair, operation.name, side)) {
                let all = messages.entry(pair).or_default();
                all.push((operation.name, side, operation.span));
                if side != Direction::Interaction {
                    one_sided.push((pair, operation.name, side, operation.span));
                }
            }
        }
    }
    let mut diagnostics = Vec::new();
    // Two that miss each other are one slip.
    let mut blamed: FxHashSet<Span> = FxHashSet::default();
    for (pair, operation, side, span) in one_sided {
        let fits = |other: Direction| other != side;
        let others = [Direction::Interaction, Direction::Send, Direction::Receive];
        let met = others
            .into_iter()
            .any(|other| fits(other) && known.contains(&(pair, operation, other)));
        if met || blamed.contains(&span) || diagnostics.len() >= MAX_FINDINGS {
            continue;
        }
        let candidates: Vec<&(Name, Direction, Span)> = messages
            .get(&pair)
            .into_iter()
            .flatten()
            .filter(|&&(_, other, _)| fits(other))
            .take(MAX_FINDINGS)
            .collect();
        // `Ask1` is not a slip for `Ask2`.
        let letters = |text: &str| text.replace(|digit: char| digit.is_ascii_digit(), "");
        let own = letters(names.text(operation));
        let texts = candidates.iter().map(|&&(name, _, _)| names.text(name));
        let texts = texts.filter(|text| letters(text) != own);
        let Some(similar) = nearest(names.text(operation), texts) else {
            continue;
        };
        let there = candidates
            .iter()
            .find(|&&&(name, _, _)| names.text(name) == similar);
        if let Some(&&(_, _, there)) = there {
            let name = names.text(operation);
            blamed.insert(there);
            diagnostics.push(misspelt_message::diagnostic(span, name, similar, there));
        }
    }
    diagnostics
}

/// Systems of systems can repeat the same parts over and over; looking stops here.
const MAX_PARTS: usize = 100_000;

fn played_twice(
    program: &Program,
    resolution: &Resolution,
    names: &Names,
    system: &System,
    looked_at: &mut usize,
    diagnostics: &mut Vec<Diagnostic>,
) {
    // Which role is played by which item, and through which part of this system.
    let mut players: FxHashMap<Name, (usize, Span)> = FxHashMap::default();
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    for part in &system.parts {
        let mut pending: Vec<usize> = resolution.component(part.name).into_iter().collect();
        while let Some(position) = pending.pop() {
            *looked_at += 1;
            if *looked_at > MAX_PARTS || diagnostics.len() >= MAX_FINDINGS {
                return;
            }
            if !seen.insert(position) {
                continue;
            }
            match &program.items[position] {
                Item::Role(role) => {
                    let role = role.role().name;
                    let &mut (first, at) = players.entry(role).or_insert((position, part.span));
                    if first != position {
                        let name = |item: usize| names.text(program.items[item].name().name);
                        diagnostics.push(role_played_twice::diagnostic(
                            names.text(role),
                            (name(first), at),
                            (name(position), part.span),
                        ));
                    }
                }
                Item::System(inner) => {
                    let parts = inner.parts.iter().rev();
                    pending.extend(parts.filter_map(|part| resolution.component(part.name)));
                }
                _ => {}
            }
        }
    }
}
