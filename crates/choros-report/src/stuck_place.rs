//! A state in which nothing continues for some data.

use std::collections::BTreeMap;

use choros_data::Terms;
use choros_model::stg::Stg;
use choros_realize::StuckState;
use serde::Serialize;

/// Where a run can be stuck, and with which values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StuckPlace {
    /// The state, as people call it.
    pub state: String,
    /// Values of variables with which nothing continues there; none where that is so whatever the data.
    pub data: BTreeMap<String, String>,
}

impl StuckPlace {
    /// Where nothing continues, and for which data.
    pub fn of(stuck: &StuckState, stg: &Stg, terms: &Terms) -> StuckPlace {
        let data = stuck.data.iter().map(|(variable, value)| {
            let variable = terms.variable_text(*variable).to_owned();
            (variable, terms.print_value(value))
        });
        StuckPlace {
            state: stg.node(stuck.node).label.clone(),
            data: data.collect(),
        }
    }
}

impl std::fmt::Display for StuckPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let data = self.data.iter();
        let data: Vec<String> = data
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        write!(f, "no step is possible in state {}, ", self.state)?;
        if data.is_empty() {
            f.write_str("whatever the data")
        } else {
            write!(f, "for example with {}", data.join(", "))
        }
    }
}
