//! Which model a suite was made from, in one word.

use std::fmt::Write as _;

use choros_data::Terms;
use choros_model::interface::MessageType;
use choros_model::stg::write_stg;

use crate::fnv::fnv1a;
use crate::{DerivedTests, ServiceModel};

impl DerivedTests {
    /// A digest of everything that the tests and their verdicts depend on: the graph, what messages hold and promise,
    /// who is played, and the words.
    ///
    /// It is a fingerprint against mistakes and not against forgers: FNV-1a with 128 bits.
    pub fn digest(&self, terms: &Terms) -> String {
        let mut text = description(&self.orchestration, terms);
        if let Some(product) = &self.unpruned {
            // What a purpose says is in its product with the model.
            for edge in product.edges() {
                let guard = terms.print(edge.guard);
                let _ = writeln!(text, "{} {} {guard}", edge.source.0, edge.target.0);
            }
        }
        for word in &self.words {
            let _ = writeln!(text, "word {word}");
        }
        format!("{:032x}", fnv1a(text.as_bytes()))
    }
}

fn description(model: &ServiceModel, terms: &Terms) -> String {
    let mut text = write_stg(&model.stg, terms);
    let name = |name| terms.names.text(name);
    let carried = |carried: &MessageType| {
        let sort = terms.sort_text(carried.sort);
        let constraint = carried.constraint.map(|(_, formula)| terms.print(formula));
        format!("{sort} {}", constraint.unwrap_or_default())
    };
    for one in &model.interface.operations {
        let _ = writeln!(
            text,
            "{} {} {:?}",
            name(one.partner.0),
            name(one.operation.0),
            one.side
        );
        let _ = writeln!(text, "in {}", carried(&one.input));
        if let Some(output) = &one.output {
            let _ = writeln!(text, "out {}", carried(output));
        }
        for (fault, of) in &one.faults {
            let _ = writeln!(text, "fault {} {}", name(*fault), carried(of));
        }
        if let Some(contract) = &one.contract {
            let _ = writeln!(text, "promise {}", terms.print(contract.formula));
        }
    }
    let mut played: Vec<&str> = model.played.iter().map(|role| name(role.0)).collect();
    played.sort_unstable();
    let _ = writeln!(text, "played {}", played.join(" "));
    text
}
