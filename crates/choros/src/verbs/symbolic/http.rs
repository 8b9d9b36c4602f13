//! Symbolic test cases as requests with ready bodies, for tests that run without us.

use choros_data::{Assignment, Term, Terms};
use choros_emit::symbolic::{BodyKind, Expected, HttpCall, HttpStep, HttpSuite, HttpTest, Place};
use choros_exec::drive::Codec;
use choros_report::Report;
use choros_smt::{Answer, Solver};
use choros_symex::driver::ConcreteMessage;
use choros_symex::{Label, Part, Step, SymbolicMessage, TestCase, Tree};

use super::derive::Derived;
use super::http_leaves::{Leaf, leaves_of, place};
use crate::verbs::drive::{AnyCodec, json_codec, mapping, soap_codec};
use crate::{FileKind, Project, Request, Settings, solver};

/// Where a service is if nothing says so.
const NOWHERE: &str = "http://127.0.0.1:8080";

/// The tests of a suite; the report is told what is missing.
pub(super) fn http_suite(
    project: &mut Project<'_>,
    request: &Request,
    derived: &Derived,
    named_mapping: Option<&str>,
    settings: &Settings,
    report: &mut Report,
) -> Option<HttpSuite> {
    let kind = request.known_kind();
    let (mut codec, target, tick) = match (kind, named_mapping) {
        (Some(FileKind::Bpel), None) => {
            let (codec, process) = soap_codec(project, &request.path, None, settings, report)?;
            let tick = process.unit.map(|unit| unit.milliseconds);
            let target = codec.target.clone();
            (AnyCodec::Soap(Box::new(codec)), target, tick)
        }
        _ => {
            let mut mapping = mapping(project, named_mapping, report)?;
            if named_mapping.is_none() {
                // Where nothing is said, an operation is answered under its own name.
                for message in derived.orchestration.stg.messages() {
                    let name = project.terms.names.text(message.operation.0).to_owned();
                    let exchange = mapping.operations.entry(name.clone()).or_default();
                    exchange.answers = vec![name];
                }
            }
            let target = mapping.target.clone().unwrap_or_else(|| NOWHERE.to_owned());
            let codec = json_codec(project, derived, target.clone(), mapping);
            (AnyCodec::Json(Box::new(codec)), target, None)
        }
    };
    let mut solver = solver::find(settings, report)?;
    let mut suite = HttpSuite {
        model: request.path.clone(),
        service: derived.orchestration.name.clone(),
        target: target.clone(),
        tick: tick.unwrap_or(1000),
        bodies: match codec {
            AnyCodec::Json(_) => BodyKind::Json,
            AnyCodec::Soap(_) => BodyKind::Xml,
        },
        tests: Vec::new(),
        left_out: Vec::new(),
    };
    for test in &derived.selection.tests {
        let mut writer = Writer {
            tree: &derived.tree,
            codec: &mut codec,
            solver: &mut *solver,
            terms: &mut project.terms,
            target: &target,
            fixed: Vec::new(),
            open: Vec::new(),
        };
        match writer.test(test) {
            Ok(test) => suite.tests.push(test),
            Err(reason) => suite.left_out.push((test.name.clone(), reason)),
        }
    }
    Some(suite)
}

/// One test while it is written.
struct Writer<'w> {
    tree: &'w Tree,
    codec: &'w mut AnyCodec,
    solver: &'w mut dyn Solver,
    terms: &'w mut Terms,
    target: &'w str,
    /// What was sent so far, as equations: sent values that are copied are not among them.
    fixed: Vec<Term>,
    /// Values of responses that the service chose, and where they stand.
    open: Vec<(Leaf, Place)>,
}

impl Writer<'_> {
    fn test(&mut self, test: &TestCase) -> Result<HttpTest, String> {
        if !test.terminating {
            return Err("its path does not lead to the end of the service".to_owned());
        }
        let mut values = self
            .tree
            .concrete(test.end, self.terms)
            .ok_or("no values are known for it")?;
        let mut written = HttpTest {
            name: test.name.clone(),
            condition: self
                .tree
                .decisions(test.end)
                .into_iter()
                .map(|conjunct| self.terms.print(conjunct))
                .collect(),
            needs: Vec::new(),
            steps: Vec::new(),
        };
        let seen: Vec<&Step> = test
            .steps
            .iter()
            .filter(|step| step.part != Part::Hidden)
            .collect();
        let mut calls = 0;
        let mut at = 0;
        while let Some(step) = seen.get(at) {
            at += 1;
            let message = match &step.label {
                Label::Message(message) => message,
                _ => {
                    written.steps.push(HttpStep::Tick);
                    continue;
                }
            };
            if step.part == Part::Observation {
                return Err("the service calls the tester".to_owned());
            }
            let sent = self.concrete(message, &mut values)?;
            if self.codec.is_reply(&sent) {
                return Err("the tester answers the service".to_owned());
            }
            let mut call = self.request(test, message, &sent)?;
            if let Some(next) = seen.get(at)
                && next.part == Part::Observation
                && let Label::Message(answer) = &next.label
                && self.codec.answers(message.operation(), answer.operation())
            {
                at += 1;
                let awaited = self.concrete(answer, &mut values)?;
                self.response(next, answer, &awaited, calls, &mut call)?;
            }
            written.steps.push(HttpStep::Call(Box::new(call)));
            calls += 1;
        }
        for step in &test.steps {
            if let (Part::Hidden, Label::Message(message)) = (step.part, &step.label)
                && !message.is_sent()
            {
                let message = self.concrete(message, &mut values)?;
                written.needs.push(message.text(self.terms));
            }
        }
        Ok(written)
    }

    fn concrete(
        &self,
        message: &SymbolicMessage,
        values: &mut Assignment,
    ) -> Result<ConcreteMessage, String> {
        let fields = message.fields.iter();
        Ok(ConcreteMessage {
            operation: message.operation(),
            from: message.from,
            to: message.to,
            fault: message.head.fault,
            values: fields
                .map(|field| self.tree.value(field.value, values, self.terms))
                .collect::<Option<_>>()
                .ok_or("no values are known for it")?,
        })
    }

    fn leaves(&mut self, message: &SymbolicMessage, concrete: &ConcreteMessage) -> Vec<Leaf> {
        let fields = message.fields.iter().zip(&concrete.values);
        fields
            .enumerate()
            .flat_map(|(number, (field, value))| leaves_of(number, field.value, value, self.terms))
            .collect()
    }

    fn request(
        &mut self,
        test: &TestCase,
        message: &SymbolicMessage,
        sent: &ConcreteMessage,
    ) -> Result<HttpCall, String> {
        let outgoing = self.codec.request(sent, self.terms)?;
        let path = outgoing.url.strip_prefix(self.target.trim_end_matches('/'));
        let mut call = HttpCall {
            about: sent.text(self.terms),
            method: outgoing.method,
            path: path.unwrap_or_default().to_owned(),
            headers: outgoing.headers,
            body: String::from_utf8(outgoing.body).map_err(|_| "its body is no text")?,
            copies: Vec::new(),
            status: None,
            expected: Vec::new(),
        };
        let known = self.tree.solved_condition(test.end);
        for leaf in self.leaves(message, sent) {
            let stands = place(&leaf, sent, true, self.codec, self.terms);
            if let Some((stands, _)) = stands
                && let Some(from) = self.source(&leaf, &known)
            {
                call.copies.push((stands, from));
                continue;
            }
            let value = self.terms.constant(leaf.value);
            let equation = self.terms.equal(leaf.term, value);
            self.fixed.push(equation);
        }
        Ok(call)
    }

    fn response(
        &mut self,
        step: &Step,
        message: &SymbolicMessage,
        awaited: &ConcreteMessage,
        number: usize,
        call: &mut HttpCall,
    ) -> Result<(), String> {
        let reply = self.codec.reply(awaited, self.terms)?;
        call.about = format!("{}, then {}", call.about, awaited.text(self.terms));
        call.status = (reply.status != 200).then_some(reply.status);
        if let AnyCodec::Json(codec) = &*self.codec {
            let name = self.terms.names.text(awaited.operation.0);
            let constants = codec.mapping.operations.get(name).map(|it| &it.constants);
            for (path, value) in constants.into_iter().flatten() {
                if !(value.is_object() || value.is_array()) {
                    let value = Expected::Value(value.to_string());
                    call.expected.push((path.replace('.', "/"), value));
                }
            }
        }
        // What later steps ask for does not bind the service here.
        let known = self.tree.solved_condition(step.node);
        for leaf in self.leaves(message, awaited) {
            let Some((path, text)) = place(&leaf, awaited, false, self.codec, self.terms) else {
                continue;
            };
            let value = self.terms.constant(leaf.value.clone());
            if !leaf.in_list && self.is_forced(&known, leaf.term, value) {
                call.expected.push((path, Expected::Value(text)));
            } else if let Some(from) = self.source(&leaf, &known).filter(|_| !leaf.in_list) {
                call.expected.push((path, Expected::Same(from)));
            } else {
                let call = number;
                self.open.push((leaf, Place { call, path }));
            }
        }
        Ok(())
    }

    /// The value of an earlier response that a value has to be.
    fn source(&mut self, leaf: &Leaf, known: &[Term]) -> Option<Place> {
        let candidates: Vec<(Leaf, Place)> = self
            .open
            .iter()
            .filter(|(from, _)| from.value == leaf.value)
            .cloned()
            .collect();
        candidates
            .into_iter()
            .find(|(from, _)| from.term == leaf.term || self.is_forced(known, leaf.term, from.term))
            .map(|(_, place)| place)
    }

    /// Whether what is known and what was sent leave no other choice; a solver that cannot tell says no.
    fn is_forced(&mut self, known: &[Term], left: Term, right: Term) -> bool {
        let differ = self.terms.not_equal(left, right);
        let mut formulas: Vec<Term> = [known, &self.fixed].concat();
        formulas.push(self.terms.close(differ));
        matches!(
            self.solver.satisfiable(self.terms, &formulas),
            Ok(Answer::Unsat)
        )
    }
}
