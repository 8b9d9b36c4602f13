//! Pictures of properties.

use choros_model::stg::Direction;
use choros_query::property::{CandidateEvent, Property, Sense, Window};
use choros_report::{DrawnEdge, DrawnNode, DrawnTermination, GraphDrawing};
use choros_syntax::quote;

/// The automaton of one window: the context, then the wait for a consequence.
pub fn automaton(property: &Property) -> GraphDrawing {
    let mut drawing = GraphDrawing {
        name: property.name.clone(),
        roles: property.service.iter().cloned().collect(),
        ..GraphDrawing::default()
    };
    let node = |label: &str, is_end: bool| DrawnNode {
        label: label.to_owned(),
        terminations: if is_end {
            vec![DrawnTermination::default()]
        } else {
            Vec::new()
        },
        ..DrawnNode::default()
    };
    drawing.nodes.push(node("idle", false));
    let edge = |source, target, event: String, guard: Option<String>| DrawnEdge {
        source,
        target,
        guard,
        event,
        ..DrawnEdge::default()
    };
    let printed = |event: &CandidateEvent| {
        let bindings: Vec<String> = event
            .bindings
            .iter()
            .map(|binding| format!("{} = {}", binding.part.text(), binding.variable))
            .collect();
        let any = |name: &Option<String>| name.clone().unwrap_or_else(|| "any".to_owned());
        let sign = match event.direction {
            Some(Direction::Send) => "!",
            Some(Direction::Receive) => "?",
            _ => "",
        };
        let text = format!(
            "{}[{},{}]{sign}({})",
            any(&event.operation),
            any(&event.from),
            any(&event.to),
            if bindings.is_empty() {
                "any".to_owned()
            } else {
                bindings.join(", ")
            }
        );
        (text, event.condition.as_ref().map(|it| it.text.clone()))
    };
    let count = property.context.len();
    for (number, event) in property.context.iter().enumerate() {
        let label = if number + 1 == count {
            "waiting".to_owned()
        } else {
            format!("context {}", number + 1)
        };
        drawing.nodes.push(node(&label, false));
        let (text, guard) = printed(event);
        drawing.edges.push(edge(number, number + 1, text, guard));
        if number > 0 {
            drawing
                .edges
                .push(edge(number, 0, "any other message".to_owned(), None));
        }
    }
    let (met, unmet) = match property.sense {
        Sense::Expect => ("Pass", "Fail"),
        Sense::Never => ("Fail", "Pass"),
    };
    let waiting = count;
    drawing.nodes.push(node(met, true));
    drawing.nodes.push(node(unmet, true));
    for event in &property.consequence {
        let (text, guard) = printed(event);
        drawing.edges.push(edge(waiting, waiting + 1, text, guard));
    }
    let (inside, over) = match property.window {
        Window::Messages(count) => (
            format!("another message, fewer than {count} so far"),
            format!("message {count} is another"),
        ),
        Window::Milliseconds(length) => (
            format!("another message within {length} ms"),
            format!("a message after {length} ms"),
        ),
    };
    if property.window != Window::Messages(1) {
        drawing.edges.push(edge(waiting, waiting, inside, None));
    }
    drawing.edges.push(edge(waiting, waiting + 2, over, None));
    drawing.edges.sort_by_key(|edge| edge.source);
    drawing.dot = dot(&drawing);
    drawing
}

fn dot(drawing: &GraphDrawing) -> String {
    let mut out = format!("digraph {} {{\n", quote::dot(&drawing.name));
    for (number, node) in drawing.nodes.iter().enumerate() {
        let label = quote::dot(&node.label);
        out.push_str(&format!("  {number} [label={label}];\n"));
    }
    for edge in &drawing.edges {
        let guard = edge.guard.iter().map(|guard| format!("[{guard}] "));
        let label = quote::dot(&format!("{}{}", guard.collect::<String>(), edge.event));
        let (source, target) = (edge.source, edge.target);
        out.push_str(&format!("  {source} -> {target} [label={label}];\n"));
    }
    out.push_str("}\n");
    out
}
