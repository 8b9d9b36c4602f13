//! Sequence charts of random runs and diagrams: every text is inside the picture, no text lies on another, and no
//! lifeline runs through one.

use choros_model::diagram::{Diagram, DiagramRow, Frame};
use choros_model::evidence::{
    Binding, Departure, Expected, FaultStep, MessageFault, Step, StepEvent, Trace, WrongEvent,
};
use choros_model::stg::Direction;
use choros_report::{diagram_svg, sequence_svg};

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

    fn text(&mut self) -> String {
        const TEXTS: [&str; 9] = [
            "x",
            "",
            "Request(amount: Int, card: Card)",
            "注文サービス(番号 = 3)",
            "Zürich → Genève",
            "[amount <= 0 or currency != \"EUR\" and deliveryAddress == \"nowhere at all\" or sku == \"forbidden\"]",
            "payment_gateway_europe_west_primary decides",
            "a_very_long_name_without_any_blank_in_it_that_goes_on_and_on_and_on_and_on_and_on_and_on",
            "a remark with so many words that it has to be broken into several lines to be read, and that then goes on",
        ];
        TEXTS[self.below(TEXTS.len())].to_owned()
    }

    fn roles(&mut self) -> Vec<String> {
        let count = 1 + self.below(9);
        let role = |place: usize, text: String| format!("{place}{text}");
        (0..count).map(|place| role(place, self.text())).collect()
    }
}

fn random_trace(seed: u64) -> Trace {
    let mut numbers = Numbers::new(seed);
    let roles = numbers.roles();
    let bindings = |numbers: &mut Numbers| -> Vec<Binding> {
        let count = numbers.below(4);
        let binding = |_| Binding {
            variable: numbers.text(),
            value: numbers.text(),
        };
        (0..count).map(binding).collect()
    };
    let mut trace = Trace {
        start: bindings(&mut numbers),
        conclusion: format!("{} {}", numbers.text(), numbers.text()),
        ..Trace::default()
    };
    for _ in 0..numbers.below(16) {
        let event = match numbers.below(8) {
            0 => StepEvent::Silent,
            1 => StepEvent::Other(numbers.text()),
            2 => StepEvent::Fault(FaultStep::Message {
                what: [
                    MessageFault::Lost,
                    MessageFault::Doubled,
                    MessageFault::Overtakes,
                ][numbers.below(3)],
                operation: numbers.text(),
                from: roles[numbers.below(roles.len())].clone(),
                to: roles[numbers.below(roles.len())].clone(),
            }),
            3 => StepEvent::Fault(FaultStep::Noticed {
                crashed: roles[numbers.below(roles.len())].clone(),
                by: roles[numbers.below(roles.len())].clone(),
            }),
            _ => StepEvent::Message {
                operation: numbers.text(),
                from: roles[numbers.below(roles.len())].clone(),
                to: roles[numbers.below(roles.len())].clone(),
                direction: [Direction::Interaction, Direction::Send, Direction::Receive]
                    [numbers.below(3)],
                fields: vec![(numbers.text(), numbers.text())],
            },
        };
        trace.steps.push(Step {
            event,
            guard: (numbers.below(3) == 0).then(|| numbers.text()),
            bindings: bindings(&mut numbers),
            states: None,
            origin: None,
        });
    }
    let events: Vec<StepEvent> = trace.steps.iter().map(|it| it.event.clone()).collect();
    if let Some(event) = events.first() {
        trace.departure = Departure {
            wrong: match numbers.below(4) {
                0 => WrongEvent::Nothing,
                1 => WrongEvent::LastStep,
                2 => WrongEvent::Unclear,
                _ => WrongEvent::Next(Box::new(event.clone())),
            },
            expected: events
                .iter()
                .take(numbers.below(4))
                .map(|event| Expected {
                    event: event.clone(),
                    guard: (numbers.below(3) == 0).then(|| numbers.text()),
                })
                .collect(),
            decisive: vec![numbers.text(), numbers.text()],
        };
    }
    trace
}

fn random_diagram(seed: u64) -> Diagram {
    let mut numbers = Numbers::new(seed);
    let mut diagram = Diagram {
        name: "d".to_owned(),
        roles: numbers.roles(),
        rows: Vec::new(),
    };
    let roles = diagram.roles.len();
    let mut open = 0;
    for _ in 0..numbers.below(40) {
        let row = match numbers.below(8) {
            0 => DiagramRow::Note {
                over: (0..numbers.below(3)).map(|it| it.min(roles - 1)).collect(),
                text: numbers.text(),
            },
            1 => {
                open += 1;
                let frame = [Frame::Alternatives, Frame::Interruptible, Frame::Loop];
                DiagramRow::Open(frame[numbers.below(3)], numbers.text())
            }
            2 if open > 0 => DiagramRow::Section(numbers.text()),
            3 if open > 0 => {
                open -= 1;
                DiagramRow::Close
            }
            _ => DiagramRow::Message {
                from: numbers.below(roles),
                to: numbers.below(roles),
                text: numbers.text(),
            },
        };
        diagram.rows.push(row);
    }
    diagram.rows.extend((0..open).map(|_| DiagramRow::Close));
    diagram
}

/// A rectangle: left, top, right, bottom.
type Area = [f64; 4];

fn overlap(one: &Area, other: &Area) -> bool {
    let slack = 0.3;
    one[0] + slack < other[2]
        && other[0] + slack < one[2]
        && one[1] + slack < other[3]
        && other[1] + slack < one[3]
}

fn inside(inner: &Area, outer: &Area) -> bool {
    let slack = 0.3;
    inner[0] + slack >= outer[0]
        && inner[1] + slack >= outer[1]
        && inner[2] <= outer[2] + slack
        && inner[3] <= outer[3] + slack
}

/// Checks one picture; says what is wrong with it.
fn flaw(svg: &str) -> Option<String> {
    let document = match roxmltree::Document::parse(svg) {
        Ok(document) => document,
        Err(error) => return Some(error.to_string()),
    };
    let number = |node: roxmltree::Node<'_, '_>, name: &str| -> f64 {
        let value = node.attribute(name).and_then(|it| it.parse().ok());
        value.unwrap_or(0.0)
    };
    let view = document.root_element().attribute("viewBox")?;
    let view: Vec<f64> = view.split(' ').filter_map(|it| it.parse().ok()).collect();
    let page = [view[0], view[1], view[0] + view[2], view[1] + view[3]];
    let mut lifelines: Vec<(f64, f64, f64)> = Vec::new();
    let mut covers: Vec<Area> = Vec::new();
    let mut texts: Vec<(Area, String)> = Vec::new();
    for element in document.descendants() {
        let (x, y) = (number(element, "x"), number(element, "y"));
        let class = element.attribute("class").unwrap_or_default();
        match element.tag_name().name() {
            "rect" if class != "paper" => {
                let area = [
                    x,
                    y,
                    x + number(element, "width"),
                    y + number(element, "height"),
                ];
                if !inside(&area, &page) {
                    return Some(format!("a box at {area:?} is outside {page:?}"));
                }
                if element.attribute("fill") != Some("none") {
                    covers.push(area);
                }
            }
            "path" if class == "line faint" => {
                let path = element.attribute("d").unwrap_or_default();
                let numbers: Vec<f64> = path
                    .split(['M', ',', ' ', 'V'])
                    .filter_map(|it| it.parse().ok())
                    .collect();
                if let (true, [x, from, to]) = (path.contains('V'), &numbers[..]) {
                    lifelines.push((*x, *from, *to));
                }
            }
            "text" => {
                let (wide, size) = (number(element, "textLength"), number(element, "font-size"));
                let left = match element.attribute("text-anchor") {
                    Some("middle") => x - wide / 2.0,
                    Some("end") => x - wide,
                    _ => x,
                };
                let area = [left, y - 0.72 * size, left + wide, y + 0.2 * size];
                let text: String = element.descendants().filter_map(|it| it.text()).collect();
                if !inside(&area, &page) {
                    return Some(format!("`{text}` at {area:?} is outside {page:?}"));
                }
                if let Some((_, other)) = texts.iter().find(|it| overlap(&it.0, &area)) {
                    return Some(format!("`{text}` lies on `{other}`"));
                }
                let crossed = lifelines.iter().any(|&(x, from, to)| {
                    overlap(&area, &[x - 1.0, from, x + 1.0, to])
                        && !covers.iter().any(|cover| inside(&area, cover))
                });
                if crossed {
                    return Some(format!("a lifeline runs through `{text}`"));
                }
                texts.push((area, text));
            }
            _ => {}
        }
    }
    None
}

#[test]
fn charts_of_runs_are_legible() {
    for seed in 0..400 {
        let svg = sequence_svg(&random_trace(seed));
        assert_eq!(flaw(&svg), None, "seed {seed}");
    }
}

#[test]
fn sequence_diagrams_are_legible() {
    for seed in 0..400 {
        let svg = diagram_svg(&random_diagram(seed));
        assert_eq!(flaw(&svg), None, "seed {seed}");
    }
}
