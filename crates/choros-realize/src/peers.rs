//! The mode *per role*: does each role know from what it has sent and received what it may do next?
//!
//! After Li, Stutz, Wies and Zufferey, *Characterizing implementability of global protocols with infinite states and
//! data* (OOPSLA 2025); the README has the conditions, what we add to them, and why they are enough.
//!
//! Every condition is about two situations of the choreography that one role cannot distinguish, so it is enough to
//! look at pairs: [`Twin`] is, for one role, the graph of all pairs of runs in which that role sees the same, with an
//! edge to a *breach* wherever a condition is broken.
//! With data the graph carries formulas, and [`reachability`] says which breaches can never be reached.

mod breach;
mod paths;
mod protocol;
mod thin;
mod twin;
mod waiting;

use choros_base::Budget;
use choros_data::Terms;
use choros_model::evidence::Table;
use choros_model::stg::{Role, Stg};
use choros_model::{Evidence, Unknown, Verdict};
use choros_smt::Solver;

use crate::prospect::{Claim, Terrain};
use crate::tools::Tools;
use crate::{AnalysisStop, reachability};

use protocol::Protocol;
use twin::Twin;

/// States of the pairs of one role that are examined.
const MAX_PAIRS: u64 = 400_000;

/// Visits of such states with different data, where there are data.
const MAX_VISITS: u64 = 2_000;

/// What looking at one role after the other says.
#[derive(Debug, Clone)]
pub struct Peers {
    /// Whether the roles can do what the choreography says; *fails* is said of any services, except that a role waits
    /// forever.
    pub verdict: Verdict,
    /// Why, on one line.
    pub reason: String,
    /// With *fails*: whether no services that exchange these messages could do better.
    pub nobody_could: bool,
    /// With *holds*: the roles that still listen when they may have ended for all they know.
    pub not_told: Vec<Role>,
}

/// Whether the roles of a choreography without dead transitions can do what it says over queues of any length.
pub fn peers(
    stg: &Stg,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Peers, AnalysisStop> {
    let mut tools = Tools {
        terms,
        solver,
        budget,
    };
    let tools = &mut tools;
    let protocol = match Protocol::of(stg, tools)? {
        Ok(protocol) => protocol,
        Err(reason) => return Ok(Peers::unknown(reason)),
    };
    let mut rows = Vec::new();
    let mut not_told: Vec<Role> = Vec::new();
    let mut doubt: Option<Peers> = None;
    for &role in protocol.roles() {
        let budget = tools.budget.part(MAX_PAIRS);
        let twin = match Twin::of(&protocol, role, tools.terms, &budget) {
            Ok(twin) => twin,
            Err(spent) => {
                let name = tools.terms.names.text(role.0);
                let reason =
                    format!("too many situations that `{name}` cannot distinguish: {spent}");
                doubt.get_or_insert(Peers::unknown(reason));
                continue;
            }
        };
        if let Some(answer) = breach(&protocol, &twin, tools)? {
            match answer.verdict {
                Verdict::Fails(_) => return Ok(answer),
                _ => {
                    doubt.get_or_insert(answer);
                }
            }
        }
        if let Some(answer) = waiting::for_ever(&protocol, role, tools)? {
            match answer.verdict {
                Verdict::Fails(_) => return Ok(answer),
                _ => {
                    doubt.get_or_insert(answer);
                }
            }
        }
        if ends_listening(&protocol, &twin, tools)? {
            not_told.push(role);
        }
        let name = tools.terms.names.text(role.0).to_owned();
        rows.push(vec![name, twin.pairs().to_string()]);
    }
    if let Some(doubt) = doubt {
        return Ok(doubt);
    }
    let reason = "whatever the bound, each role knows from what it has sent and received what it may do next";
    let evidence = Evidence::Table(Table {
        columns: vec![
            "role".to_owned(),
            "pairs of states that look alike".to_owned(),
        ],
        rows,
    });
    Ok(Peers {
        verdict: Verdict::Holds(evidence),
        reason: reason.to_owned(),
        nobody_could: false,
        not_told,
    })
}

impl Peers {
    fn unknown(reason: impl Into<String>) -> Peers {
        let unknown = Unknown::whatever_the_bound(reason);
        Peers {
            reason: unknown.reason.clone(),
            verdict: Verdict::Unknown(unknown),
            nobody_could: false,
            not_told: Vec::new(),
        }
    }
}

/// Whether the choreography may have ended where the role, for all it knows, may still receive something.
fn ends_listening(
    protocol: &Protocol,
    twin: &Twin,
    tools: &mut Tools<'_>,
) -> Result<bool, AnalysisStop> {
    if twin.ends_listening().is_empty() || !protocol.has_data() {
        return Ok(!twin.ends_listening().is_empty());
    }
    let mut asked = vec![Vec::new(); twin.stg().nodes().len()];
    for &(node, data) in twin.ends_listening() {
        asked[node.index()].push(data);
    }
    let budget = tools.budget.part(MAX_VISITS);
    let mut tools = Tools {
        terms: tools.terms,
        solver: tools.solver,
        budget: &budget,
    };
    let terrain = Terrain::asked(twin.stg(), &asked, &mut tools)?;
    for &(node, data) in twin.ends_listening() {
        if terrain.never(node, data, &mut tools)? != Claim::True {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What a role gets wrong, or may get wrong.
fn breach(
    protocol: &Protocol,
    twin: &Twin,
    tools: &mut Tools<'_>,
) -> Result<Option<Peers>, AnalysisStop> {
    if twin.breaches().is_empty() {
        return Ok(None);
    }
    let mut open: Vec<usize> = (0..twin.breaches().len()).collect();
    if protocol.has_data() {
        let budget = tools.budget.part(MAX_VISITS);
        let found = reachability(twin.stg(), tools.terms, tools.solver, &budget)?;
        if found.cut.is_some() {
            tools.budget.spend()?;
            let name = tools.terms.names.text(twin.role.0);
            return Ok(Some(Peers::unknown(format!(
                "too many values make situations look alike to `{name}`"
            ))));
        }
        open.retain(|&index| found.nodes[twin.breaches()[index].node.index()]);
    }
    if open.is_empty() {
        return Ok(None);
    }
    let (certain, possible): (Vec<usize>, Vec<usize>) = open
        .into_iter()
        .partition(|&index| twin.breaches()[index].certain);
    if let Some((index, path)) = paths::shortest(twin, &certain, tools)? {
        return Ok(Some(breach::fails(
            protocol,
            twin,
            index,
            &path,
            tools.terms,
        )));
    }
    let index = certain.first().or(possible.first());
    Ok(index.map(|&index| Peers::unknown(breach::doubt(protocol, twin, index, tools.terms))))
}
