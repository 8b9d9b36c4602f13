//! Which model a suite was made from, in one word.

use std::fmt::Write as _;

use choros_data::Terms;
use choros_model::interface::MessageType;
use choros_model::stg::write_stg;

use crate::{Derived, Orchestration};

impl Derived {
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

fn description(model: &Orchestration, terms: &Terms) -> String {
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
    for role in &model.played {
        let _ = writeln!(text, "played {}", name(role.0));
    }
    text
}

fn fnv1a(bytes: &[u8]) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(OFFSET, |hash, &byte| {
        (hash ^ u128::from(byte)).wrapping_mul(PRIME)
    })
}

#[cfg(test)]
mod tests {
    use super::fnv1a;

    /// The values of the algorithm's own test suite (FNV-1a, 128 bits).
    #[test]
    fn known_digests() {
        assert_eq!(fnv1a(b""), 0x6c62272e07bb014262b821756295c58d);
        assert_eq!(fnv1a(b"a"), 0xd228cb696f1a8caf78912b704e4a8964);
    }
}
