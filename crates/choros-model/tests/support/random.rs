//! Random graphs with data of every sort.

use choros_data::{Op, Sort, SortKind, Term, Terms, Value};
use choros_model::stg::{
    Direction, Edge, Ending, Event, Field, FieldValue, Message, NodeId, Operation, Role, Stg,
    StgBuilder, Update,
};

/// Numbers from a seed.
pub struct Random(pub u64);

impl Random {
    /// The next number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    /// One of several.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// The sorts of the variables of random graphs.
pub struct Sorts {
    pub all: Vec<Sort>,
    record: Sort,
    colour: Sort,
    status: Sort,
}

impl Sorts {
    pub fn new(terms: &mut Terms) -> Self {
        let mut name = |text: &str| terms.names.intern(text);
        let (status, busy, idle) = (name("Status"), name("busy"), name("IDLE"));
        let (colour, weight, tag) = (name("Colour"), name("weight"), name("tag"));
        let status = terms.sort(SortKind::Enumeration {
            name: status,
            constructors: vec![busy, idle],
        });
        let colour = terms.sort(SortKind::Uninterpreted(colour));
        let record = terms.sort(SortKind::Record(vec![(weight, Sort::INT), (tag, colour)]));
        let numbers = terms.list_sort(Sort::INT);
        let records = terms.list_sort(record);
        Sorts {
            all: vec![
                Sort::BOOL,
                Sort::INT,
                Sort::REAL,
                Sort::STRING,
                Sort::SYMBOL,
                status,
                colour,
                record,
                numbers,
                records,
            ],
            record,
            colour,
            status,
        }
    }

    /// A variable of a sort; capitalised ones occur too.
    fn variable(&self, sort: Sort, random: &mut Random, terms: &mut Terms) -> Term {
        let index = self.all.iter().position(|&one| one == sort);
        let stem = random.pick(&["x", "Y", "größe", "z@c"]);
        let name = match stem.split_once('@') {
            Some((stem, ending)) => format!("{stem}{}@{ending}", index.unwrap_or(99)),
            None => format!("{stem}{}", index.unwrap_or(99)),
        };
        terms.named(&name, sort)
    }

    /// A term of a sort.
    pub fn term(&self, sort: Sort, depth: usize, random: &mut Random, terms: &mut Terms) -> Term {
        if depth == 0 || random.below(5) == 0 {
            return match random.below(2) {
                0 => self.variable(sort, random, terms),
                _ => self.constant(sort, random, terms),
            };
        }
        let depth = depth - 1;
        if random.below(8) == 0 {
            let condition = self.term(Sort::BOOL, depth, random, terms);
            let yes = self.term(sort, depth, random, terms);
            let no = self.term(sort, depth, random, terms);
            return terms.if_then_else(condition, yes, no);
        }
        if random.below(8) == 0 && (sort == Sort::INT || sort == self.colour) {
            let record = self.term(self.record, depth, random, terms);
            let label = if sort == Sort::INT { "weight" } else { "tag" };
            let label = terms.names.intern(label);
            return terms.field(record, label).expect("it has such a field");
        }
        if random.below(8) == 0 && (sort == Sort::INT || sort == self.record) {
            let list = terms.list_sort(sort);
            let list = self.term(list, depth, random, terms);
            let position = self.term(Sort::INT, depth, random, terms);
            return terms.index(list, position);
        }
        match sort {
            Sort::BOOL => self.formula(depth, random, terms),
            Sort::INT | Sort::REAL => {
                let left = self.term(sort, depth, random, terms);
                let right = self.term(sort, depth, random, terms);
                let op = match sort {
                    Sort::INT => random.pick(&[
                        Op::Add,
                        Op::Subtract,
                        Op::Multiply,
                        Op::IntegerDivide,
                        Op::Modulo,
                        Op::Negate,
                        Op::Length,
                    ]),
                    _ => {
                        random.pick(&[Op::Add, Op::Subtract, Op::Multiply, Op::Divide, Op::Negate])
                    }
                };
                match op {
                    Op::Negate => terms.negate(left),
                    Op::Length => {
                        let text = self.term(Sort::STRING, depth, random, terms);
                        terms.length(text)
                    }
                    op => terms.arithmetic(op, left, right),
                }
            }
            Sort::STRING => {
                let parts = [(); 2].map(|()| self.term(sort, depth, random, terms));
                terms.concat(&parts)
            }
            _ if sort == self.record => {
                let weight = self.term(Sort::INT, depth, random, terms);
                let tag = self.term(self.colour, depth, random, terms);
                terms.record(sort, &[weight, tag])
            }
            _ => match *terms.sort_kind(sort) {
                SortKind::List(element) => {
                    let items: Vec<Term> = (0..1 + random.below(2))
                        .map(|_| self.term(element, depth, random, terms))
                        .collect();
                    terms.list(sort, &items)
                }
                _ => self.constant(sort, random, terms),
            },
        }
    }

    fn formula(&self, depth: usize, random: &mut Random, terms: &mut Terms) -> Term {
        let two = |sort: Sort, random: &mut Random, terms: &mut Terms| {
            let left = self.term(sort, depth, random, terms);
            (left, self.term(sort, depth, random, terms))
        };
        match random.below(9) {
            0 => {
                let (left, right) = two(Sort::BOOL, random, terms);
                terms.and([left, right])
            }
            1 => {
                let (left, right) = two(Sort::BOOL, random, terms);
                terms.or([left, right])
            }
            2 => {
                let (left, right) = two(Sort::BOOL, random, terms);
                terms.implies(left, right)
            }
            3 => {
                let inner = self.term(Sort::BOOL, depth, random, terms);
                terms.not(inner)
            }
            4 => {
                let sort = random.pick(&[Sort::INT, Sort::REAL]);
                let (left, right) = two(sort, random, terms);
                let op = [Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual];
                terms.compare(random.pick(&op), left, right)
            }
            5 => {
                let (left, right) = two(Sort::STRING, random, terms);
                match random.below(2) {
                    0 => terms.prefix(left, right),
                    _ => terms.contains(left, right),
                }
            }
            6 => {
                let list = terms.list_sort(Sort::INT);
                let list = self.term(list, depth, random, terms);
                let item = self.term(Sort::INT, depth, random, terms);
                terms.member(item, list)
            }
            _ => {
                let sort = random.pick(&self.all);
                let (left, right) = two(sort, random, terms);
                terms.compare(random.pick(&[Op::Equal, Op::NotEqual]), left, right)
            }
        }
    }

    fn constant(&self, sort: Sort, random: &mut Random, terms: &mut Terms) -> Term {
        let value = match sort {
            Sort::BOOL => Value::Bool(random.below(2) == 0),
            Sort::INT => Value::int(random.below(9) as i64 - 4),
            Sort::REAL => {
                let quotient = terms.constant(Value::Real(num_rational::BigRational::new(
                    (random.below(9) as i64 - 4).into(),
                    (1 + random.below(4) as i64).into(),
                )));
                return quotient;
            }
            Sort::STRING => Value::text(random.pick(&["", "a b", "\"q\"\\", "ü\n\t", "// no"])),
            Sort::SYMBOL => {
                let name = terms.names.intern(random.pick(&["OK", "KO"]));
                Value::Atom { sort, name }
            }
            _ if sort == self.colour => {
                let name = terms.names.intern(random.pick(&["RED", "green"]));
                Value::Atom { sort, name }
            }
            _ if sort == self.status => Value::Constructor {
                sort,
                index: random.below(2) as u32,
            },
            _ => return self.term(sort, 1, random, terms),
        };
        terms.constant(value)
    }
}

/// A graph of up to five nodes.
pub fn graph(seed: u64, terms: &mut Terms) -> Stg {
    let mut random = Random(seed);
    let random = &mut random;
    let sorts = Sorts::new(terms);
    let ending = random.pick(&[Ending::Explicit, Ending::Stopped, Ending::Sinks]);
    let mut builder = StgBuilder::new(random.pick(&["shop", "my shop", "größe"]), ending);
    let nodes = 1 + random.below(5);
    for node in 0..nodes {
        let odd = random.pick(&["", "done", "a \"b\"\\n", "7"]);
        builder.node(if odd.is_empty() {
            node.to_string()
        } else {
            odd.to_owned()
        });
    }
    for _ in 0..random.below(7) {
        let guard = match random.below(3) {
            0 => Term::TRUE,
            _ => sorts.term(Sort::BOOL, 3, random, terms),
        };
        let edge = Edge {
            source: NodeId(random.below(nodes) as u32),
            target: NodeId(random.below(nodes) as u32),
            guard,
            event: event(&sorts, random, terms),
            updates: (0..random.below(3))
                .map(|_| {
                    let sort = random.pick(&sorts.all);
                    let variable = sorts.variable(sort, random, terms);
                    Update {
                        variable: terms.as_variable(variable).expect("a variable"),
                        value: sorts.term(sort, 2, random, terms),
                    }
                })
                .collect(),
            origin: None,
        };
        builder.edge(terms, edge);
    }
    for _ in 0..random.below(4) {
        let node = NodeId(random.below(nodes) as u32);
        let guard = match random.below(2) {
            0 => Term::TRUE,
            _ => sorts.term(Sort::BOOL, 2, random, terms),
        };
        builder.terminate(terms, node, guard, None);
    }
    let initial = NodeId(random.below(nodes) as u32);
    match random.below(2) {
        0 => builder.finish(initial),
        _ => builder.finish_as_built(initial),
    }
}

fn event(sorts: &Sorts, random: &mut Random, terms: &mut Terms) -> Event {
    match random.below(9) {
        0 => return Event::Silent,
        1 => return Event::Tick,
        2 => return Event::Raise(terms.names.intern(random.pick(&["out of stock", "broken"]))),
        _ => {}
    }
    let count = random.below(4);
    let labelled = random.below(2) == 0;
    // All that speak of a message agree on the sorts of its fields: the operation's name says which they are.
    let first = random.below(sorts.all.len());
    let operation = format!(
        "{}{first}",
        random.pick(&["Request", "tau", "my op", "größe"])
    );
    let fields = (0..count)
        .map(|position| {
            let sort = sorts.all[(first + position) % sorts.all.len()];
            let label = ["price", "the fee", "größe"][position];
            let value = match random.below(2) {
                0 => {
                    let variable = sorts.variable(sort, random, terms);
                    FieldValue::Bind(terms.as_variable(variable).expect("a variable"))
                }
                _ => FieldValue::Free(sorts.term(sort, random.below(3), random, terms)),
            };
            Field {
                label: labelled.then(|| terms.names.intern(label)),
                value,
            }
        })
        .collect();
    let fault = random.below(4) == 0;
    let mut name = |text: &str| terms.names.intern(text);
    Event::Message(Message {
        operation: Operation(name(&operation)),
        from: Role(name("b")),
        to: Role(name(random.pick(&["the vendor", "v", "42"]))),
        direction: random.pick(&[Direction::Interaction, Direction::Send, Direction::Receive]),
        fault: fault.then(|| name("no such item")),
        fields,
    })
}

/// What two graphs that are the same have in common: everything but where they were written.
pub fn essence(stg: &Stg) -> impl PartialEq + std::fmt::Debug {
    let nodes: Vec<(String, Vec<Term>)> = stg
        .nodes()
        .iter()
        .map(|node| {
            let guards = node.terminations.iter().map(|one| one.guard).collect();
            (node.label.clone(), guards)
        })
        .collect();
    let edges: Vec<(NodeId, NodeId, Term, Event, Vec<Update>)> = stg
        .edges()
        .iter()
        .map(|edge| {
            (
                edge.source,
                edge.target,
                edge.guard,
                edge.event.clone(),
                edge.updates.clone(),
            )
        })
        .collect();
    (
        stg.name().to_owned(),
        stg.ending(),
        stg.initial(),
        nodes,
        edges,
    )
}
