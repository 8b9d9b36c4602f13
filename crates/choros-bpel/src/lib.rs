#![doc = include_str!("../README.md")]

mod bpel4ws;
pub mod calculus;
pub mod process;
pub mod static_rules;
mod vocabulary;

use choros_base::CodeInfo;

/// All codes of the crate: of the reader of processes, and of the static rules.
pub const CODES: &[&CodeInfo] = &ALL;

const ALL: [&CodeInfo; process::CODES.len() + static_rules::CODES.len()] = {
    let (first, second) = (process::CODES, static_rules::CODES);
    let mut all = [first[0]; process::CODES.len() + static_rules::CODES.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = if at < first.len() {
            first[at]
        } else {
            second[at - first.len()]
        };
        at += 1;
    }
    all
};
