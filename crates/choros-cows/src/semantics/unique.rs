//! Private names of which there is only one.

use rustc_hash::FxHashMap;

use super::Program;
use super::process::{Atom, Block, Id, Kind, Message, Process, STATIC, replace, visit_ids};

/// Makes a global name of a private one that is delimited around everything and is the only one of its spelling.
///
/// There will never be a second one that it could be mistaken for, so as a name it is as good; and clusters that know
/// it are no longer connected by it.
pub(super) fn fix_unique_names(program: &Program, body: &mut [Process]) {
    let mut spellings: FxHashMap<u32, usize> = FxHashMap::default();
    let mut count = |id: Id| {
        if id.kind == Kind::Name {
            *spellings.entry(id.spelling).or_default() += 1;
        }
    };
    program.initial.ids.iter().for_each(|&id| count(id));
    visit_binders(&program.initial.body, &mut count);
    let mut constants = Vec::new();
    visit_constants(&program.initial.body, &mut |symbol| constants.push(symbol));
    constants.sort_unstable();
    let mut unique = Vec::new();
    visit_ids(body, &mut |id| {
        // Numbers below those of the program are the ones that were just opened.
        let is_open = id.number < STATIC;
        if is_open
            && id.kind == Kind::Name
            && spellings.get(&id.spelling) == Some(&1)
            && constants.binary_search(&id.spelling).is_err()
        {
            unique.push(id.number);
        }
    });
    unique.sort_unstable();
    unique.dedup();
    replace(body, &|id| {
        let is_unique = unique.binary_search(&id.number).is_ok();
        is_unique.then_some(Atom::Constant(id.spelling))
    });
}

fn visit_binders(body: &[Process], visit: &mut impl FnMut(Id)) {
    let block = |block: &Block, visit: &mut dyn FnMut(Id)| {
        block.ids.iter().for_each(|&id| visit(id));
    };
    for process in body {
        match process {
            Process::Kill(..) | Process::Invoke(_) => {}
            Process::Choice(receives) => {
                for receive in receives {
                    block(&receive.continuation, visit);
                    visit_binders(&receive.continuation.body, visit);
                }
            }
            Process::Protection(body) | Process::Scope(_, body) => visit_binders(body, visit),
            Process::Replication(inner) => {
                block(inner, visit);
                visit_binders(&inner.body, visit);
            }
        }
    }
}

fn visit_constants(body: &[Process], visit: &mut impl FnMut(u32)) {
    let message = |message: &Message, visit: &mut dyn FnMut(u32)| {
        for atom in message.atoms() {
            if let Atom::Constant(symbol) = atom {
                visit(symbol);
            }
        }
    };
    for process in body {
        match process {
            Process::Kill(..) => {}
            Process::Invoke(it) => message(it, visit),
            Process::Choice(receives) => {
                for receive in receives {
                    message(&receive.message, visit);
                    visit_constants(&receive.continuation.body, visit);
                }
            }
            Process::Protection(body) | Process::Scope(_, body) => visit_constants(body, visit),
            Process::Replication(block) => visit_constants(&block.body, visit),
        }
    }
}
