//! Isolated scopes (12.8): what they do to shared variables is as if one came after the other.
//!
//! Isolation matters only between scopes that run side by side and of which one writes what the other uses.
//! If neither of them communicates or waits, no one sees whether they overlap, so one waits for the other: a variable
//! says whether one is at work.
//! If they do communicate, an engine may let messages mix as long as the variables do not, so every order is read; some
//! are not allowed, which is named.

use std::collections::BTreeSet;

use choros_data::{Sort, Term};

use super::reader::{Reader, child, is_bpel};
use super::structure::is_activity;
use crate::calculus::{Activity, ActivityId, Arm, Handling, Scope};
use choros_xml::document::Element;

impl Reader<'_, '_> {
    /// Whether a scope has to wait for other isolated scopes; if isolation cannot be followed, that is named.
    pub(super) fn isolation(&mut self, element: Element<'_>) -> bool {
        if element.attribute("isolated") != Some("yes") || !may_meet_another(element) {
            return false;
        }
        let own = Uses::of(element);
        let rivals: Vec<Element<'_>> = isolated(element.document().root())
            .into_iter()
            .filter(|it| it.id() != element.id() || is_beside_itself(element))
            .filter(|it| own.conflicts(&Uses::of(*it)))
            .collect();
        let is_free = rivals.iter().all(|it| is_one_step(*it)) && is_one_step(element);
        if rivals.is_empty() || is_free {
            return false;
        }
        if is_silent(element) && rivals.iter().all(|it| is_silent(*it)) {
            return true;
        }
        let span = element.attribute_span("isolated");
        let instead = "its steps may mix with those of another isolated scope";
        self.left_open("isolation of a scope", instead, span);
        false
    }

    /// A scope between taking the lock and giving it back, whatever ends it.
    pub(super) fn locked(&mut self, element: Element<'_>, scope: ActivityId) -> ActivityId {
        let lock = match self.lock {
            Some(known) => known,
            None => {
                let new = self.new_variable("isolated", Sort::BOOL);
                self.histories.push(choros_model::stg::Update {
                    variable: new,
                    value: Term::FALSE,
                });
                self.lock = Some(new);
                new
            }
        };
        let is_taken = self.terms.var(lock);
        let is_free = self.terms.complement(is_taken);
        let (take, release) = (self.set(lock, Term::TRUE), self.set(lock, Term::FALSE));
        let mut body = Scope::around(scope);
        body.completed = vec![release];
        body.termination = Some(self.process.add(Activity::Assign(vec![release]), None));
        let released = self.process.add(Activity::Assign(vec![release]), None);
        let again = self.process.add(Activity::Rethrow, None);
        let parts = vec![released, again];
        body.handlers.push(Handling {
            fault: None,
            variable: None,
            body: self.process.add(Activity::Sequence(parts), None),
            rethrows: true,
        });
        let arm = Arm {
            guard: is_free,
            updates: vec![take],
            body: self.add(Activity::Scope(body), element),
        };
        let arms = vec![arm];
        self.add(Activity::Choice { arms, waits: true }, element)
    }
}

/// What a scope uses of what is declared around it.
struct Uses {
    written: BTreeSet<String>,
    all: BTreeSet<String>,
}

impl Uses {
    fn of(scope: Element<'_>) -> Uses {
        let mut uses = Uses {
            written: BTreeSet::new(),
            all: BTreeSet::new(),
        };
        let mut own = BTreeSet::new();
        let mut work = vec![scope];
        while let Some(element) = work.pop() {
            if matches!(element.local(), "variable" | "partnerLink") {
                own.extend(element.attribute("name").map(str::to_owned));
            }
            let names = element.attributes().iter().map(|it| it.value.to_string());
            let mut named: BTreeSet<String> = names.collect();
            let texts = element.text().split('$').skip(1);
            named.extend(texts.map(|it| {
                let end = it.find(|it: char| !(it.is_alphanumeric() || matches!(it, '_' | '-')));
                it[..end.unwrap_or(it.len())].to_owned()
            }));
            let attribute = match element.local() {
                "receive" | "onMessage" | "onEvent" => Some("variable"),
                "invoke" => Some("outputVariable"),
                "fromPart" => Some("toVariable"),
                _ => None,
            };
            let written = attribute.and_then(|it| element.attribute(it));
            uses.written.extend(written.map(str::to_owned));
            if element.local() == "to" {
                uses.written.extend(named.iter().cloned());
            }
            uses.all.extend(named);
            work.extend(element.children());
        }
        uses.written.retain(|it| !own.contains(it));
        uses.all.retain(|it| !own.contains(it));
        uses
    }

    fn conflicts(&self, other: &Uses) -> bool {
        !self.written.is_disjoint(&other.all) || !other.written.is_disjoint(&self.all)
    }
}

/// The isolated scopes of a process.
fn isolated(root: Element<'_>) -> Vec<Element<'_>> {
    let mut found = Vec::new();
    let mut work = vec![root];
    while let Some(element) = work.pop() {
        if element.attribute("isolated") == Some("yes") {
            found.push(element);
        }
        work.extend(element.children());
    }
    found
}

/// Whether a scope can run several times at once.
fn is_beside_itself(scope: Element<'_>) -> bool {
    let mut above = std::iter::successors(scope.parent(), |it| it.parent());
    above.any(|it| match it.local() {
        "forEach" => it.attribute("parallel") == Some("yes"),
        "onEvent" | "onAlarm" => it.parent().is_some_and(|it| it.local() == "eventHandlers"),
        _ => false,
    })
}

/// Whether a scope is a single assignment that cannot fail: nothing comes between its steps.
fn is_one_step(scope: Element<'_>) -> bool {
    let mut assignments = 0;
    let mut work: Vec<Element<'_>> = scope.children().filter(|it| is_bpel(*it)).collect();
    while let Some(element) = work.pop() {
        match element.local() {
            "sequence" => {}
            "assign" if element.attribute("validate") != Some("yes") => assignments += 1,
            "copy" | "from" | "to" | "literal" => {
                let text = element.text();
                if ["[", "div", "mod", "("].iter().any(|it| text.contains(it)) {
                    return false;
                }
            }
            _ => return false,
        }
        work.extend(element.children());
    }
    assignments <= 1
}

/// Whether no one sees what an isolated scope does but by its variables.
fn is_silent(scope: Element<'_>) -> bool {
    const SILENT: [&str; 12] = [
        "assign",
        "empty",
        "exit",
        "flow",
        "if",
        "repeatUntil",
        "rethrow",
        "scope",
        "sequence",
        "throw",
        "validate",
        "while",
    ];
    if child(scope, "compensationHandler").is_some() {
        return false;
    }
    let mut work = vec![scope];
    while let Some(element) = work.pop() {
        let is_loud = match element.local() {
            "eventHandlers" | "compensationHandler" | "sources" | "targets" => {
                element.parent().is_none_or(|it| it.id() != scope.id())
                    || element.local() == "eventHandlers"
            }
            local => is_bpel(element) && is_activity(local) && !SILENT.contains(&local),
        };
        if is_loud {
            return false;
        }
        work.extend(element.children());
    }
    true
}

/// Whether an isolated scope may run at the same time as another: alone, isolation changes nothing (12.8).
fn may_meet_another(scope: Element<'_>) -> bool {
    let mut inside = scope;
    while let Some(around) = inside.parent() {
        let parallel = match around.local() {
            "forEach" => around.attribute("parallel") == Some("yes"),
            "flow" => has_isolated(around, inside),
            // Handlers of events run in parallel with the body and with each other.
            "scope" | "process" => {
                child(around, "eventHandlers").is_some() && has_isolated(around, inside)
            }
            "eventHandlers" => has_isolated(around, inside),
            _ => false,
        };
        if parallel {
            return true;
        }
        inside = around;
    }
    false
}

/// Whether there is an isolated scope in an element, apart from one of its children.
fn has_isolated(whole: Element<'_>, apart: Element<'_>) -> bool {
    let mut work: Vec<Element<'_>> = whole
        .children()
        .filter(|it| it.id() != apart.id())
        .collect();
    while let Some(element) = work.pop() {
        if element.attribute("isolated") == Some("yes") {
            return true;
        }
        work.extend(element.children());
    }
    false
}
