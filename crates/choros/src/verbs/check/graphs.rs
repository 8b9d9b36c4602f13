//! Is a graph sound?

use choros_data::{Terms, Value, Var};
use choros_model::stg::Stg;
use choros_realize::{StuckState, soundness};
use choros_report::answers::{Run, Soundness, Standing, Stop};
use choros_report::{Counted, GraphDrawing, Stat, Stats, StuckPlace};
use choros_smt::LazySolver;

use crate::Settings;

/// More states that are stuck than these are counted and listed for programs only.
const MOST_STUCK: usize = 10;

/// Finds transitions that can never fire, and states in which nothing goes on.
pub(super) fn check(
    stg: &Stg,
    terms: &mut Terms,
    solver: &mut LazySolver,
    settings: &Settings,
    run: &mut Run,
) -> Result<Soundness, Stop> {
    let found = soundness(stg, terms, solver, &settings.until_cancelled())
        .map_err(|error| Stop::World(error.to_string()))?;
    run.findings.extend(found.findings);
    let notes = &mut run.semantics.notes;
    if found.following > 0 {
        notes.push(format!(
            "unreachable behind dead transitions of `{}`: {}",
            stg.name(),
            Counted(Stat::Transitions, found.following as u64)
        ));
    }
    let stuck = found.stuck.stuck.iter();
    let stuck: Vec<StuckPlace> = stuck.map(|it| stuck_place(stg, it, terms)).collect();
    let places = stuck.iter().map(|it| stuck_note(stg, it));
    notes.extend(places.take(MOST_STUCK));
    if !found.stuck.undecided.is_empty() {
        notes.push(format!(
            "whether `{}` can be stuck in {} further states was not decided",
            stg.name(),
            found.stuck.undecided.len()
        ));
    }
    let reachability = &found.reachability;
    if !reachability.widened.is_empty() {
        notes.push(format!(
            "conditions were forgotten at {} states of `{}`: what is called dead is dead, but more may be",
            reachability.widened.len(),
            stg.name()
        ));
    }
    let mut stats = Stats::of_graph(stg)
        .with(Stat::Parameters, stg.parameters(terms).len())
        .with(Stat::Dead, found.dead)
        .with(Stat::Stuck, stuck.len());
    if found.undecided > 0 {
        stats = stats.with(Stat::Undecided, found.undecided);
    }
    Ok(Soundness {
        stats,
        complete: reachability.cut.is_none(),
        parameters: Soundness::parameters_of(stg, terms),
        stuck,
        drawings: GraphDrawing::pictures(&[(stg, reachability.dead_marks(stg))], terms),
        ..Soundness::new(stg.name(), Standing::Judged(found.verdict))
    })
}

/// Where nothing goes on, and for which data.
fn stuck_place(stg: &Stg, stuck: &StuckState, terms: &Terms) -> StuckPlace {
    let value = |(variable, value): &(Var, Value)| {
        let variable = terms.variable_text(*variable).to_owned();
        (variable, terms.print_value(value))
    };
    StuckPlace {
        state: stg.node(stuck.node).label.clone(),
        data: stuck.data.iter().map(value).collect(),
    }
}

/// The same for people.
fn stuck_note(stg: &Stg, place: &StuckPlace) -> String {
    let data = place.data.iter();
    let data: Vec<String> = data
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let when = if data.is_empty() {
        "whatever the data".to_owned()
    } else {
        format!("for example with {}", data.join(", "))
    };
    format!(
        "`{}`: nothing goes on in state {}, {when}",
        stg.name(),
        place.state
    )
}
