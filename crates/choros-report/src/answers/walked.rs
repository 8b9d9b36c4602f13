//! Where a run stands that someone chose step by step.

use choros_data::Terms;
use choros_model::Evidence;
use choros_model::evidence::Table;
use choros_model::walk::{Walk, WalkOption};

use super::Present;
use crate::run_purpose::{Seen, purpose, seen};
use crate::{Block, NamedResult, SUITE};

/// The answer of `explore --walk`.
#[derive(Debug, Clone)]
pub struct WalkAnswer {
    /// The model.
    pub name: String,
    /// Where the run stands.
    pub walk: Walk,
    /// Of machines: the tests that the run gives; none before its first step.
    pub tests: Option<RunTests>,
}

/// The tests that a run of machines gives.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunTests {
    /// The participants that can be tested by it.
    pub roles: Vec<String>,
    /// Those that took part and cannot, each with why: its own machine does not pass, or that was not decided.
    pub left_out: Vec<(String, String)>,
    /// The tests as a suite in JSON.
    pub suite: Option<String>,
}

impl Present for WalkAnswer {
    const VERB: &'static str = "explore";

    fn outcomes(self, _: &Terms) -> Vec<NamedResult> {
        let walk = &self.walk;
        let mut blocks = Vec::new();
        if !walk.run.steps.is_empty() {
            blocks.push(Block::Evidence(Box::new(Evidence::Trace(walk.run.clone()))));
        }
        let here = Evidence::Configuration(walk.configuration.clone());
        blocks.push(Block::Evidence(Box::new(here)));
        for (role, values) in &walk.known {
            let values: Vec<String> = values
                .iter()
                .map(|it| format!("{} = {}", it.variable, it.value))
                .collect();
            if !values.is_empty() {
                blocks.push(Block::Line(format!("{role} knows {}", values.join(", "))));
            }
        }
        blocks.push(Block::Evidence(Box::new(Evidence::Table(offers(
            &walk.offers,
        )))));
        let lines = [
            walk.may_end.then(|| "it may end here".to_owned()),
            (walk.offers.is_empty() && walk.cut.is_none()).then(|| "nothing can follow".to_owned()),
            walk.cut
                .as_ref()
                .map(|it| format!("what follows is not known: {it}")),
        ];
        blocks.extend(lines.into_iter().flatten().map(Block::Line));
        for (format, text) in saved(walk) {
            blocks.push(Block::Picture { format, text });
        }
        blocks.extend(self.tests.into_iter().flat_map(tests));
        vec![NamedResult {
            name: self.name,
            blocks,
            walk: Some(Box::new(self.walk)),
            ..NamedResult::default()
        }]
    }
}

/// Who can be tested by a run of machines, and the suite, which is for programs to read.
fn tests(found: RunTests) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !found.roles.is_empty() {
        let roles = found.roles.join(", ");
        blocks.push(Block::Line(format!("the run is a test of {roles}")));
    }
    for (role, reason) in found.left_out {
        let line =
            format!("the run is not a test of {role}, whose own machine may fail it: {reason}");
        blocks.push(Block::Line(line));
    }
    let suite = found.suite;
    blocks.extend(suite.map(|text| Block::Picture {
        format: SUITE,
        text,
    }));
    blocks
}

fn offers(offers: &[WalkOption]) -> Table {
    let row = |(position, offer): (usize, &WalkOption)| {
        let wanted = offer
            .open_variables
            .iter()
            .map(|(name, sort)| format!("{name}: {sort}"));
        let wanted: Vec<String> = wanted.collect();
        let proposed = offer.proposals.iter().map(|it| match &it.values {
            Ok(values) => {
                let values = values
                    .iter()
                    .map(|it| format!("{} = {}", it.variable, it.value));
                let values: Vec<String> = values.collect();
                format!("{} for {}", values.join(", "), it.next)
            }
            Err(reason) => format!("{}: {reason}", it.next),
        });
        let proposed: Vec<String> = proposed.collect();
        let remark = match &offer.refused {
            Some(reason) => format!("refused: {reason}"),
            None => proposed.join("; "),
        };
        vec![
            (position + 1).to_string(),
            offer.event.clone(),
            offer.target.clone(),
            wanted.join(", "),
            remark,
        ]
    };
    let columns = ["step", "event", "leads to", "choose", "remarks"];
    Table {
        columns: columns.map(str::to_owned).to_vec(),
        rows: offers.iter().enumerate().map(row).collect(),
    }
}

/// The run in forms to keep: a property for monitors about the sender of its last message, and a test purpose for the
/// service that its first message goes to.
fn saved(walk: &Walk) -> Vec<(&'static str, String)> {
    let seen = seen(&walk.run);
    let mut forms = Vec::new();
    forms.extend(property(&seen).map(|text| ("prop", text)));
    forms.extend(purpose(&seen, None, walk.may_end).map(|text| ("tp", text)));
    forms
}

fn property(seen: &[Seen<'_>]) -> Option<String> {
    let role = seen.last()?.from;
    let own: Vec<String> = seen
        .iter()
        .filter(|it| it.from == role || it.to == role)
        .map(|it| {
            let sign = if it.from == role { "!" } else { "?" };
            format!("{}[{},{}]{sign}(any)", it.operation, it.from, it.to)
        })
        .collect();
    let (last, before) = own.split_last()?;
    if before.is_empty() {
        return None;
    }
    let context = before.join(" ");
    Some(format!(
        "property run on {role} {{ context {context} within 1 messages expect {last} }}\n"
    ))
}
