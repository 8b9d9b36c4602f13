//! A g-choreography as a graph of events: what each participant does, in its own order.

use choros_base::{Budget, StopReason};
use choros_data::{Term, Terms};
use choros_model::gchor::Gchor;
use choros_model::stg::{Edge, Ending, Event, Message, NodeId, Operation, Role, Stg, StgBuilder};
use rustc_hash::FxHashMap;

use super::{GchorLanguage, WordState};

/// The language of a g-choreography, state by state; a state takes a step of the budget.
///
/// Its edges are sendings and receptions, ordered at each participant alone.
pub fn event_graph(
    name: &str,
    gchor: &Gchor,
    terms: &mut Terms,
    budget: &Budget,
) -> Result<Stg, StopReason> {
    let mut language = GchorLanguage::new(gchor);
    let mut builder = StgBuilder::new(name, Ending::Explicit);
    let mut numbers: FxHashMap<WordState, NodeId> = FxHashMap::default();
    let mut states = vec![language.start()];
    numbers.insert(language.start(), builder.node("1"));
    let mut next = 0;
    while next < states.len() {
        budget.spend()?;
        let (state, source) = (states[next], NodeId(next as u32));
        next += 1;
        if language.ends(state) {
            builder.terminate(terms, source, Term::TRUE, None);
        }
        for &(event, after) in language.steps(state).iter() {
            let event = language.residuals().events()[event.index()];
            let target = *numbers.entry(after).or_insert_with(|| {
                states.push(after);
                builder.node(states.len().to_string())
            });
            let edge = Edge {
                source,
                target,
                guard: Term::TRUE,
                event: Event::Message(Message {
                    operation: Operation(event.interaction.message),
                    from: Role(event.interaction.from),
                    to: Role(event.interaction.to),
                    direction: event.direction(),
                    fault: None,
                    fields: Vec::new(),
                }),
                updates: Vec::new(),
                origin: None,
            };
            builder.edge(terms, edge);
        }
    }
    Ok(builder.finish_as_built(NodeId(0)))
}
