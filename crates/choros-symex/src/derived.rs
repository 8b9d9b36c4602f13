//! A model of one role, its tree, and the tests that were chosen from it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use choros_base::{FileSet, Span};
use choros_data::Terms;
use choros_model::interface::Interface;
use choros_model::stg::{NodeId, Operation, Role, Stg};
use choros_query::purpose::{Purpose, interface_of};

use crate::driver::{Unseen, View};
use crate::{CoverageItem, EdgeOrigin, Graph, Selection, SymbolicSuite, Tree};

/// A model of one role with its operations.
#[derive(Debug, Clone)]
pub struct ServiceModel {
    /// How it is called.
    pub name: String,
    /// Its graph.
    pub stg: Stg,
    /// Its operations, with the contracts that were given.
    pub interface: Interface,
    /// The roles that a tester plays.
    pub played: Vec<Role>,
    /// Who has chosen the values that a tester does not see.
    pub unseen: Unseen,
    /// The field of a message that says which session it belongs to, where the service serves several.
    pub identities: Vec<(Operation, usize)>,
}

/// Why a graph is not a service that can be tested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoService {
    /// It is not the view of one role.
    NotOneRole,
    /// These were named as user or as played, and are not partners.
    NoPartners {
        named: Vec<String>,
        partners: Vec<String>,
    },
}

impl ServiceModel {
    /// A graph with its operations, as it declares them or else as they appear in it.
    ///
    /// The tester plays those who are named, or else the user, or else all partners where no one says who that is.
    pub fn new(
        name: String,
        stg: Stg,
        declared: Option<Interface>,
        user: Option<&str>,
        play: &[String],
        terms: &mut Terms,
    ) -> Result<ServiceModel, NoService> {
        let has_user = declared.is_some() || user.is_some();
        let named = user.into_iter().chain(play.iter().map(String::as_str));
        let named: Vec<&str> = named.collect();
        let user = user.map(|user| Role(terms.names.intern(user)));
        let interface = declared.or_else(|| interface_of(&stg, user, terms));
        let mut interface = interface.ok_or(NoService::NotOneRole)?;
        let mut partners = stg.roles();
        partners.retain(|&role| role != interface.orchestrator);
        let text = |role: Role| terms.names.text(role.0);
        let is_partner = |name: &&str| partners.iter().any(|&it| text(it) == *name);
        let strange = named.into_iter().filter(|name| !is_partner(name));
        let strange: Vec<String> = strange.map(str::to_owned).collect();
        if !strange.is_empty() {
            return Err(NoService::NoPartners {
                named: strange,
                partners: partners.iter().map(|&it| text(it).to_owned()).collect(),
            });
        }
        interface.user = user.unwrap_or(interface.user);
        let played = match play {
            [] if has_user || text(interface.user) == "USER" => vec![interface.user],
            [] => partners,
            play => {
                partners.retain(|&role| play.iter().any(|it| it == text(role)));
                partners
            }
        };
        Ok(ServiceModel {
            name,
            stg,
            interface,
            played,
            unseen: Unseen::ByService,
            identities: Vec::new(),
        })
    }

    /// Lets the tester play everyone; steps that were hidden become its own.
    pub fn play_all(&mut self) {
        let service = self.interface.orchestrator;
        self.played = self.stg.roles();
        self.played.retain(|&role| role != service);
    }

    /// What a tester sees of the service.
    pub fn view(&self) -> View {
        View {
            service: self.interface.orchestrator,
            played: self.played.clone(),
            unseen: self.unseen,
            identities: self.identities.clone(),
        }
    }
}

/// A tree and the tests that were chosen from it.
#[derive(Debug)]
pub struct DerivedTests {
    /// The model.
    pub orchestration: ServiceModel,
    /// The purpose, where one was given.
    pub purpose: Option<Purpose>,
    /// What was executed: the model, or its product with the purpose.
    pub graph: Graph,
    /// The product before pruning.
    pub unpruned: Option<Graph>,
    pub tree: Tree,
    /// The tests.
    pub selection: Selection,
    /// The same as paths, with the values at the boundaries of guards.
    pub suite: SymbolicSuite,
    /// The words that strings from outside are among.
    pub words: Vec<Arc<str>>,
}

impl DerivedTests {
    /// The path condition of each test as a script for other solvers.
    pub fn scripts(&self, terms: &Terms) -> FileSet {
        let mut scripts = FileSet::new();
        for test in &self.selection.tests {
            let script = self.tree.smt2(test.end, terms);
            let text = script.unwrap_or_else(|reason| format!("; {reason}\n"));
            scripts.add(&format!("{}.smt2", test.name), text);
        }
        scripts
    }

    /// Where the steps of the model are written, in the order of the text, and how many tests take each.
    pub fn places(&self) -> Vec<(Span, usize)> {
        let mut places: BTreeMap<Span, usize> = BTreeMap::new();
        let span_of = |origin: EdgeOrigin| match origin {
            EdgeOrigin::Edge(id) => self.orchestration.stg.edge(id).origin,
            EdgeOrigin::Termination(..) | EdgeOrigin::Purpose => None,
        };
        for edge in self.orchestration.stg.edges() {
            places.extend(edge.origin.map(|it| (it, 0)));
        }
        for test in &self.selection.tests {
            let path = self.tree.path(test.end).into_iter();
            let edges = path.filter_map(|it| self.tree.node(it).edge);
            let taken = edges.filter_map(|it| span_of(self.graph.edge(it).of));
            // A test that goes round a loop takes its steps all the same once.
            for span in taken.collect::<BTreeSet<Span>>() {
                *places.entry(span).or_default() += 1;
            }
        }
        places.into_iter().collect()
    }

    /// What a test covers or fails to cover, in words.
    pub fn item_text(&self, item: CoverageItem) -> String {
        let stg = &self.orchestration.stg;
        let label = |node: NodeId| &stg.node(node).label;
        match item {
            CoverageItem::State(node) => label(node).clone(),
            CoverageItem::Transition(EdgeOrigin::Edge(id)) => {
                let edge = stg.edge(id);
                format!("{} -> {}", label(edge.source), label(edge.target))
            }
            CoverageItem::Transition(EdgeOrigin::Termination(node, _)) => {
                format!("{} -> √", label(node))
            }
            CoverageItem::Transition(EdgeOrigin::Purpose) => "a step of the purpose".to_owned(),
            CoverageItem::Acceptance(index) => match &self.purpose {
                Some(purpose) => {
                    let edge = &purpose.edges[index];
                    format!("# at {}", purpose.states[edge.source].name)
                }
                None => "#".to_owned(),
            },
            CoverageItem::Path(node) => format!("the path to node {}", node.0),
        }
    }
}
