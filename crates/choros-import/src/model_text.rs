//! The model as a `.chor` file.

use std::fmt::Write as _;

use crate::enumerations::Enumerations;
use crate::message::{Field, Message};
use crate::operation::{Answer, Link, Operation};
use crate::service::Service;

/// What the file says.
pub(crate) struct ModelText<'a> {
    pub(crate) client: &'a str,
    pub(crate) services: &'a [Service],
    pub(crate) enumerations: &'a mut Enumerations,
    /// The name of the choreography that has all calls.
    pub(crate) name: String,
    out: String,
    indent: usize,
}

impl<'a> ModelText<'a> {
    pub(crate) fn new(
        client: &'a str,
        services: &'a [Service],
        enumerations: &'a mut Enumerations,
        name: &str,
    ) -> ModelText<'a> {
        let name = enumerations.names.give(name);
        ModelText {
            client,
            services,
            enumerations,
            name,
            out: String::new(),
            indent: 0,
        }
    }

    pub(crate) fn write(mut self) -> String {
        for service in self.services {
            self.line(&format!(
                "// {} is described by {}: {}",
                service.role,
                comment(&service.file),
                comment(&service.title)
            ));
        }
        self.line("");
        for (name, values) in std::mem::take(&mut self.enumerations.declared) {
            self.line(&format!("type {name} = {}", values.join(" | ")));
        }
        if self.out.contains("\ntype ") {
            self.line("");
        }
        for service in self.services {
            for operation in &service.operations {
                if !operation.is_linked {
                    self.operation(service, operation, &operation.request.name, &[]);
                }
            }
            for operation in &service.operations {
                for (answer, link) in operation
                    .answers
                    .iter()
                    .flat_map(|it| it.links.iter().map(move |link| (it, link)))
                {
                    let target = &service.operations[link.target];
                    let name = linked_name(answer, target);
                    let fields = &target.request.fields;
                    let given = link
                        .values
                        .iter()
                        .filter_map(|(label, _)| fields.iter().find(|it| it.label == *label));
                    self.operation(service, target, &name, &given.collect::<Vec<_>>());
                }
                for callback in &operation.callbacks {
                    self.event(service, callback);
                }
            }
            for webhook in &service.webhooks {
                self.event(service, webhook);
            }
        }
        self.calls();
        self.out
    }

    /// All calls, in any order.
    fn calls(&mut self) {
        let roles: Vec<String> = self
            .services
            .iter()
            .map(|it| format!("service {}", it.role))
            .collect();
        match self.services {
            [_] => self.line("// Every call, in any order, any number of times: replace it by what your clients do."),
            _ => {
                self.line("// Every call, in any order, any number of times: order the calls by hand.");
                self.line(&format!("// If one service calls another, write its role in place of {}.", self.client));
            }
        }
        let head = format!(
            "choreography {}[{}, {}] {{",
            self.name,
            self.client,
            roles.join(", ")
        );
        self.open(&head);
        let mut calls = Vec::new();
        for service in self.services {
            for operation in service.operations.iter().filter(|it| !it.is_linked) {
                calls.push(format!(
                    "do {}[{}, {}]",
                    operation.request.name, self.client, service.role
                ));
            }
        }
        if calls.is_empty() {
            self.line("skip");
        } else {
            self.rounds("Calls", calls);
        }
        self.close("}");
    }

    /// Any number of calls; all rounds begin in one state, so that the graph grows with the number of calls only.
    fn rounds(&mut self, name: &'static str, calls: Vec<String>) {
        self.open(&format!("loop {name} {{"));
        let calls = calls.into_iter().map(|call| Branch::Round(call, name));
        let mut branches: Vec<Branch<'_>> = calls.collect();
        branches.push(Branch::Line("skip".to_owned()));
        self.choice(self.client, &branches);
        self.close("}");
    }

    fn operation(
        &mut self,
        service: &Service,
        operation: &Operation,
        name: &str,
        given: &[&Field],
    ) {
        let request = &operation.request;
        let mut head = format!("// {} {}", operation.method, operation.path);
        if !operation.summary.trim().is_empty() {
            let _ = write!(head, ": {}", comment(&operation.summary));
        }
        self.line(&head);
        let parameters = given.iter().map(|it| format!("{}: {}", it.label, it.sort));
        let parameters = match given {
            [] => String::new(),
            _ => format!("({})", parameters.collect::<Vec<_>>().join(", ")),
        };
        self.open(&format!(
            "choreography {name}[{}, {}]{parameters} {{",
            self.client, service.role
        ));
        let fields = fields(request, |field| {
            if given.iter().any(|it| it.label == field.label) {
                Value::Known
            } else {
                Value::New
            }
        });
        self.line(&format!(
            "{} -> {}: {}{fields}",
            self.client, service.role, request.name
        ));
        let answers: Vec<Branch<'_>> = operation
            .answers
            .iter()
            .map(|it| Branch::Answer(service, operation, it))
            .collect();
        let refusals = operation.answers.iter().filter(|it| !it.is_success());
        let refusals: Vec<Branch<'_>> = refusals
            .map(|it| Branch::Answer(service, operation, it))
            .collect();
        let says_no = |it: &Answer| {
            matches!(
                it.status.to_ascii_uppercase().as_str(),
                "400" | "422" | "4XX" | "DEFAULT"
            )
        };
        let conditions: Vec<String> = request
            .fields
            .iter()
            .flat_map(|field| {
                field
                    .conditions
                    .iter()
                    .map(|it| it.replace("{}", &field.label))
            })
            .collect();
        if conditions.is_empty() || answers.is_empty() {
            self.choice(&service.role, &answers);
        } else if operation.answers.iter().any(says_no) {
            self.open(&format!("if {} {{", conditions.join(" and ")));
            self.choice(&service.role, &answers);
            self.turn("} else {");
            self.choice(&service.role, &refusals);
            self.close("}");
        } else {
            self.open(&format!("when {} {{", conditions.join(" and ")));
            self.choice(&service.role, &answers);
            self.close("}");
        }
        self.close("}");
        self.line("");
    }

    /// A call that the service makes.
    fn event(&mut self, service: &Service, operation: &Operation) {
        self.line(&format!(
            "// {} calls back: {} {}",
            service.role, operation.method, operation.path
        ));
        let request = &operation.request;
        self.open(&format!(
            "choreography {}[{}, {}] {{",
            request.name, service.role, self.client
        ));
        let fields = fields(request, |_| Value::New);
        self.line(&format!(
            "{} -> {}: {}{fields}",
            service.role, self.client, request.name
        ));
        let answers = operation.answers.iter().map(|it| {
            let fields = answer_fields(request, &it.message);
            Branch::Line(format!(
                "{} -> {}: {}{fields}",
                self.client, service.role, it.message.name
            ))
        });
        let answers: Vec<Branch<'_>> = answers.collect();
        self.choice(self.client, &answers);
        self.close("}");
        self.line("");
    }

    fn choice(&mut self, decider: &str, branches: &[Branch<'_>]) {
        if let [only] = branches {
            self.branch(only);
            return;
        }
        for (number, branch) in branches.iter().enumerate() {
            match number {
                0 => self.open(&format!("choice at {decider} {{")),
                _ => self.turn("} or {"),
            }
            self.branch(branch);
        }
        if !branches.is_empty() {
            self.close("}");
        }
    }

    fn branch(&mut self, branch: &Branch<'_>) {
        match branch {
            Branch::Line(line) => self.line(line),
            Branch::Round(call, name) => {
                self.line(call);
                self.line(&format!("again {name}"));
            }
            Branch::Answer(service, operation, answer) => self.answer(service, operation, answer),
        }
    }

    fn answer(&mut self, service: &Service, operation: &Operation, answer: &Answer) {
        let fields = answer_fields(&operation.request, &answer.message);
        self.line(&format!(
            "{} -> {}: {}{fields}",
            service.role, self.client, answer.message.name
        ));
        if answer.is_success() {
            for callback in &operation.callbacks {
                let call = format!(
                    "do {}[{}, {}]",
                    callback.request.name, service.role, self.client
                );
                self.choice(
                    &service.role,
                    &[Branch::Line(call), Branch::Line("skip".to_owned())],
                );
            }
        }
        if !answer.links.is_empty() {
            let calls = answer.links.iter();
            let calls = calls.map(|it| self.linked_call(service, answer, it));
            let calls = calls.collect();
            self.rounds("Next", calls);
        }
    }

    fn linked_call(&self, service: &Service, answer: &Answer, link: &Link) -> String {
        let name = linked_name(answer, &service.operations[link.target]);
        let values: Vec<&str> = link
            .values
            .iter()
            .map(|(_, variable)| variable.as_str())
            .collect();
        format!(
            "do {name}[{}, {}]({})",
            self.client,
            service.role,
            values.join(", ")
        )
    }

    fn line(&mut self, line: &str) {
        if !line.is_empty() {
            self.out.push_str(&"    ".repeat(self.indent));
        }
        self.out.push_str(line);
        self.out.push('\n');
    }

    fn open(&mut self, line: &str) {
        self.line(line);
        self.indent += 1;
    }

    fn turn(&mut self, line: &str) {
        self.indent -= 1;
        self.open(line);
    }

    fn close(&mut self, line: &str) {
        self.indent -= 1;
        self.line(line);
    }
}

/// What comes in a branch.
enum Branch<'a> {
    Line(String),
    /// A call, and the loop that goes on after it.
    Round(String, &'static str),
    Answer(&'a Service, &'a Operation, &'a Answer),
}

/// How a message gets the value of a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Known,
    New,
    /// The variable has a value already, of the same type.
    Again,
    /// The variable has a value of another type already.
    Other,
}

/// The choreography of a call that takes values from an answer.
pub(crate) fn linked_name(answer: &Answer, target: &Operation) -> String {
    format!("{}After{}", target.request.name, answer.message.name)
}

fn answer_fields(request: &Message, answer: &Message) -> String {
    fields(answer, |field| {
        match request.fields.iter().find(|it| it.label == field.label) {
            None => Value::New,
            Some(known) if known.sort == field.sort => Value::Again,
            Some(_) => Value::Other,
        }
    })
}

/// The fields in parentheses; a single one is named, because it would have no name otherwise.
fn fields(message: &Message, value: impl Fn(&Field) -> Value) -> String {
    let is_single = message.fields.len() == 1;
    let written = message.fields.iter().map(|field| {
        let Field { label, sort, .. } = field;
        let named = |text: String| {
            if is_single {
                format!("{label} = {text}")
            } else {
                text
            }
        };
        match value(field) {
            Value::Known => named(label.clone()),
            Value::New => named(format!("{label}: {sort}")),
            Value::Again => named(format!("new {label}: {sort}")),
            Value::Other => format!("{label} = {label}_answered: {sort}"),
        }
    });
    match message.fields.as_slice() {
        [] => String::new(),
        _ => format!("({})", written.collect::<Vec<_>>().join(", ")),
    }
}

/// The first line of a text, not too long.
fn comment(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    let line: String = line.chars().filter(|it| !it.is_control()).collect();
    match line.char_indices().nth(100) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.trim_end().to_owned(),
    }
}
