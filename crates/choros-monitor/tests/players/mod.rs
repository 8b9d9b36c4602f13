//! What laws about random choreographies begin with: a model, logs of its roles, an audit.

use choros_base::{Budget, SourceMap};
use choros_data::Terms;
use choros_model::observation::{Datum, Number, Observation};
use choros_model::stg::{Direction, Role, Stg, read_stg};
use choros_monitor::audit::{Audit, Auditing, Hypothesis, Log, audit};
use choros_testkit::SeenMessage;

/// The graph that a text describes.
pub(crate) fn model(text: &str, terms: &mut Terms) -> Stg {
    let mut sources = SourceMap::new();
    let file = sources.add("random.stg", text.to_owned());
    let (stg, mistakes) = read_stg(file, text, terms);
    assert!(mistakes.is_empty(), "{text}{mistakes:?}");
    stg
}

/// What a role saw, each message with its identity; `finish` adds what else a record tells.
pub(crate) fn log<'m>(
    role: Role,
    seen: impl IntoIterator<Item = (&'m SeenMessage, Direction, usize)>,
    finish: impl Fn(&mut Observation<'static>, usize),
    terms: &Terms,
) -> Log {
    let name = |role: Role| terms.names.text(role.0).to_owned();
    let observation = |((operation, from, to, values), direction, id): (&SeenMessage, _, usize)| {
        let mut seen = Observation::new(operation.clone(), name(*from), name(*to), direction);
        seen.id = Some(id.to_string().into());
        for &value in values {
            let value = Datum::Number(Number::from(value));
            seen.data.push(("value".into(), value));
        }
        finish(&mut seen, id);
        seen
    };
    Log {
        source: format!("{}.jsonl", name(role)),
        role: name(role),
        hypothesis: Hypothesis::Cut,
        promises_data: false,
        observations: seen.into_iter().map(observation).collect(),
    }
}

pub(crate) fn judged(stg: &Stg, logs: &[Log], how: &Auditing, terms: &mut Terms) -> Audit {
    let mut solver = choros_smt::find().expect("tests have a solver");
    let budget = Budget::unlimited();
    audit(stg, logs, how, terms, &mut *solver, &budget).expect("the solver works")
}
