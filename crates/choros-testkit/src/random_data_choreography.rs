//! Small random choreographies with data, and what a role sees of their runs by trying all values.
//!
//! Values are those of a small domain, so that sets of situations are finite and everything can be tried: messages carry
//! new values, known ones or terms of them, guards compare them, and variables are bound again in loops.

use std::collections::BTreeSet;

use choros_data::{Assignment, Terms, Value, Var};
use choros_model::stg::{Edge, Event, FieldValue, NodeId, Role, Stg};

use crate::Random;

/// A random choreography between `a`, `b` and `c`, as the text of a graph.
pub fn random_data_choreography(random: &mut Random) -> String {
    const ROLES: [&str; 3] = ["a", "b", "c"];
    let nodes = 3 + random.below(4);
    let mut text = "stg random explicit\nvariables x: Int, y: Int, z: Int\ninitial 0\n".to_owned();
    let variable = |random: &mut Random| *random.pick(&["x", "y", "z"]);
    for source in 0..nodes {
        let ways = 1 + random.below(2);
        for _ in 0..ways {
            // Mostly on, sometimes back.
            let target = if random.percent(15) {
                random.below(nodes)
            } else {
                (source + 1 + random.below(2)).min(nodes)
            };
            let from = random.below(3);
            let to = (from + 1 + random.below(2)) % 3;
            let operation = random.below(3);
            let it = variable(random);
            let data = match random.below(5) {
                0 => String::new(),
                1 | 2 => format!(".<{it}>"),
                3 => format!(".{it}"),
                _ => format!(".(1 - {it})"),
            };
            let other = variable(random);
            let guard = match random.below(6) {
                0 => format!("[{other} > 0] "),
                1 => format!("[{other} <= 0] "),
                2 => format!("[{other} == {}] ", variable(random)),
                _ => String::new(),
            };
            let kind = if data.is_empty() { "s" } else { "m" };
            text.push_str(&format!(
                "{source} -> {target}: {guard}{kind}{operation}[{},{}]{data}\n",
                ROLES[from], ROLES[to]
            ));
        }
        if random.percent(20) {
            text.push_str(&format!("{source}: end\n"));
        }
    }
    text.push_str(&format!("{nodes}: end\n"));
    text
}

/// A random choreography in which every value is sent before it is used.
pub fn random_told_choreography(random: &mut Random) -> String {
    const ENDS: [&str; 6] = ["a,b", "a,c", "b,a", "b,c", "c,a", "c,b"];
    let text = random_data_choreography(random);
    // The nodes of the rest have small numbers.
    let mut told = String::from("initial 90\n");
    for (position, variable) in ["x", "y", "z"].iter().enumerate() {
        let next = match position {
            2 => "0".to_owned(),
            _ => (91 + position).to_string(),
        };
        let ends = random.pick(&ENDS);
        told.push_str(&format!(
            "{} -> {next}: t{position}[{ends}].<{variable}>\n",
            90 + position
        ));
    }
    text.replace("initial 0\n", &told)
}

/// What is seen of a step: the message as it is called, its ends, and what it carries.
pub type SeenMessage = (String, Role, Role, Vec<i64>);

/// Where a run may be: a node and the values of all variables.
pub type Situations = BTreeSet<(u32, Vec<i64>)>;

/// The runs of a graph as one role sees them, or someone who sees everything.
#[derive(Debug)]
pub struct LocalRuns<'a> {
    stg: &'a Stg,
    role: Option<Role>,
    domain: Vec<i64>,
    variables: Vec<Var>,
    parameters: Vec<Var>,
}

impl<'a> LocalRuns<'a> {
    /// The runs of a graph with values of a domain.
    pub fn new(stg: &'a Stg, role: Role, domain: &[i64], terms: &Terms) -> LocalRuns<'a> {
        LocalRuns {
            role: Some(role),
            ..LocalRuns::seen_whole(stg, domain, terms)
        }
    }

    /// The same for someone who sees everything.
    pub fn seen_whole(stg: &'a Stg, domain: &[i64], terms: &Terms) -> LocalRuns<'a> {
        LocalRuns {
            stg,
            role: None,
            domain: domain.to_vec(),
            variables: stg.variables(terms),
            parameters: stg.parameters(terms),
        }
    }

    pub fn role(&self) -> Option<Role> {
        self.role
    }

    /// Where runs may be before the role has seen anything.
    pub fn start(&self, terms: &mut Terms) -> Situations {
        self.start_with(&[], terms)
    }

    /// The same, with the values of some parameters.
    pub fn start_with(&self, given: &[(Var, i64)], terms: &mut Terms) -> Situations {
        let mut all = vec![vec![0; self.variables.len()]];
        for (position, variable) in self.variables.iter().enumerate() {
            let given = given.iter().find(|it| it.0 == *variable);
            if self.parameters.contains(variable) {
                let domain = given.map_or(&self.domain[..], |it| std::slice::from_ref(&it.1));
                all = spread(&all, position, domain);
            }
        }
        let node = self.stg.initial().0;
        let start = all.into_iter().map(|values| (node, values)).collect();
        self.close(start, terms)
    }

    /// What the role may see next, and where runs may be after it.
    pub fn next(&self, at: &Situations, terms: &mut Terms) -> Vec<(SeenMessage, Situations)> {
        let mut found: Vec<(SeenMessage, Situations)> = Vec::new();
        for (node, values) in at {
            for (_, edge) in self.stg.outgoing(NodeId(*node)) {
                let Some(message) = edge.event.message().filter(|_| self.sees(edge)) else {
                    continue;
                };
                let operation = terms.names.text(message.operation.0).to_owned();
                for (carried, after) in self.steps(edge, values, terms) {
                    let seen = (operation.clone(), message.from, message.to, carried);
                    let after = (edge.target.0, after);
                    match found.iter_mut().find(|it| it.0 == seen) {
                        Some((_, known)) => {
                            known.insert(after);
                        }
                        None => found.push((seen, BTreeSet::from([after]))),
                    }
                }
            }
        }
        found
            .into_iter()
            .map(|(seen, after)| (seen, self.close(after, terms)))
            .collect()
    }

    /// Whether a run may be over.
    pub fn may_end(&self, at: &Situations, terms: &mut Terms) -> bool {
        at.iter().any(|(node, values)| {
            let guard = self.stg.termination(NodeId(*node), terms);
            self.holds(guard, values, terms)
        })
    }

    fn sees(&self, edge: &Edge) -> bool {
        let message = edge.event.message();
        message.is_some_and(|it| {
            let is_its = |role| it.from == role || it.to == role;
            self.role.is_none_or(is_its)
        })
    }

    fn close(&self, mut at: Situations, terms: &mut Terms) -> Situations {
        let mut work: Vec<(u32, Vec<i64>)> = at.iter().cloned().collect();
        while let Some((node, values)) = work.pop() {
            for (_, edge) in self.stg.outgoing(NodeId(node)) {
                if self.sees(edge) {
                    continue;
                }
                for (_, after) in self.steps(edge, &values, terms) {
                    let next = (edge.target.0, after);
                    if at.insert(next.clone()) {
                        work.push(next);
                    }
                }
            }
        }
        at
    }

    /// What a step carries and the values after it, for all values that it may bring.
    fn steps(&self, edge: &Edge, values: &[i64], terms: &mut Terms) -> Vec<(Vec<i64>, Vec<i64>)> {
        if !self.holds(edge.guard, values, terms) {
            return Vec::new();
        }
        let place = |variable: Var| self.variables.iter().position(|&it| it == variable);
        let mut ways = vec![values.to_vec()];
        for variable in edge.event.bound_variables() {
            if let Some(position) = place(variable) {
                ways = spread(&ways, position, &self.domain);
            }
        }
        let mut found = Vec::new();
        for mut after in ways {
            let mut carried = Vec::new();
            if let Event::Message(message) = &edge.event {
                for field in &message.fields {
                    carried.push(match field.value {
                        FieldValue::Free(term) => self.value(term, values, terms),
                        FieldValue::Bind(variable) => {
                            place(variable).map_or(0, |position| after[position])
                        }
                    });
                }
            }
            for update in &edge.updates {
                let value = self.value(update.value, &after, terms);
                if let Some(position) = place(update.variable) {
                    after[position] = value;
                }
            }
            found.push((carried, after));
        }
        found
    }

    fn assignment(&self, values: &[i64]) -> Assignment {
        let pairs = self.variables.iter().zip(values);
        pairs
            .map(|(&variable, &value)| (variable, Value::int(value)))
            .collect()
    }

    fn holds(&self, guard: choros_data::Term, values: &[i64], terms: &Terms) -> bool {
        let found = terms.evaluate_guard(guard, &self.assignment(values));
        found.expect("all variables have values")
    }

    fn value(&self, term: choros_data::Term, values: &[i64], terms: &Terms) -> i64 {
        match terms.evaluate(term, &self.assignment(values)) {
            Ok(Value::Int(value)) => i64::try_from(value).expect("values are small"),
            other => panic!("no integer: {other:?}"),
        }
    }
}

/// All ways to give one variable a value of the domain.
fn spread(ways: &[Vec<i64>], position: usize, domain: &[i64]) -> Vec<Vec<i64>> {
    let mut found = Vec::with_capacity(ways.len() * domain.len());
    for way in ways {
        for &value in domain {
            let mut way = way.clone();
            way[position] = value;
            found.push(way);
        }
    }
    found
}
