//! Symbolic test cases as requests with ready bodies, for tests that run without us.

mod branches;
mod expected;
mod leaves;
mod of_service;
mod others;

use choros_data::{Assignment, Term, Terms};
use choros_emit::symbolic::{
    BodyKind, HeaderPart, HttpCall, HttpStep, HttpSuite, HttpTest, MessageValue, PartnerCall,
    ServiceMessage,
};
use choros_model::stg::{Operation, Role};
use choros_smt::Solver;
use choros_symex::driver::{ConcreteMessage, Edge, SymbolicPath};
use choros_symex::{
    DerivedTests, Part, SymbolicMessage, TestCase, TestStep, Tree, TreeCut, TreeLabel,
};

use self::branches::Branches;
use self::leaves::{Form, Leaf, List, envelope_title, parts_of, place};
use crate::{Codec, HeaderPiece, pieces};

/// What tests are compiled from, beside the tests themselves.
pub struct Compilation<'c> {
    /// The file of the model.
    pub model: &'c str,
    /// The model and its tests.
    pub derived: &'c DerivedTests,
    /// How messages travel.
    pub codec: Box<dyn Codec>,
    /// How long a tick is, in milliseconds.
    pub tick: u64,
    /// Headers of every request; what they name is looked up when the tests are run, because it may be secret.
    pub headers: Vec<(String, String)>,
    /// Roles that the tests play beside the user, their names, and where they are (`:9001`), as far as that is known.
    pub partners: Vec<(Role, String, Option<String>)>,
}

/// The tests of a suite, as requests with ready bodies.
pub fn compile(of: Compilation<'_>, solver: &mut dyn Solver, terms: &mut Terms) -> HttpSuite {
    let Compilation {
        model,
        derived,
        mut codec,
        tick,
        headers,
        partners,
    } = of;
    let target = codec.target().to_owned();
    let partners: Vec<(Role, String, String)> = partners
        .into_iter()
        .zip(9001..)
        .map(|((role, name, place), port)| {
            let place = place.unwrap_or_else(|| format!(":{port}"));
            let place = match place.strip_prefix(':') {
                Some(port) => format!("127.0.0.1:{port}"),
                None => place,
            };
            (role, name, place)
        })
        .collect();
    let mut suite = HttpSuite {
        model: model.to_owned(),
        service: derived.orchestration.name.clone(),
        target: target.clone(),
        tick,
        bodies: codec.bodies(),
        headers: headers
            .into_iter()
            .map(|(name, text)| (name, pieces(&text).into_iter().map(part).collect()))
            .collect(),
        partners: Vec::new(),
        tests: Vec::new(),
        left_out: Vec::new(),
    };
    for (test, path) in derived.selection.tests.iter().zip(&derived.suite.paths) {
        let edges = path.edges.iter().map(Some);
        for (number, edge) in std::iter::once(None).chain(edges).enumerate() {
            let mut writer = Writer {
                tree: &derived.tree,
                codec: &mut *codec,
                solver: &mut *solver,
                terms: &mut *terms,
                target: &target,
                partners: &partners,
                branches: Branches::new(&derived.tree, &derived.orchestration.played),
                facts: Vec::new(),
                fixed: Vec::new(),
                open: Vec::new(),
            };
            match writer.test(test, path, edge) {
                Ok(written) if number == 0 => suite.tests.push(written),
                Ok(written) => suite.tests.push(HttpTest {
                    name: format!("{}_edge_{number}", test.name),
                    ..written
                }),
                // What is wrong with a path is said once.
                Err(reason) if number == 0 => suite.left_out.push((test.name.clone(), reason)),
                Err(_) => {}
            }
        }
    }
    let is_asked = |name: &String| {
        let steps = suite.tests.iter().flat_map(|test| &test.steps);
        let mut asked = steps.filter_map(|step| match step {
            HttpStep::Asked(call) => Some(&call.role),
            _ => None,
        });
        asked.any(|role| role == name)
    };
    let partners = partners.iter().filter(|(_, name, _)| is_asked(name));
    suite.partners = partners
        .map(|(_, name, place)| (name.clone(), place.clone()))
        .collect();
    suite
}

/// One test while it is written.
struct Writer<'w> {
    tree: &'w Tree,
    codec: &'w mut dyn Codec,
    solver: &'w mut dyn Solver,
    terms: &'w mut Terms,
    target: &'w str,
    /// The partners that are played, their names and addresses.
    partners: &'w [(Role, String, String)],
    /// Where the service may be by now.
    branches: Branches<'w>,
    /// What is known of the message that was sent last.
    facts: Vec<Term>,
    /// What was sent so far, as equations: sent values that are copied are not among them.
    fixed: Vec<Term>,
    /// Values of responses that the service chose, and where they stand.
    open: Vec<(Leaf, MessageValue)>,
}

impl Writer<'_> {
    fn test(
        &mut self,
        test: &TestCase,
        path: &SymbolicPath,
        edge: Option<&Edge>,
    ) -> Result<HttpTest, String> {
        if !test.terminating {
            let reason = match self.tree.node(test.end).cut {
                TreeCut::Not => "its path ends with a fault or where nothing happens any more",
                TreeCut::Bound => "its path does not lead to the end of the service",
                _ => "its path was not followed to the end",
            };
            return Err(reason.to_owned());
        }
        let mut values = path
            .concrete(edge, self.terms, self.solver)
            .ok_or("no values are known for it")?;
        let mut written = HttpTest {
            name: test.name.clone(),
            condition: self
                .tree
                .decisions(test.end)
                .into_iter()
                .chain(edge.map(|edge| edge.condition))
                .map(|conjunct| self.terms.print(conjunct))
                .collect(),
            needs: Vec::new(),
            steps: Vec::new(),
        };
        self.steps(test, &mut values, &mut written)?;
        for step in &test.steps {
            if let (Part::Hidden, TreeLabel::Message(message)) = (step.part, &step.label)
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

    /// What the tester does, and what the service asks partners meanwhile: they are told before it is triggered.
    fn steps(
        &mut self,
        test: &TestCase,
        values: &mut Assignment,
        written: &mut HttpTest,
    ) -> Result<(), String> {
        let seen = test.steps.iter().filter(|step| step.part != Part::Hidden);
        let seen: Vec<&TestStep> = seen.collect();
        let mut answered = vec![false; seen.len()];
        let (mut calls, mut asked) = (0, 0);
        // The call that waits for its response, and the step after which nothing has been triggered yet.
        let mut open: Option<(Operation, Role)> = None;
        let mut trigger = 0;
        for (at, step) in seen.iter().enumerate() {
            let message = match &step.label {
                TreeLabel::Message(message) => message,
                _ => {
                    // While a call waits for its answer, time passes in the service.
                    let awaited = open.is_some_and(|call| self.is_awaited(call, &seen[at + 1..]));
                    if awaited && let Some(HttpStep::Call(call)) = written.steps.get_mut(trigger) {
                        call.ticks += 1;
                        self.branches.waited(self.terms, self.solver);
                        continue;
                    }
                    if !matches!(written.steps.last(), Some(HttpStep::Tick)) {
                        trigger = written.steps.len();
                    }
                    open = None;
                    self.branches.waited(self.terms, self.solver);
                    written.steps.push(HttpStep::Tick);
                    continue;
                }
            };
            let concrete = self.concrete(message, values)?;
            if step.part == Part::Observation {
                let others = self.branches.seen(step.node, self.terms, self.solver)?;
                let is_response = open.is_some_and(|(operation, from)| {
                    from == concrete.to && self.codec.answers(operation, concrete.operation)
                });
                if let (true, Some(call)) = (is_response, open) {
                    open = None;
                    let said = ServiceMessage::Answer(calls - 1);
                    let others = self.others(others, call)?;
                    let Some(HttpStep::Call(call)) = written.steps.get_mut(trigger) else {
                        return Err("its answer comes after something else".to_owned());
                    };
                    self.response(step, message, &concrete, said, call)?;
                    let expected = (call.status, call.expected.clone());
                    for other in others {
                        let is_new = (other.status, &other.expected) != (expected.0, &expected.1)
                            && !call.others.contains(&other);
                        if is_new {
                            call.others.push(other);
                        }
                    }
                    continue;
                }
                let is_partner = |it: &&(Role, String, String)| it.0 == concrete.to;
                let Some((_, role, _)) = self.partners.iter().find(is_partner) else {
                    return Err("the service calls the tester".to_owned());
                };
                let role = role.clone();
                self.only(message, &others)?;
                let mut call =
                    self.asked(role, step, message, &concrete, ServiceMessage::Asked(asked))?;
                let reply = (at + 1..seen.len()).find(|&next| {
                    let TreeLabel::Message(reply) = &seen[next].label else {
                        return false;
                    };
                    seen[next].part == Part::Stimulus
                        && !answered[next]
                        && reply.from == concrete.to
                        && self.codec.answers(concrete.operation, reply.operation())
                });
                if let Some(next) = reply
                    && let TreeLabel::Message(reply) = &seen[next].label
                {
                    answered[next] = true;
                    let sent = self.concrete(reply, values)?;
                    self.reply(test, reply, &sent, &mut call)?;
                    self.tell_sent(reply);
                }
                written
                    .steps
                    .insert(trigger, HttpStep::Asked(Box::new(call)));
                trigger += 1;
                asked += 1;
                continue;
            }
            if answered[at] {
                continue;
            }
            if self.codec.is_reply(&concrete) {
                return Err("the tester answers the service".to_owned());
            }
            let call = self.request(test, message, &concrete)?;
            self.tell_sent(message);
            trigger = written.steps.len();
            open = Some((concrete.operation, concrete.from));
            written.steps.push(HttpStep::Call(Box::new(call)));
            calls += 1;
        }
        Ok(())
    }

    /// Whether the answer to a call comes before the tester says anything else.
    fn is_awaited(&self, (operation, from): (Operation, Role), later: &[&TestStep]) -> bool {
        for step in later {
            let TreeLabel::Message(message) = &step.label else {
                continue;
            };
            let answers = message.to == from && self.codec.answers(operation, message.operation());
            if step.part == Part::Observation && answers {
                return true;
            }
            // What partners are asked and answer happens meanwhile.
            let is_partner = |role: Role| self.partners.iter().any(|it| it.0 == role);
            if step.part == Part::Stimulus && !is_partner(message.from) {
                return false;
            }
        }
        false
    }

    fn parts(
        &mut self,
        message: &SymbolicMessage,
        concrete: &ConcreteMessage,
    ) -> (Vec<Leaf>, Vec<List>) {
        let fields = message.fields.iter().zip(&concrete.values).enumerate();
        let mut all = (Vec::new(), Vec::new());
        for (number, (field, value)) in fields {
            let (leaves, lists) = parts_of(number, field.value, value, self.terms);
            all.0.extend(leaves);
            all.1.extend(lists);
        }
        all
    }

    fn request(
        &mut self,
        test: &TestCase,
        message: &SymbolicMessage,
        sent: &ConcreteMessage,
    ) -> Result<HttpCall, String> {
        let outgoing = self.codec.request(sent, self.terms)?;
        let path = outgoing.url.strip_prefix(self.target.trim_end_matches('/'));
        Ok(HttpCall {
            about: sent.text(self.terms),
            method: outgoing.method,
            path: path.unwrap_or_default().to_owned(),
            headers: outgoing.headers,
            body: String::from_utf8(outgoing.body).map_err(|_| "its body is not text")?,
            copies: self.sent(test, message, sent, Form::Request),
            status: None,
            expected: Vec::new(),
            others: Vec::new(),
            ticks: 0,
        })
    }

    /// What the service asks a partner, whose answer is added if there is one.
    fn asked(
        &mut self,
        role: String,
        step: &TestStep,
        message: &SymbolicMessage,
        asked: &ConcreteMessage,
        said: ServiceMessage,
    ) -> Result<PartnerCall, String> {
        let outgoing = self.codec.request(asked, self.terms)?;
        let title = match self.codec.bodies() {
            BodyKind::Xml => envelope_title(&outgoing.body).ok_or("its envelope is empty")?,
            BodyKind::Json => {
                let path = outgoing.url.strip_prefix(self.target.trim_end_matches('/'));
                format!("{} {}", outgoing.method, path.unwrap_or_default())
            }
        };
        Ok(PartnerCall {
            about: format!("{} will be asked", asked.text(self.terms)),
            role,
            title,
            expected: self.expected(step, message, asked, said, Form::Request),
            status: 202,
            content_type: None,
            body: String::new(),
            copies: Vec::new(),
        })
    }

    fn reply(
        &mut self,
        test: &TestCase,
        message: &SymbolicMessage,
        sent: &ConcreteMessage,
        call: &mut PartnerCall,
    ) -> Result<(), String> {
        let reply = self.codec.reply(sent, self.terms)?;
        call.about = format!("{}, and {} answered", call.about, sent.text(self.terms));
        call.status = reply.status;
        call.content_type = reply.content_type;
        call.body = String::from_utf8(reply.body).map_err(|_| "its body is not text")?;
        call.copies = self.sent(test, message, sent, Form::Reply);
        Ok(())
    }

    /// Which values of what is sent repeat what the service said; the others are known from now on.
    fn sent(
        &mut self,
        test: &TestCase,
        message: &SymbolicMessage,
        sent: &ConcreteMessage,
        form: Form,
    ) -> Vec<(String, MessageValue)> {
        let known = self.tree.solved_condition(test.end);
        let (leaves, lists) = self.parts(message, sent);
        let mut copies = Vec::new();
        self.facts.clear();
        for leaf in leaves {
            let stands = place(&leaf, sent, form, self.codec, self.terms);
            if let Some((stands, _)) = stands
                && let Some((of, from)) = self.source(&leaf, &known)
            {
                copies.push((stands, from));
                self.facts.push(self.terms.equal(leaf.term, of));
                continue;
            }
            let value = self.terms.constant(leaf.value);
            let equation = self.terms.equal(leaf.term, value);
            self.fixed.push(equation);
            self.facts.push(equation);
        }
        for list in lists {
            let length = self.terms.length(list.term);
            let count = self.terms.int(list.items.len() as i64);
            let equation = self.terms.equal(length, count);
            self.fixed.push(equation);
            self.facts.push(equation);
        }
        copies
    }

    /// A message was sent, whose facts are known.
    fn tell_sent(&mut self, message: &SymbolicMessage) {
        let facts = std::mem::take(&mut self.facts);
        self.branches.sent(message, &facts, self.terms, self.solver);
    }
}

fn part(piece: HeaderPiece) -> HeaderPart {
    match piece {
        HeaderPiece::Text(text) => HeaderPart::Text(text),
        HeaderPiece::Named(name) => HeaderPart::Environment(name),
    }
}
