//! The product against its naive twin: components that run side by side, each on its own graph and its own values,
//! and meet in messages.

mod support;

use std::collections::BTreeSet;

use choros_base::Budget;
use choros_data::{Assignment, Op, Sort, Term, Terms, Value, Var};
use choros_model::stg::run::{self, RunState, RunStep};
use choros_model::stg::{
    Direction, Edge, EdgeId, Ending, Event, Field, FieldValue, Message, NodeId, Operation, Role,
    Stg, StgBuilder, Update, product,
};
use proptest::prelude::*;

/// A component in numbers; the three of a case are called 0, 1, 2 and play the roles `r0`, `r1`, `r2`.
#[derive(Debug, Clone)]
struct Plan {
    edges: Vec<EdgePlan>,
    ends: Vec<(u32, Option<GuardPlan>)>,
}

#[derive(Debug, Clone)]
struct EdgePlan {
    source: u32,
    target: u32,
    guard: Option<GuardPlan>,
    kind: u32,
    partner: usize,
    operation: u32,
    fields: Vec<FieldPlan>,
    swap_fields: bool,
    updates: Vec<(u32, Operand)>,
}

/// Variable equals operand.
type GuardPlan = (u32, Operand);

#[derive(Debug, Clone, Copy)]
enum Operand {
    Number(i64),
    Variable(u32),
}

#[derive(Debug, Clone, Copy)]
enum FieldPlan {
    Bind(u32),
    Free(Operand),
}

const NODES: u32 = 3;
const VARIABLES: u32 = 2;

fn operand() -> impl Strategy<Value = Operand> {
    prop_oneof![
        (0..2i64).prop_map(Operand::Number),
        (0..VARIABLES).prop_map(Operand::Variable),
    ]
}

fn guard() -> impl Strategy<Value = Option<GuardPlan>> {
    prop::option::weighted(0.3, (0..VARIABLES, operand()))
}

fn field() -> impl Strategy<Value = FieldPlan> {
    prop_oneof![
        3 => (0..VARIABLES).prop_map(FieldPlan::Bind),
        2 => operand().prop_map(FieldPlan::Free),
    ]
}

fn edge(data: bool) -> impl Strategy<Value = EdgePlan> {
    let most = usize::from(data) * 2;
    (
        (0..NODES, 0..NODES),
        guard(),
        (0..10u32, 1..3usize, 0..2u32),
        prop::collection::vec(field(), 0..=most),
        any::<bool>(),
        prop::collection::vec((0..VARIABLES, operand()), 0..=most),
    )
        .prop_map(
            move |(
                (source, target),
                guard,
                (kind, partner, operation),
                fields,
                swap_fields,
                updates,
            )| {
                EdgePlan {
                    source,
                    target,
                    guard: guard.filter(|_| data),
                    kind,
                    partner,
                    operation,
                    fields,
                    swap_fields,
                    updates,
                }
            },
        )
}

fn plan(data: bool) -> impl Strategy<Value = Plan> {
    (
        prop::collection::vec(edge(data), 1..6),
        prop::collection::vec((0..NODES, guard()), 0..2),
    )
        .prop_map(move |(edges, ends)| Plan {
            edges,
            ends: ends
                .into_iter()
                .map(|(node, guard)| (node, guard.filter(|_| data)))
                .collect(),
        })
}

/// The graph of a plan; all components use the same names for their variables, on purpose.
fn build(index: usize, plan: &Plan, terms: &mut Terms) -> Stg {
    let mut builder = StgBuilder::new(format!("c{index}"), Ending::Explicit);
    for node in 0..NODES {
        builder.node(node.to_string());
    }
    for edge in &plan.edges {
        let guard = guard_term(edge.guard, terms);
        let edge = Edge {
            source: NodeId(edge.source),
            target: NodeId(edge.target),
            guard,
            event: event(index, edge, terms),
            updates: edge
                .updates
                .iter()
                .map(|&(variable, value)| Update {
                    variable: variable_of(variable, terms),
                    value: operand_term(value, terms),
                })
                .collect(),
            origin: None,
        };
        builder.edge(terms, edge);
    }
    for &(node, guard) in &plan.ends {
        let guard = guard_term(guard, terms);
        builder.terminate(terms, NodeId(node), guard, None);
    }
    builder.finish(NodeId(0))
}

fn event(index: usize, plan: &EdgePlan, terms: &mut Terms) -> Event {
    let partner = (index + plan.partner) % 3;
    let (direction, from, to) = match plan.kind {
        0 => return Event::Silent,
        1 => (Direction::Interaction, index, partner),
        2..=5 => (Direction::Send, index, partner),
        _ => (Direction::Receive, partner, index),
    };
    let mut name = |text: String| terms.names.intern(&text);
    let (operation, from, to) = (
        Operation(name(format!("op{}", plan.operation))),
        Role(name(format!("r{from}"))),
        Role(name(format!("r{to}"))),
    );
    let labels = plan.fields.len() == 2;
    let mut fields: Vec<Field> = plan
        .fields
        .iter()
        .enumerate()
        .map(|(position, &field)| Field {
            label: labels.then(|| terms.names.intern(["left", "right"][position])),
            value: match field {
                FieldPlan::Bind(variable) => FieldValue::Bind(variable_of(variable, terms)),
                FieldPlan::Free(operand) => FieldValue::Free(operand_term(operand, terms)),
            },
        })
        .collect();
    if plan.swap_fields {
        fields.reverse();
    }
    Event::Message(Message {
        operation,
        from,
        to,
        direction,
        fault: None,
        fields,
    })
}

fn guard_term(guard: Option<GuardPlan>, terms: &mut Terms) -> Term {
    match guard {
        None => Term::TRUE,
        Some((variable, operand)) => {
            let variable = variable_of(variable, terms);
            let variable = terms.var(variable);
            let operand = operand_term(operand, terms);
            terms.compare(Op::Equal, variable, operand)
        }
    }
}

fn variable_of(index: u32, terms: &mut Terms) -> Var {
    let name = terms.names.intern(["x", "y"][index as usize]);
    terms.variable(name, Sort::INT)
}

fn operand_term(operand: Operand, terms: &mut Terms) -> Term {
    match operand {
        Operand::Number(value) => terms.int(value),
        Operand::Variable(variable) => {
            let variable = variable_of(variable, terms);
            terms.var(variable)
        }
    }
}

/// All variables start as 0.
fn zeros(stg: &Stg, terms: &Terms) -> Assignment {
    let variables = stg.variables(terms);
    variables
        .into_iter()
        .map(|one| (one, Value::int(0)))
        .collect()
}

/// All ways to give 0 or 1 to this many bound fields.
fn values(count: usize) -> Vec<Vec<Value>> {
    (0..1u32 << count)
        .map(|bits| (0..count).map(|bit| Value::int(bits >> bit & 1)).collect())
        .collect()
}

/// The label of a step with its values, fields sorted by label.
fn told(event: &Event, carried: &[Value], terms: &Terms) -> String {
    match event {
        Event::Message(message) => {
            let mut fields: Vec<String> = message
                .fields
                .iter()
                .zip(carried)
                .map(|(field, value)| {
                    let label = field.label.map_or("", |label| terms.names.text(label));
                    format!("{label}={}", terms.print_value(value))
                })
                .collect();
            fields.sort();
            format!("{}({})", message.heading(terms), fields.join(","))
        }
        other => other.text(terms),
    }
}

type Traces = BTreeSet<Vec<String>>;

/// All traces of a graph up to a length, with `end` where a run may end.
fn traces(stg: &Stg, terms: &Terms, depth: usize) -> Traces {
    let mut found = Traces::new();
    let mut work = vec![(run::start(stg, zeros(stg, terms)), Vec::new())];
    while let Some((situation, trace)) = work.pop() {
        if run::may_end(stg, &situation, terms).expect("all variables have values") {
            let mut ended = trace.clone();
            ended.push("end".to_owned());
            found.insert(ended);
        }
        if trace.len() < depth {
            for edge in run::enabled(stg, &situation, terms).expect("all variables have values") {
                let event = &stg.edge(edge).event;
                for brought in values(event.bound_variables().count()) {
                    let choice = RunStep {
                        edge,
                        bound_values: brought,
                    };
                    let fired = run::fire(stg, &situation, &choice, terms).expect("enabled");
                    let mut longer = trace.clone();
                    longer.push(told(event, &fired.carried, terms));
                    work.push((fired.state, longer));
                }
            }
        }
        found.insert(trace);
    }
    found
}

/// The same of components that run side by side.
fn traces_side_by_side(components: &[Stg], terms: &Terms, depth: usize) -> Traces {
    let mut found = Traces::new();
    let start: Vec<RunState> = components
        .iter()
        .map(|component| run::start(component, zeros(component, terms)))
        .collect();
    let mut work = vec![(start, Vec::new())];
    while let Some((situations, trace)) = work.pop() {
        let may_end = |(component, situation)| {
            run::may_end(component, situation, terms).expect("all variables have values")
        };
        if components.iter().zip(&situations).all(may_end) {
            let mut ended: Vec<String> = trace.clone();
            ended.push("end".to_owned());
            found.insert(ended);
        }
        if trace.len() < depth {
            for (label, after) in joint_steps(components, &situations, terms) {
                let mut longer = trace.clone();
                longer.push(label);
                work.push((after, longer));
            }
        }
        found.insert(trace);
    }
    found
}

fn joint_steps(
    components: &[Stg],
    situations: &[RunState],
    terms: &Terms,
) -> Vec<(String, Vec<RunState>)> {
    let mut steps = Vec::new();
    for (sender, component) in components.iter().enumerate() {
        for (edge, sending) in component.outgoing(situations[sender].node) {
            for brought in values(sending.event.bound_variables().count()) {
                let choice = RunStep {
                    edge,
                    bound_values: brought,
                };
                let Ok(sent) = run::fire(component, &situations[sender], &choice, terms) else {
                    continue;
                };
                let mut after = situations.to_vec();
                after[sender] = sent.state;
                let direction = sending.event.message().map(|message| message.direction);
                match direction {
                    None | Some(Direction::Interaction) => {
                        steps.push((told(&sending.event, &sent.carried, terms), after));
                    }
                    Some(Direction::Receive) => {}
                    Some(Direction::Send) => {
                        for (receiver, other) in components.iter().enumerate() {
                            if receiver == sender {
                                continue;
                            }
                            for (edge, receiving) in other.outgoing(situations[receiver].node) {
                                let Some(taken) = take(
                                    &sending.event,
                                    &sent.carried,
                                    other,
                                    &situations[receiver],
                                    edge,
                                    &receiving.event,
                                    terms,
                                ) else {
                                    continue;
                                };
                                let mut after = after.clone();
                                after[receiver] = taken;
                                steps.push((told(&sending.event, &sent.carried, terms), after));
                            }
                        }
                    }
                }
            }
        }
    }
    steps
}

/// Where the receiver is after taking just these values, if it takes them.
fn take(
    sending: &Event,
    carried: &[Value],
    receiver: &Stg,
    situation: &RunState,
    edge: EdgeId,
    receiving: &Event,
    terms: &Terms,
) -> Option<RunState> {
    let (sent, wanted) = (sending.message()?, receiving.message()?);
    let fits = wanted.direction == Direction::Receive
        && (wanted.operation, wanted.from, wanted.to) == (sent.operation, sent.from, sent.to)
        && wanted.fields.len() == sent.fields.len();
    if !fits {
        return None;
    }
    let arrives = |field: &Field| {
        let position = sent.fields.iter().position(|one| one.label == field.label);
        position.map(|position| carried[position].clone())
    };
    let arriving: Vec<Value> = wanted.fields.iter().filter_map(arrives).collect();
    let brought = wanted
        .fields
        .iter()
        .zip(&arriving)
        .filter(|(field, _)| matches!(field.value, FieldValue::Bind(_)))
        .map(|(_, value)| value.clone())
        .collect();
    let taken = run::fire(
        receiver,
        situation,
        &RunStep {
            edge,
            bound_values: brought,
        },
        terms,
    )
    .ok()?;
    (taken.carried == arriving).then_some(taken.state)
}

fn agree(plans: &[Plan], depth: usize) {
    let mut terms = Terms::new();
    let components: Vec<Stg> = plans
        .iter()
        .enumerate()
        .map(|(index, plan)| build(index, plan, &mut terms))
        .collect();
    let references: Vec<&Stg> = components.iter().collect();
    let product = product("all", &references, &Budget::steps(1_000), &mut terms)
        .expect("three components of three nodes have at most 27 tuples");
    assert!(product.stg.nodes().len() <= 27);
    assert_eq!(
        traces(&product.stg, &terms, depth),
        traces_side_by_side(&components, &terms, depth),
        "{}",
        support::lines(&product.stg, &terms).join("\n")
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn without_data_the_product_does_what_its_components_do(
        plans in prop::collection::vec(plan(false), 2..=3),
    ) {
        agree(&plans, 4);
    }

    #[test]
    fn with_data_the_product_does_what_its_components_do(
        plans in prop::collection::vec(plan(true), 2..=3),
    ) {
        agree(&plans, 3);
    }
}
