//! Safety for any number of sessions that share counters.

use choros_base::{Budget, Names};
use choros_data::{Terms, Value, Var};
use choros_model::evidence::Table;
use choros_model::stg::{Sessions, Stg};
use choros_model::{Evidence, Verdict};
use choros_query::socl::Formula;

use crate::counters::CounterMachine;
use crate::cover::{Coverage, coverage};
use crate::observer::Observer;

/// *Holds* where a formula about all sessions is shown for any number of them; otherwise why it is not.
pub fn safe_for_any_number(
    stg: &Stg,
    sessions: &Sessions,
    initial: &[(Var, Value)],
    (formula, names): (&Formula, &Names),
    terms: &Terms,
    budget: &Budget,
) -> Result<Verdict, String> {
    if stg.edges().iter().any(|it| it.event.is_tick()) {
        return Err("roles measure time".to_owned());
    }
    let Some(observer) = Observer::of(formula) else {
        return Err(
            "it is not a safety formula of `AG`, `[…]`, `and`, and the negations of `EF` and `<…>`"
                .to_owned(),
        );
    };
    let machine = CounterMachine::of(stg, sessions, initial, &observer, (names, terms));
    match coverage(&machine, budget) {
        Err(_) => Err("the search for all numbers was stopped".to_owned()),
        Ok(Coverage::Reached) => {
            Err("it may fail if data and upper bounds are left out of account".to_owned())
        }
        Ok(Coverage::Safe(forbidden)) => {
            let mut rows = Vec::new();
            for least in &forbidden {
                let mut parts = Vec::new();
                for (place, &count) in least.counters[..machine.places].iter().enumerate() {
                    if count > 0 {
                        let label = &stg.nodes()[place].label;
                        parts.push(format!("{count} in state {label}"));
                    }
                }
                for (position, &count) in least.counters[machine.places..].iter().enumerate() {
                    if count > 0 {
                        parts.push(format!("{} >= {count}", machine.names[position]));
                    }
                }
                rows.push(vec![least.control.to_string(), parts.join(", ")]);
            }
            Ok(Verdict::Holds(Evidence::Table(Table {
                columns: vec!["seen".to_owned(), "never together".to_owned()],
                rows,
            })))
        }
    }
}
