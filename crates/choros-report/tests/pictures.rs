//! Pictures of random graphs and traces: well-formed, the same every time, and nothing on top of anything else.

use choros_base::SourceMap;
use choros_model::Evidence;
use choros_model::evidence::{Binding, FaultStep, MessageFault, Step, StepEvent, Trace, Tree};
use choros_model::stg::Direction;
use choros_report::{
    DrawnEdge, DrawnNode, DrawnTermination, GraphDrawing, Style, evidence_svg, graph_mermaid,
    graph_svg, graph_text, sequence_svg, sequence_text, trace_mermaid,
};

/// Numbers that look random and are the same every time (xorshift).
struct Numbers(u64);

impl Numbers {
    fn new(seed: u64) -> Self {
        Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    fn text(&mut self) -> String {
        const TEXTS: [&str; 12] = [
            "x",
            "Request[b,v].<x>",
            "x > 0 and y <= 5 and z != \"a & b\"",
            "",
            "a<b>&\"'",
            "τ → √ 漢字",
            "\u{1}\u{7f}\u{fffe}control",
            "-- ; # %% : {} | end",
            "a_very_long_name_without_any_blank_in_it_that_goes_on_and_on_and_on_and_on_and_on_and_on",
            "line\nbreak\ttab",
            "]]> <!-- </svg>",
            "many words in a guard that is so long that it has to be broken into several lines to be read at all",
        ];
        TEXTS[self.below(TEXTS.len())].to_owned()
    }
}

fn random_drawing(seed: u64) -> GraphDrawing {
    let mut numbers = Numbers::new(seed);
    let size = 1 + numbers.below(30);
    let mut drawing = GraphDrawing {
        name: numbers.text(),
        roles: vec![numbers.text(), "v".to_owned()],
        parameters: vec![format!("{}: Int", numbers.text())],
        initial: numbers.below(size),
        ..GraphDrawing::default()
    };
    for index in 0..size {
        let mut node = DrawnNode {
            label: if numbers.one_in(3) {
                numbers.text()
            } else {
                index.to_string()
            },
            stuck: numbers.one_in(6),
            ..DrawnNode::default()
        };
        if numbers.one_in(2) {
            node.variables = vec![numbers.text(), "y".to_owned()];
        }
        if numbers.one_in(3) {
            node.terminations.push(DrawnTermination {
                guard: numbers.one_in(2).then(|| numbers.text()),
                dead: numbers.one_in(2),
            });
        }
        drawing.nodes.push(node);
    }
    for _ in 0..numbers.below(2 * size + 1) {
        drawing.edges.push(DrawnEdge {
            source: numbers.below(size),
            target: numbers.below(size),
            guard: numbers.one_in(2).then(|| numbers.text()),
            event: numbers.text(),
            silent: numbers.one_in(5),
            updates: if numbers.one_in(4) {
                vec![numbers.text()]
            } else {
                Vec::new()
            },
            dead: numbers.one_in(5),
        });
    }
    drawing.edges.sort_by_key(|edge| edge.source);
    drawing
}

fn random_trace(seed: u64) -> Trace {
    let mut numbers = Numbers::new(seed);
    let binding = |numbers: &mut Numbers| Binding {
        variable: numbers.text(),
        value: numbers.text(),
    };
    let mut trace = Trace {
        conclusion: numbers.text(),
        ..Trace::default()
    };
    for _ in 0..numbers.below(3) {
        trace.start.push(binding(&mut numbers));
    }
    for _ in 0..numbers.below(30) {
        let event = match numbers.below(8) {
            0 => StepEvent::Silent,
            1 => StepEvent::Termination,
            2 => StepEvent::Other(numbers.text()),
            3 => StepEvent::Fault(FaultStep::Message {
                what: [
                    MessageFault::Lost,
                    MessageFault::Doubled,
                    MessageFault::Overtakes,
                ][numbers.below(3)],
                operation: numbers.text(),
                from: ["buyer", "vendor", "b<\">"][numbers.below(3)].to_owned(),
                to: ["buyer", "vendor", "bank"][numbers.below(3)].to_owned(),
            }),
            4 => StepEvent::Fault(FaultStep::Crash {
                role: ["buyer", "vendor", "b<\">"][numbers.below(3)].to_owned(),
            }),
            _ => StepEvent::Message {
                operation: numbers.text(),
                from: ["buyer", "vendor", "b<\">"][numbers.below(3)].to_owned(),
                to: ["buyer", "vendor", "bank"][numbers.below(3)].to_owned(),
                direction: [Direction::Interaction, Direction::Send, Direction::Receive]
                    [numbers.below(3)],
                fields: vec![(numbers.text(), numbers.text())],
            },
        };
        trace.steps.push(Step {
            event,
            guard: numbers.one_in(3).then(|| numbers.text()),
            bindings: if numbers.one_in(3) {
                vec![binding(&mut numbers)]
            } else {
                Vec::new()
            },
            states: None,
            origin: None,
        });
    }
    trace
}

/// A rectangle: left, top, right, bottom.
type Area = [f64; 4];

fn overlap(one: &Area, other: &Area) -> bool {
    let slack = 0.2;
    one[0] + slack < other[2]
        && other[0] + slack < one[2]
        && one[1] + slack < other[3]
        && other[1] + slack < one[3]
}

fn inside(inner: &Area, outer: &Area) -> bool {
    inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3]
}

/// The areas of texts and of nodes in the moved part of a picture.
fn areas(svg: &str, seed: u64) -> (Vec<Area>, Vec<Area>) {
    let document = match roxmltree::Document::parse(svg) {
        Ok(document) => document,
        Err(error) => panic!("seed {seed}: {error}\n{svg}"),
    };
    let number = |node: roxmltree::Node<'_, '_>, name: &str| -> f64 {
        node.attribute(name)
            .and_then(|it| it.parse().ok())
            .unwrap_or(0.0)
    };
    let (mut texts, mut nodes) = (Vec::new(), Vec::new());
    let moved = document
        .descendants()
        .filter(|it| it.has_attribute("transform"));
    for element in moved.flat_map(|it| it.children()) {
        let (x, y) = (number(element, "x"), number(element, "y"));
        match element.tag_name().name() {
            "text" => {
                let (length, size) = (number(element, "textLength"), number(element, "font-size"));
                let left = match element.attribute("text-anchor") {
                    Some("middle") => x - length / 2.0,
                    _ => x,
                };
                texts.push([left, y - 0.75 * size, left + length, y + 0.2 * size]);
            }
            "rect" => {
                nodes.push([
                    x,
                    y,
                    x + number(element, "width"),
                    y + number(element, "height"),
                ]);
            }
            _ => {}
        }
    }
    (texts, nodes)
}

#[test]
fn in_pictures_of_graphs_no_text_lies_on_another_text_or_node() {
    for seed in 0..200 {
        let drawing = random_drawing(seed);
        let svg = match graph_svg(&drawing) {
            Ok(svg) => svg,
            Err(refusal) => panic!("seed {seed}: {refusal}"),
        };
        assert_eq!(Ok(&svg), graph_svg(&drawing).as_ref(), "seed {seed}");
        let (texts, nodes) = areas(&svg, seed);
        for (index, text) in texts.iter().enumerate() {
            for other in &texts[index + 1..] {
                assert!(!overlap(text, other), "seed {seed}: {text:?} and {other:?}");
            }
            for node in &nodes {
                let apart = !overlap(text, node) || inside(text, node);
                assert!(apart, "seed {seed}: {text:?} on the node {node:?}");
            }
        }
        for (index, node) in nodes.iter().enumerate() {
            for other in &nodes[index + 1..] {
                // The inner border of a state that may terminate lies within the outer one.
                let apart = !overlap(node, other) || inside(other, node);
                assert!(apart, "seed {seed}: {node:?} and {other:?}");
            }
        }
    }
}

#[test]
fn every_edge_is_in_every_form() {
    for seed in 0..50 {
        let drawing = random_drawing(seed);
        let text = graph_text(&drawing, &Style::PLAIN);
        let arrows = text.matches("-> ").count();
        assert!(arrows >= drawing.edges.len(), "seed {seed}:\n{text}");
        let mermaid = graph_mermaid(&drawing);
        for (index, edge) in drawing.edges.iter().enumerate() {
            let arrow = if edge.dead { "-.->" } else { "-->" };
            let start = format!("    s{} {arrow}|", edge.source);
            assert!(
                mermaid.contains(&start),
                "seed {seed}, edge {index}:\n{mermaid}"
            );
        }
        assert!(mermaid.lines().all(|line| !line.contains('\t')));
    }
}

#[test]
fn charts_of_traces_are_well_formed_and_fit_the_page() {
    for seed in 0..200 {
        let trace = random_trace(seed);
        let svg = sequence_svg(&trace);
        assert_eq!(svg, sequence_svg(&trace));
        if let Err(error) = roxmltree::Document::parse(&svg) {
            panic!("seed {seed}: {error}");
        }
        for unicode in [true, false] {
            let style = Style {
                unicode,
                ..Style::PLAIN
            };
            if let Some(text) = sequence_text(&trace, &style) {
                let long = text
                    .lines()
                    .filter(|line| !trace.conclusion.contains(line))
                    .find(|line| line.chars().count() > style.width);
                assert_eq!(long, None, "seed {seed}");
            }
        }
        let mermaid = trace_mermaid(&trace);
        assert!(mermaid.starts_with("sequenceDiagram\n"), "seed {seed}");
    }
}

#[test]
fn an_explanation_of_any_depth_is_drawn() {
    let mut tree = Tree {
        claim: "the last".to_owned(),
        origin: None,
        evidence: Some(Box::new(Evidence::Trace(random_trace(1)))),
        because: Vec::new(),
    };
    for depth in 0..2_000 {
        tree = Tree {
            claim: format!("claim {depth}"),
            origin: None,
            evidence: None,
            because: vec![tree],
        };
    }
    let svg = evidence_svg(&Evidence::Tree(tree), &SourceMap::new());
    if let Err(error) = roxmltree::Document::parse(&svg) {
        panic!("{error}");
    }
    assert_eq!(svg.matches(">claim ").count(), 2_000);
}
