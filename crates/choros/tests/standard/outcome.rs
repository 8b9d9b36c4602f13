//! The tests of a process against its runs.
//!
//! What `tests` and `drive` derive are paths over symbols. A run gives the symbols of what is received their values, and
//! each path whose condition then holds is a run of the process: it has to be listed.

use choros::base::{MemorySources, Severity};
use choros::data::{Assignment, NoValue, Sort, Term, Terms, Value};
use choros::verbs::{CoverageCriterion, DerivedTests, SymbolicTestOptions, derive};
use choros::{Request, Settings, Workspace};
use choros_symex::{SymbolicMessage, TestCase, TreeLabel};

use crate::expand::documents;
use crate::rows::{Message, Row, Seen, received, text};

/// No run of a row is longer, unless the row says that there are more.
const DEPTH: u32 = 14;

/// What the tests of the process say that the row does not, and the other way round.
pub(crate) fn problems(row: &Row) -> Vec<String> {
    let (process, definitions) = documents(&row.process);
    let mut files = MemorySources::default();
    files.add("p.bpel", process);
    files.add("p.wsdl", definitions);
    let mut workspace = Workspace::new(&files);
    let settings = Settings::default();
    let mut run = settings.run();
    let longest = row.runs.iter().chain(&row.never).map(Vec::len).max();
    let depth = match (row.has_more, longest) {
        (true, Some(longest)) => u32::try_from(longest).expect("a short run") + 1,
        _ => DEPTH,
    };
    let mut asked = SymbolicTestOptions {
        play_all: true,
        ..SymbolicTestOptions::default()
    };
    asked.derivation.coverage = CoverageCriterion::Paths;
    asked.derivation.incomplete = true;
    asked.derivation.depth = depth;
    let model = Request::file("p.bpel");
    let derived = derive(&mut workspace, &model, &asked, &settings, &mut run);
    let mut problems = Vec::new();
    let is_found = |code: &&String| run.findings.iter().any(|it| it.code.code == **code);
    let expected = row.named.iter().chain(&row.rejected);
    for code in expected.filter(|code| !is_found(code)) {
        problems.push(format!("{code} does not come"));
    }
    for finding in &run.findings {
        let (code, message) = (finding.code.code, &finding.message);
        let is_expected = row.named.iter().chain(&row.rejected).any(|it| it == code);
        let is_bad = finding.severity == Severity::Error || code == "CH1181";
        if is_bad && !is_expected {
            problems.push(format!("{code}: {message}"));
        }
    }
    match derived {
        Ok(derived) if row.rejected.is_empty() => {
            let paths = Paths {
                derived: &derived,
                terms: &workspace.terms,
            };
            let differing = paths.problems(row, &row.runs);
            match (row.ours.is_empty(), differing.is_empty()) {
                (true, _) => problems.extend(differing),
                (false, true) => problems.push("`ours` is not needed any more".to_owned()),
                (false, false) => problems.extend(paths.problems(row, &row.ours)),
            }
        }
        Ok(_) => problems.push("is not rejected".to_owned()),
        Err(_) if row.rejected.is_empty() => problems.push("has no tests".to_owned()),
        Err(_) => {}
    }
    problems
}

struct Paths<'a> {
    derived: &'a DerivedTests,
    terms: &'a Terms,
}

impl Paths<'_> {
    fn problems(&self, row: &Row, runs: &[Vec<Seen>]) -> Vec<String> {
        let mut problems = Vec::new();
        let mut is_seen = vec![false; runs.len()];
        for test in &self.derived.selection.tests {
            let shape = self.shape(test);
            let is_cut = shape.len() > self.derived.tree.depth as usize;
            let mut is_listed = is_cut;
            for run in runs.iter().filter(|_| !is_cut) {
                let Some(happens) = self.under(test, &shape, &received(run)) else {
                    continue;
                };
                is_listed = true;
                match runs.iter().position(|it| *it == happens) {
                    Some(index) => is_seen[index] = true,
                    None => problems.push(format!("`{}` happens", text(&happens))),
                }
            }
            if !row.has_more && (is_cut || !is_listed) {
                let condition = test.condition.iter().map(|it| self.terms.print(*it));
                let condition: Vec<String> = condition.collect();
                let shape = text(&shape);
                problems.push(format!(
                    "`{shape}` where {} is not listed",
                    condition.join(" and ")
                ));
            }
            for never in &row.never {
                let begins = self.begins(test, &shape, never);
                problems.extend(begins.then(|| format!("`{}` happens", text(never))));
            }
        }
        for (run, _) in runs.iter().zip(is_seen).filter(|(_, is_seen)| !is_seen) {
            problems.push(format!("`{}` does not happen", text(run)));
        }
        problems.dedup();
        problems
    }

    /// What is seen of a test, with terms for values.
    fn shape(&self, test: &TestCase) -> Vec<Seen> {
        let steps = test.steps.iter().map(|step| &step.label);
        let mut shape: Vec<Seen> = steps.filter_map(|label| self.seen(label)).collect();
        if !matches!(shape.last(), Some(Seen::End | Seen::Raises(_))) {
            shape.push(Seen::Stops);
        }
        shape
    }

    fn seen(&self, label: &TreeLabel) -> Option<Seen> {
        let local = |name| {
            let text = self.terms.names.text(name);
            let local = text.rsplit([':', '}']).next();
            local.unwrap_or_default().to_owned()
        };
        match label {
            TreeLabel::Silent | TreeLabel::Accept => None,
            TreeLabel::Tick => Some(Seen::Tick),
            TreeLabel::End => Some(Seen::End),
            TreeLabel::Raise(fault) => Some(Seen::Raises(local(*fault))),
            TreeLabel::Message(message) => Some(Seen::Message(Message {
                is_sent: message.is_sent(),
                operation: local(message.head.operation.0),
                fault: message.head.fault.map(local),
                value: match &message.fields[..] {
                    [field] => self.terms.print(field.value),
                    _ => String::new(),
                },
            })),
        }
    }

    /// The run that a test is if this is received, if it is one.
    fn under(&self, test: &TestCase, shape: &[Seen], given: &[&Message]) -> Option<Vec<Seen>> {
        let own = received(shape);
        let is_like =
            own.len() == given.len() && own.iter().zip(given).all(|(own, it)| own.is_like(it));
        let values = is_like.then(|| self.values(test, given))?;
        if self.is_impossible(test, &values) {
            return None;
        }
        let mut messages = test.steps.iter().filter_map(|step| step.label.message());
        let mut given = given.iter();
        let run = shape.iter().map(|seen| match seen {
            Seen::Message(message) => {
                let label = messages.next().expect("as many");
                Seen::Message(if message.is_sent {
                    Message {
                        value: self.sent(label, &values),
                        ..message.clone()
                    }
                } else {
                    Message::clone(given.next().expect("as many"))
                })
            }
            other => other.clone(),
        });
        Some(run.collect())
    }

    /// Whether a test may begin with this.
    fn begins(&self, test: &TestCase, shape: &[Seen], run: &[Seen]) -> bool {
        let is_like = |(own, it): (&Seen, &Seen)| match (own, it) {
            (Seen::Message(own), Seen::Message(it)) => own.is_like(it),
            (own, it) => own == it,
        };
        shape.len() >= run.len()
            && shape.iter().zip(run).all(is_like)
            && !self.is_impossible(test, &self.values(test, &received(run)))
    }

    /// The symbols of what is received, in the order in which it comes.
    fn values(&self, test: &TestCase, given: &[&Message]) -> Assignment {
        let messages = test.steps.iter().filter_map(|step| step.label.message());
        let own = messages.filter(|message| !message.is_sent());
        let mut values = Assignment::default();
        for (own, given) in own.zip(given) {
            if let [field] = &own.fields[..] {
                let symbol = field.fresh.expect("what is received has a symbol");
                let value = value(&given.value, self.terms.variable_sort(symbol));
                values.insert(symbol, value);
            }
        }
        values
    }

    /// What is left open may be anything.
    fn is_impossible(&self, test: &TestCase, values: &Assignment) -> bool {
        let mut conditions = test.condition.iter();
        conditions.any(|&it| self.terms.evaluate_guard(it, values) == Ok(false))
    }

    fn sent(&self, message: &SymbolicMessage, values: &Assignment) -> String {
        let [field] = &message.fields[..] else {
            return String::new();
        };
        self.printed(field.value, values)
    }

    fn printed(&self, term: Term, values: &Assignment) -> String {
        match self.terms.evaluate(term, values) {
            Ok(value) => self.terms.print_value(&value),
            Err(NoValue::Undefined) => "undefined".to_owned(),
            Err(_) => "_".to_owned(),
        }
    }
}

fn value(text: &str, sort: Sort) -> Value {
    match sort {
        Sort::INT => Value::Int(text.parse().expect("a number")),
        Sort::STRING => Value::String(text.trim_matches('"').into()),
        Sort::BOOL => Value::Bool(text == "true"),
        _ => panic!("`{text}` is of no sort that is received here"),
    }
}
