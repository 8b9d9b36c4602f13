//! The reader: what it knows while it goes through a process.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use choros_base::{Severity, Span};
use choros_data::{Sort, Term, Terms, Var};
use choros_model::interface::Signature;
use choros_model::stg::{Operation, Role, Update};
use rustc_hash::FxHashMap;

use super::assign::CopyFault;
use super::compensate::ChildScope;
use super::correlate::CorrelationSet;
use super::diagnostics::{no_start, not_followed, unknown_activity, unknown_variable};
use super::faults::standard_faults;
use super::links::Link;
use super::parts::Sizes;
use super::reading::Reading;
use super::reference::Callee;
use super::scope::OpenedScope;
use super::{
    ABSTRACT, Duration, EXECUTABLE, Options, Orchestration, Standard, duration, interface,
};
use crate::calculus::{Activity, ActivityId, Process, RaisedFault};
use crate::static_rules::{self, Order};
use choros_xml::document::{Document, Element, ElementId, Library, QName};
use choros_xml::schema::XSD;
use choros_xml::wsdl::{Definitions, Partner};
use choros_xml::xpath::VariableType;

/// Whether an element is one of BPEL's.
pub(super) fn is_bpel(element: Element<'_>) -> bool {
    let namespace = &*element.name().namespace;
    namespace == ABSTRACT || namespace == EXECUTABLE
}

/// The first child of BPEL with this name.
pub(super) fn child<'d>(element: Element<'d>, local: &str) -> Option<Element<'d>> {
    element
        .children()
        .find(|child| is_bpel(*child) && child.local() == local)
}

/// The children of BPEL with this name.
pub(super) fn children<'d>(element: Element<'d>, local: &str) -> Vec<Element<'d>> {
    element
        .children()
        .filter(|child| is_bpel(*child) && child.local() == local)
        .collect()
}

pub(super) struct Reader<'r, 's> {
    pub(super) library: &'r mut Library<'s>,
    pub(super) terms: &'r mut Terms,
    pub(super) definitions: Definitions,
    pub(super) process: Process,
    pub(super) options: Options,
    pub(super) unit: Option<Duration>,
    /// What is declared around the place that is being read.
    pub(super) around: Environment,
    pub(super) partners: Vec<Partner>,
    pub(super) operations: Vec<Signature>,
    /// The anonymous variable of each message type, one per branch that runs in parallel with others.
    pub(super) wires: BTreeMap<(QName, u32), Var>,
    /// The variable that holds the data of each fault while it is handled.
    pub(super) fault_data: BTreeMap<(String, String, u32), Var>,
    /// The branch that is being read: activities of one never run at the same time.
    branch: u32,
    branches: u32,
    /// What is not followed, and where.
    pub(super) unfollowed: Vec<(String, Span)>,
    /// Whether a correct service may do what the graph does not allow.
    pub(super) misread: bool,
    /// Calls that wait for an answer, by partner, operation and message exchange.
    pub(super) exchanges: Vec<(Role, Operation, String)>,
    /// The variables that the process declares.
    pub(super) declared: Vec<Var>,
    /// How many parts those of them have that hold messages with several.
    pub(super) in_parts: Sizes,
    /// Each scope inside the process, and what it declares for itself.
    pub(super) scopes: Vec<OpenedScope>,
    /// What the process does, without its handlers.
    pub(super) process_body: Option<ActivityId>,
    /// What the next scope that completes assigns.
    pub(super) on_success: Vec<Update>,
    /// What goes wrong in the copies of the assign that is being read.
    pub(super) copy_faults: Vec<CopyFault>,
    /// Whether a copy is being read.
    pub(super) in_copy: bool,
    /// Variables whose types are not known, which was said where they are declared.
    pub(super) untyped: BTreeSet<String>,
    /// The process as it is written.
    pub(super) document: Arc<Document>,
    /// The partner links that are assigned to, with those whose references they may get.
    pub(super) references: BTreeMap<String, BTreeSet<String>>,
    /// The names of variables that are taken.
    names: BTreeSet<String>,
    pub(super) opaque: usize,
    pub(super) starts: bool,
    /// The scopes to be compensated directly in each scope that is being read, innermost last.
    pub(super) children: Vec<Vec<ChildScope>>,
    /// Counts completed scopes, to compensate them in the reverse order; there if one can be compensated.
    pub(super) completions: Option<Var>,
    /// For a scope that may be undone at the same time as others, by its `completed`: whether it is.
    pub(super) undoing: FxHashMap<Var, Var>,
    /// What rounds keep to be undone, each with its list.
    pub(super) kept: Vec<(Var, Var)>,
    /// Whether an isolated scope is at work; there if some have to wait for others.
    pub(super) lock: Option<Var>,
    /// What histories and locks begin with.
    pub(super) histories: Vec<Update>,
    /// The parallel loops whose branches are being read, with the number of the branch.
    pub(super) rounds: Vec<(ElementId, usize)>,
    /// The order of activities; there if it was asked for.
    pub(super) order: Option<Order>,
    /// For each link, how often it is the source and the target of an activity.
    pub(super) link_ends: Vec<(usize, usize)>,
}

/// What is declared around a place.
#[derive(Debug, Clone, Default)]
pub(super) struct Environment {
    pub(super) variables: BTreeMap<Arc<str>, Variable>,
    pub(super) correlation_sets: BTreeMap<Arc<str>, Arc<CorrelationSet>>,
    pub(super) partner_links: BTreeMap<Arc<str>, Partner>,
    /// For links that are assigned to, or must be first: whose reference they hold.
    pub(super) callees: BTreeMap<Arc<str>, Callee>,
    pub(super) links: BTreeMap<Arc<str>, Link>,
    pub(super) suppress_join_failure: bool,
    /// Inside a handler: the scopes that it may compensate.
    pub(super) compensable: Option<Arc<Vec<ChildScope>>>,
    pub(super) in_fault_handler: bool,
    /// Whether a standard fault ends the process, in the innermost scope and in the one around it.
    pub(super) exits: (bool, bool),
}

/// A variable of a process.
#[derive(Debug, Clone)]
pub(super) struct Variable {
    pub(super) holds: VariableType,
    pub(super) var: Var,
    pub(super) span: Span,
}

pub(super) fn read(
    library: &mut Library<'_>,
    terms: &mut Terms,
    document: &Arc<Document>,
    options: Options,
    standard: Standard,
) -> Orchestration {
    let root = document.root();
    let name = root.attribute("name").unwrap_or("process").to_owned();
    let role = Role(terms.names.intern(&name));
    let violation = terms.names.intern("bpel:correlationViolation");
    let unit = options.unit.or_else(|| duration::common_unit(root));
    let mut process = Process::new(role, violation);
    process.standard_faults = standard_faults(terms);
    let mut reader = Reader {
        library,
        terms,
        definitions: Definitions::default(),
        process,
        options,
        unit,
        around: Environment::default(),
        partners: Vec::new(),
        operations: Vec::new(),
        wires: BTreeMap::new(),
        fault_data: BTreeMap::new(),
        branch: 0,
        branches: 0,
        unfollowed: Vec::new(),
        misread: false,
        exchanges: Vec::new(),
        declared: Vec::new(),
        in_parts: Sizes::default(),
        scopes: Vec::new(),
        process_body: None,
        on_success: Vec::new(),
        copy_faults: Vec::new(),
        in_copy: false,
        untyped: BTreeSet::new(),
        document: document.clone(),
        references: Reader::reference_sources(root),
        names: BTreeSet::new(),
        opaque: 0,
        starts: false,
        children: Vec::new(),
        completions: None,
        undoing: FxHashMap::default(),
        kept: Vec::new(),
        lock: None,
        histories: Vec::new(),
        rounds: Vec::new(),
        order: None,
        link_ends: Vec::new(),
    };
    reader.imports(document);
    let broken = match standard {
        Standard::WsBpel => {
            let definitions = &mut reader.definitions;
            static_rules::check(reader.library, reader.terms, definitions, document)
        }
        Standard::Bpel4ws => {
            reader.neighbours(document);
            static_rules::Findings::default()
        }
    };
    let root_activity = reader.scope(root, true);
    broken.add_to(reader.library);
    reader.process.root = root_activity;
    // An abstract process may leave out what gives variables their values.
    let is_executable = &*root.name().namespace == EXECUTABLE;
    if is_executable && options.reading == Reading::Standard {
        reader.track(&name);
    }
    if !reader.starts {
        let severity = match &*root.name().namespace {
            EXECUTABLE => Severity::Error,
            _ => Severity::Warning,
        };
        reader
            .library
            .report(no_start::diagnostic(&name, severity, root.span()));
    }
    let mut interface =
        interface::interface(role, &reader.partners, reader.operations, reader.terms);
    let unfollowed: Vec<String> = reader.unfollowed.into_iter().map(|it| it.0).collect();
    interface.unfollowed = unfollowed.clone();
    interface.misread = reader.misread;
    interface.transports = reader.definitions.only_otherwise(&reader.partners);
    Orchestration {
        name,
        process: reader.process,
        interface,
        partners: reader.partners,
        definitions: reader.definitions,
        unit,
        unfollowed,
    }
}

impl Reader<'_, '_> {
    pub(super) fn add(&mut self, activity: Activity, element: Element<'_>) -> ActivityId {
        self.process.add(activity, Some(element.span()))
    }

    /// A variable of the graph with a name that no other has.
    pub(super) fn new_variable(&mut self, name: &str, sort: Sort) -> Var {
        let plain: String = name
            .chars()
            .map(|it| if it.is_alphanumeric() { it } else { '_' })
            .collect();
        let mut unique = plain.clone();
        let mut number = 2;
        while !self.names.insert(unique.clone()) {
            unique = format!("{plain}_{number}");
            number += 1;
        }
        let name = self.terms.names.intern(&unique);
        self.terms.variable(name, sort)
    }

    /// Reads something that may run in parallel with what is around it: its messages have variables of their own.
    pub(super) fn in_parallel<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.branch;
        self.branches += 1;
        self.branch = self.branches;
        let found = read(self);
        self.branch = outer;
        found
    }

    /// The branch that is being read.
    pub(super) fn branch(&self) -> u32 {
        self.branch
    }

    /// Reserves a name, so that no variable gets it.
    pub(super) fn is_new_name(&mut self, name: &str) -> bool {
        !self.names.contains(name)
    }

    pub(super) fn set(&mut self, variable: Var, value: Term) -> Update {
        Update { variable, value }
    }

    /// A value of which nothing is known.
    pub(super) fn unknown_value(&mut self, sort: Sort) -> Term {
        self.opaque += 1;
        let name = format!("opaque_{}", self.opaque);
        let variable = self.new_variable(&name, sort);
        self.process.unknowns.push(variable);
        self.terms.var(variable)
    }

    /// Something that is read and not followed: it is named, and verdicts that depend on it are unknown.
    ///
    /// A correct service may do what the graph does not allow.
    pub(super) fn not_followed(&mut self, what: &str, instead: &str, span: Span) {
        self.misread = true;
        self.left_open(what, instead, span);
    }

    /// Something of which another finding has said that it is not followed.
    pub(super) fn doubt(&mut self, what: String, span: Span) {
        self.misread = true;
        self.unfollowed.push((what, span));
    }

    /// The same where the graph allows everything that a correct service may do, and more.
    pub(super) fn left_open(&mut self, what: &str, instead: &str, span: Span) {
        let known = self
            .unfollowed
            .iter()
            .any(|(it, at)| it == what && *at == span);
        if !known {
            self.library
                .report(not_followed::diagnostic(what, instead, span));
            self.unfollowed.push((what.to_owned(), span));
        }
    }

    /// An activity that raises a standard fault.
    pub(super) fn raise(&mut self, local: &str, element: Element<'_>) -> ActivityId {
        let fault = self.standard_fault(local);
        let raised = RaisedFault { fault, data: None };
        self.add(Activity::Throw(raised, Vec::new()), element)
    }

    /// The variable that an attribute of an element names.
    pub(super) fn variable_of(
        &mut self,
        element: Element<'_>,
        attribute: &str,
    ) -> Option<Variable> {
        let name = element.attribute(attribute)?;
        match self.around.variables.get(name) {
            Some(variable) => Some(variable.clone()),
            None if self.untyped.contains(name) => None,
            None => {
                let known = self.around.variables.keys().map(|it| &**it);
                let span = element.attribute_span(attribute);
                let finding = unknown_variable::diagnostic(name, known, span);
                self.library.report(finding);
                None
            }
        }
    }

    /// The name under which a fault is raised: that of the standard with its prefix, others without.
    pub(super) fn fault_name(&mut self, name: &QName) -> choros_base::Name {
        let text = match &*name.namespace {
            ABSTRACT | EXECUTABLE => format!("bpel:{}", name.local),
            _ => name.local.to_string(),
        };
        self.terms.names.intern(&text)
    }

    pub(super) fn standard_fault(&mut self, local: &str) -> choros_base::Name {
        self.terms.names.intern(&format!("bpel:{local}"))
    }

    /// The variable that holds the data of a fault while it is handled; data of each type have one of their own.
    pub(super) fn fault_variable(&mut self, fault: choros_base::Name, like: &Variable) -> Var {
        let sort = self.terms.variable_sort(like.var);
        let name = self.terms.names.text(fault).to_owned();
        let message = self.message_name(&like.holds);
        let of = message.map_or("", |it| self.terms.names.text(it));
        let key = (
            name.clone(),
            format!("{of} {}", self.terms.sort_text(sort)),
            self.branch,
        );
        if let Some(&known) = self.fault_data.get(&key) {
            return known;
        }
        let variable = self.new_variable(&format!("vf_{name}"), sort);
        self.fault_data.insert(key, variable);
        self.process
            .data_types
            .extend(message.map(|it| (variable, it)));
        variable
    }

    /// The name of a message type.
    pub(super) fn message_name(&mut self, holds: &VariableType) -> Option<choros_base::Name> {
        let VariableType::Message(shape) = holds else {
            return None;
        };
        let name = format!("{{{}}}{}", shape.name.namespace, shape.name.local);
        Some(self.terms.names.intern(&name))
    }

    /// The type `xsd:…`.
    pub(super) fn built_in(
        &mut self,
        local: &str,
        span: Span,
    ) -> Option<choros_xml::schema::TypeId> {
        let name = QName::new(XSD, local);
        let schema = &mut self.definitions.schema;
        schema.named_type(self.library, self.terms, &name, span)
    }

    /// The activity inside an element; without one, what is missing is reported.
    pub(super) fn inner(&mut self, element: Element<'_>) -> ActivityId {
        let mut activities = element
            .children()
            .filter(|it| is_bpel(*it) && super::structure::is_activity(it.local()));
        match activities.next() {
            Some(activity) => self.activity(activity),
            None => {
                let unknown = element
                    .children()
                    .find(|it| is_bpel(*it) && !super::structure::is_part(it.local()));
                let finding = match unknown {
                    Some(unknown) => unknown_activity::diagnostic(
                        unknown.local(),
                        super::structure::ACTIVITIES,
                        unknown.span(),
                    ),
                    None => unknown_activity::lacking(element.local(), element.span()),
                };
                self.library.report(finding);
                self.add(Activity::Empty, element)
            }
        }
    }

    /// The name of a variable's type, for messages.
    pub(super) fn sort_of(&self, holds: &VariableType) -> Sort {
        match holds {
            VariableType::Message(shape) => shape.sort,
            VariableType::Holds(id) => self.definitions.schema.get(*id).sort,
        }
    }
}
