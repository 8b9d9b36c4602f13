//! Formulas as text: what is printed is read back as the same formula.

use choros_base::{Name, Names};

use super::formula::{Actions, Argument, Atom, Formula, NodeId, NodeKind, Quantifier, Variable};
use super::parse::KEYWORDS;
use super::sentence::SENTENCE_WORDS;
use super::token::is_plain;

impl Formula {
    /// The formula as text.
    pub fn print(&self, names: &Names) -> String {
        let formula = self.print_part(self.root, names, &|_| None);
        if self.for_all.is_empty() {
            return formula;
        }
        let variables = self.for_all.iter();
        let variables = variables.map(|&it| format!("${}", self.variable(it, names)));
        let variables: Vec<String> = variables.collect();
        format!("forall {}: {formula}", variables.join(", "))
    }

    /// A sub-formula in which variables have values.
    pub fn print_part(
        &self,
        part: NodeId,
        names: &Names,
        values: &dyn Fn(Variable) -> Option<Name>,
    ) -> String {
        let printer = Printer {
            formula: self,
            names,
            values,
        };
        let mut out = String::new();
        printer.node(part, Strength::Implies, &mut out);
        out
    }

    /// An action formula of this formula in which variables have values.
    pub fn print_actions(
        &self,
        actions: &Actions,
        names: &Names,
        values: &dyn Fn(Variable) -> Option<Name>,
    ) -> String {
        let printer = Printer {
            formula: self,
            names,
            values,
        };
        let mut out = String::new();
        printer.actions(actions, Strength::Implies, &mut out);
        out
    }
}

impl Actions {
    /// Steps without variables as text.
    pub fn print(&self, names: &Names) -> String {
        // Of a formula only the spelling of variables is needed, and there are none.
        let nothing = Formula {
            nodes: Vec::new(),
            root: NodeId(0),
            variables: Vec::new(),
            for_all: Vec::new(),
            has_sentences: false,
            forbidding: Vec::new(),
        };
        nothing.print_actions(self, names, &|_| None)
    }
}

/// A literal, in quotes where it would not be read back otherwise.
pub(crate) fn literal(text: &str) -> String {
    if is_plain(text) && !KEYWORDS.contains(&text) {
        text.to_owned()
    } else {
        format!("\"{text}\"")
    }
}

/// How tightly an operator binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Implies,
    Or,
    And,
    Unary,
}

struct Printer<'a> {
    formula: &'a Formula,
    names: &'a Names,
    values: &'a dyn Fn(Variable) -> Option<Name>,
}

impl Printer<'_> {
    fn node(&self, id: NodeId, needed: Strength, out: &mut String) {
        let kind = &self.formula.node(id).kind;
        let own = match kind {
            NodeKind::Implies(..) => Strength::Implies,
            NodeKind::Or(_) => Strength::Or,
            NodeKind::And(_) => Strength::And,
            _ => Strength::Unary,
        };
        if own < needed {
            out.push('(');
            self.kind(kind, out);
            out.push(')');
        } else {
            self.kind(kind, out);
        }
    }

    fn kind(&self, kind: &NodeKind, out: &mut String) {
        match kind {
            NodeKind::Constant(value) => out.push_str(if *value { "true" } else { "false" }),
            NodeKind::Proposition(atom) => {
                let name = self.names.text(atom.kind);
                // Without quotes it could begin a sentence.
                if SENTENCE_WORDS.contains(&name) {
                    out.push_str(&format!("\"{name}\""));
                    self.rest(atom, out);
                } else {
                    self.atom(atom, out);
                }
            }
            NodeKind::State(state) => {
                state.print(self.names, &|it| self.variable(it), out);
            }
            NodeKind::Not(part) => {
                out.push_str("not ");
                self.node(*part, Strength::Unary, out);
            }
            NodeKind::And(parts) => self.chain(parts, " and ", Strength::Unary, out),
            NodeKind::Or(parts) => self.chain(parts, " or ", Strength::And, out),
            NodeKind::Implies(left, right) => {
                self.node(*left, Strength::Or, out);
                out.push_str(" implies ");
                self.node(*right, Strength::Implies, out);
            }
            NodeKind::Next(quantifier, Actions::Constant(true), part) => {
                out.push_str(&format!("{}X ", letter(*quantifier)));
                self.node(*part, Strength::Unary, out);
            }
            NodeKind::Next(quantifier, actions, part) => {
                out.push_str(&format!("{}X {{", letter(*quantifier)));
                self.actions(actions, Strength::Implies, out);
                out.push_str("} ");
                self.node(*part, Strength::Unary, out);
            }
            NodeKind::Diamond(actions, part) => {
                out.push_str("< ");
                self.actions(actions, Strength::Implies, out);
                out.push_str(" > ");
                self.node(*part, Strength::Unary, out);
            }
            NodeKind::Box(actions, part) => {
                out.push_str("[ ");
                self.actions(actions, Strength::Implies, out);
                out.push_str(" ] ");
                self.node(*part, Strength::Unary, out);
            }
            NodeKind::Always(quantifier, part) => {
                out.push_str(&format!("{}G ", letter(*quantifier)));
                self.node(*part, Strength::Unary, out);
            }
            NodeKind::Eventually(quantifier, actions, part) => {
                out.push_str(&format!("{}F ", letter(*quantifier)));
                if let Some(actions) = actions {
                    out.push('{');
                    self.actions(actions, Strength::Implies, out);
                    out.push_str("} ");
                }
                self.node(*part, Strength::Unary, out);
            }
            NodeKind::Until(until) => {
                out.push_str(&format!("{}[", letter(until.quantifier)));
                self.node(until.left, Strength::Implies, out);
                out.push_str(" {");
                self.actions(&until.steps, Strength::Implies, out);
                out.push_str(if until.weak { "} W " } else { "} U " });
                if let Some(last) = &until.last {
                    out.push('{');
                    self.actions(last, Strength::Implies, out);
                    out.push_str("} ");
                }
                self.node(until.right, Strength::Implies, out);
                out.push(']');
            }
        }
    }

    fn chain(&self, parts: &[NodeId], operator: &str, needed: Strength, out: &mut String) {
        for (index, &part) in parts.iter().enumerate() {
            if index > 0 {
                out.push_str(operator);
            }
            self.node(part, needed, out);
        }
    }

    fn actions(&self, actions: &Actions, needed: Strength, out: &mut String) {
        let own = match actions {
            Actions::Or(_) => Strength::Or,
            Actions::And(_) => Strength::And,
            // What follows `and` would belong to the comparisons.
            Actions::Atom(atom) if !atom.conditions.is_empty() => Strength::Implies,
            _ => Strength::Unary,
        };
        if own < needed {
            out.push('(');
        }
        match actions {
            Actions::Constant(value) => out.push_str(if *value { "tt" } else { "ff" }),
            Actions::Silent => out.push_str("tau"),
            Actions::Atom(atom) => self.atom(atom, out),
            Actions::Not(inner) => {
                out.push_str("not ");
                self.actions(inner, Strength::Unary, out);
            }
            Actions::And(parts) | Actions::Or(parts) => {
                let (operator, needed) = match actions {
                    Actions::And(_) => (" and ", Strength::Unary),
                    _ => (" or ", Strength::And),
                };
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        out.push_str(operator);
                    }
                    self.actions(part, needed, out);
                }
            }
        }
        if own < needed {
            out.push(')');
        }
    }

    fn atom(&self, atom: &Atom, out: &mut String) {
        out.push_str(&literal(self.names.text(atom.kind)));
        self.rest(atom, out);
    }

    /// An action without its type.
    fn rest(&self, atom: &Atom, out: &mut String) {
        let arguments: Vec<String> = atom
            .arguments
            .iter()
            .enumerate()
            .map(|(index, argument)| {
                let value = match *argument {
                    Argument::Value(value) => literal(self.names.text(value)),
                    Argument::Use(variable) | Argument::Binder(variable) => self.variable(variable),
                    Argument::Part(variable, path) => {
                        format!("{}.{}", self.variable(variable), self.names.text(path))
                    }
                    Argument::Any => "*".to_owned(),
                };
                match atom.labels.get(index) {
                    Some(Some(label)) => format!("{} = {value}", self.names.text(*label)),
                    _ => value,
                }
            })
            .collect();
        if !arguments.is_empty() {
            out.push_str(&format!("({})", arguments.join(",")));
        }
        for (index, condition) in atom.conditions.iter().enumerate() {
            out.push_str(if index == 0 { " where " } else { " and " });
            condition.print(self.names, &|it| self.variable(it), out);
        }
    }

    fn variable(&self, variable: Variable) -> String {
        match (self.values)(variable) {
            Some(value) => literal(self.names.text(value)),
            None => format!("${}", self.formula.variable(variable, self.names)),
        }
    }
}

fn letter(quantifier: Quantifier) -> char {
    match quantifier {
        Quantifier::Some => 'E',
        Quantifier::All => 'A',
    }
}
