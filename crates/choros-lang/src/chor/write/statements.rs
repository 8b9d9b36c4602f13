//! The statements of a graph.

use choros_data::{Term, Terms, Var};
use choros_model::stg::{Direction, Edge, Event, FieldValue, Message, NodeId, Stg};
use rustc_hash::FxHashSet;

use super::NotWritable;
use super::joins::Joins;
use super::names::{VariableNames, fixed};

/// Blocks nest no deeper, so that what is written can be read.
const MAX_BLOCKS: usize = 150;
/// A text of more lines is read by no one.
const MAX_LINES: usize = 20_000;

pub(super) struct Statements<'a> {
    stg: &'a Stg,
    joins: Joins<'a>,
    names: &'a VariableNames,
    terms: &'a mut Terms,
    text: String,
    lines: usize,
    /// Blocks around the present line.
    depth: usize,
    /// Loops around the present line.
    open: Vec<NodeId>,
}

/// The variables that have a value on all ways to a place, or on some.
#[derive(Clone, Default)]
struct Bound {
    always: FxHashSet<Var>,
    sometimes: FxHashSet<Var>,
}

impl Bound {
    fn add(&mut self, variable: Var) {
        self.always.insert(variable);
        self.sometimes.insert(variable);
    }

    /// What is known when one of several ways was taken; `None` if none of them comes here.
    fn join(ways: Vec<Option<Bound>>) -> Option<Bound> {
        ways.into_iter().flatten().reduce(|mut all, way| {
            all.always.retain(|variable| way.always.contains(variable));
            all.sometimes.extend(way.sometimes);
            all
        })
    }
}

/// One of the things that may happen in a state.
#[derive(Clone, Copy)]
enum Alternative<'a> {
    Edge(&'a Edge),
    End(Term),
}

impl Alternative<'_> {
    fn guard(&self) -> Term {
        match self {
            Alternative::Edge(edge) => edge.guard,
            Alternative::End(guard) => *guard,
        }
    }
}

impl<'a> Statements<'a> {
    pub(super) fn of(
        stg: &'a Stg,
        names: &'a VariableNames,
        terms: &'a mut Terms,
    ) -> Result<String, NotWritable> {
        let mut bound = Bound::default();
        for parameter in stg.parameters(terms) {
            bound.add(parameter);
        }
        let mut statements = Statements {
            stg,
            joins: Joins::of(stg),
            names,
            terms,
            text: String::new(),
            lines: 0,
            depth: 1,
            open: Vec::new(),
        };
        statements.from(stg.initial(), None, bound)?;
        Ok(statements.text)
    }

    /// What happens from a node until `stop`; the variables that are bound then, unless all ways lead back.
    fn from(
        &mut self,
        node: NodeId,
        stop: Option<NodeId>,
        mut bound: Bound,
    ) -> Result<Option<Bound>, NotWritable> {
        let mut node = node;
        loop {
            if Some(node) == stop {
                return Ok(Some(bound));
            }
            if self.open.contains(&node) {
                self.line(&format!("again {}", loop_name(node)))?;
                return Ok(None);
            }
            if self.joins.is_head(node) {
                self.line(&format!("loop {} {{", loop_name(node)))?;
                self.open.push(node);
                let inner = self.deeper(|writer| match writer.state(node, stop, bound)? {
                    Next::At(next, bound) => writer.from(next, stop, bound),
                    Next::Over(bound) => Ok(bound),
                })?;
                self.open.pop();
                self.line("}")?;
                return Ok(inner);
            }
            match self.state(node, stop, bound)? {
                Next::At(next, behind) => (node, bound) = (next, behind),
                Next::Over(bound) => return Ok(bound),
            }
        }
    }

    /// What may happen in one state.
    fn state(
        &mut self,
        node: NodeId,
        stop: Option<NodeId>,
        bound: Bound,
    ) -> Result<Next, NotWritable> {
        let stg = self.stg;
        let mut alternatives: Vec<Alternative<'a>> = stg
            .outgoing(node)
            .map(|(_, edge)| Alternative::Edge(edge))
            .collect();
        for termination in &stg.node(node).terminations {
            alternatives.push(Alternative::End(termination.guard));
        }
        match alternatives[..] {
            [] => {
                self.line("when false {")?;
                self.deeper(|writer| writer.line("skip"))?;
                self.line("}")?;
                Ok(Next::Over(Some(bound)))
            }
            [Alternative::End(Term::TRUE)] => Ok(Next::Over(Some(bound))),
            [Alternative::Edge(edge)] => {
                let behind = self.guarded(edge.guard, |writer| writer.act(edge, bound))?;
                Ok(Next::At(edge.target, behind))
            }
            [only @ Alternative::End(_)] => {
                self.guarded(only.guard(), |writer| writer.line("skip"))?;
                Ok(Next::Over(Some(bound)))
            }
            _ => {
                let meeting = self.joins.meeting(node, &self.open);
                let ways = self.branches(&alternatives, meeting.or(stop), &bound)?;
                let behind = Bound::join(ways);
                Ok(match (meeting, behind) {
                    (Some(meeting), Some(behind)) => Next::At(meeting, behind),
                    (_, behind) => Next::Over(behind),
                })
            }
        }
    }

    fn branches(
        &mut self,
        alternatives: &[Alternative<'a>],
        stop: Option<NodeId>,
        bound: &Bound,
    ) -> Result<Vec<Option<Bound>>, NotWritable> {
        let ticks = |it: &Alternative<'_>| matches!(it, Alternative::Edge(edge) if matches!(edge.event, Event::TickOf(_)));
        if alternatives.iter().any(ticks) {
            let reason = "it has no word for time that passes beside other steps of a state";
            return Err(NotWritable::because(reason.to_owned()));
        }
        let mut ways = Vec::new();
        if let [yes, no] = alternatives
            && yes.guard() != Term::TRUE
            && self.terms.complement(yes.guard()) == no.guard()
        {
            let guard = self.names.term(yes.guard(), self.terms);
            self.line(&format!("if {guard} {{"))?;
            ways.push(self.deeper(|writer| writer.alternative(yes, stop, bound.clone()))?);
            if let Alternative::Edge(_) = no {
                self.line("} else {")?;
                ways.push(self.deeper(|writer| writer.alternative(no, stop, bound.clone()))?);
            } else {
                ways.push(Some(bound.clone()));
            }
            self.line("}")?;
            return Ok(ways);
        }
        self.line("choice {")?;
        for (position, alternative) in alternatives.iter().enumerate() {
            if position > 0 {
                self.line("} or {")?;
            }
            ways.push(self.deeper(|writer| {
                writer.guarded(alternative.guard(), |writer| {
                    writer.alternative(alternative, stop, bound.clone())
                })
            })?);
        }
        self.line("}")?;
        Ok(ways)
    }

    fn alternative(
        &mut self,
        alternative: &Alternative<'a>,
        stop: Option<NodeId>,
        bound: Bound,
    ) -> Result<Option<Bound>, NotWritable> {
        match alternative {
            Alternative::End(_) => {
                self.line("skip")?;
                Ok(Some(bound))
            }
            Alternative::Edge(edge) => {
                let behind = self.act(edge, bound)?;
                self.from(edge.target, stop, behind)
            }
        }
    }

    /// An event and its assignments.
    fn act(&mut self, edge: &Edge, mut bound: Bound) -> Result<Bound, NotWritable> {
        match &edge.event {
            Event::Message(message) => self.message(message, &mut bound)?,
            Event::Tick => self.line("wait 1")?,
            Event::TickOf(role) => {
                let role = fixed(role.0, self.terms)?;
                self.line(&format!("wait 1 at {role}"))?;
            }
            Event::Silent if !edge.updates.is_empty() => {}
            Event::Silent | Event::Choose(_) | Event::Raise(_) | Event::Disturbance(_) => {
                let event = edge.event.text(self.terms);
                let reason = format!("it has no word for the event `{event}`");
                return Err(NotWritable::because(reason));
            }
        }
        for update in &edge.updates {
            let name = self.names.variable(update.variable, self.terms);
            let value = self.names.term(update.value, self.terms);
            let sort = if bound.sometimes.contains(&update.variable) {
                String::new()
            } else {
                format!(": {}", self.sort(update.variable))
            };
            self.line(&format!("{name}{sort} := {value}"))?;
            bound.add(update.variable);
        }
        Ok(bound)
    }

    fn message(&mut self, message: &Message, bound: &mut Bound) -> Result<(), NotWritable> {
        if message.fault.is_some() {
            let text = message.text(self.terms);
            let reason = format!("it has no word for the fault in `{text}`");
            return Err(NotWritable::because(reason));
        }
        let mut fields = Vec::new();
        for field in &message.fields {
            let value = match field.value {
                FieldValue::Free(term) => self.names.term(term, self.terms),
                FieldValue::Bind(variable) => {
                    let again = if bound.sometimes.contains(&variable) {
                        "new "
                    } else {
                        ""
                    };
                    let name = self.names.variable(variable, self.terms);
                    format!("{again}{name}: {}", self.sort(variable))
                }
            };
            fields.push(match field.label {
                Some(label) => format!("{} = {value}", fixed(label, self.terms)?),
                None if message.fields.len() == 1 => value,
                None => format!("_ = {value}"),
            });
        }
        let operation = fixed(message.operation.0, self.terms)?;
        let (from, to) = (
            fixed(message.from.0, self.terms)?,
            fixed(message.to.0, self.terms)?,
        );
        let mut line = match message.direction {
            Direction::Interaction => format!("{from} -> {to}: {operation}"),
            Direction::Send => format!("-> {to}: {operation}"),
            Direction::Receive => format!("<- {from}: {operation}"),
        };
        if !fields.is_empty() {
            line.push_str(&format!("({})", fields.join(", ")));
        }
        for field in &message.fields {
            if let FieldValue::Bind(variable) = field.value {
                bound.add(variable);
            }
        }
        self.line(&line)
    }

    fn sort(&self, variable: Var) -> String {
        self.terms.sort_text(self.terms.variable_sort(variable))
    }

    /// Writes under a condition, if there is one.
    fn guarded<T>(
        &mut self,
        guard: Term,
        inner: impl FnOnce(&mut Self) -> Result<T, NotWritable>,
    ) -> Result<T, NotWritable> {
        if guard == Term::TRUE {
            return inner(self);
        }
        let guard = self.names.term(guard, self.terms);
        self.line(&format!("when {guard} {{"))?;
        let result = self.deeper(inner)?;
        self.line("}")?;
        Ok(result)
    }

    fn deeper<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<T, NotWritable>,
    ) -> Result<T, NotWritable> {
        if self.depth >= MAX_BLOCKS {
            let reason = format!("its blocks would nest deeper than {MAX_BLOCKS}");
            return Err(NotWritable::because(reason));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn line(&mut self, line: &str) -> Result<(), NotWritable> {
        if self.lines >= MAX_LINES {
            let reason = format!("it would have more than {MAX_LINES} lines");
            return Err(NotWritable::because(reason));
        }
        self.lines += 1;
        self.text.push_str(&"    ".repeat(self.depth));
        self.text.push_str(line);
        self.text.push('\n');
        Ok(())
    }
}

/// Where writing continues.
enum Next {
    At(NodeId, Bound),
    /// Everything is written; what is bound if something follows.
    Over(Option<Bound>),
}

fn loop_name(node: NodeId) -> String {
    format!("s{}", node.0 + 1)
}
