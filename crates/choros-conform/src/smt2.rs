//! The predicate equation system as an SMT-LIB script.
//!
//! One uninterpreted predicate per pair, one assertion per equation: the predicate implies the right-hand side.
//! Predicates that satisfy all of them are relations as conformance wants them, so the script is satisfiable, together
//! with *the initial pair is related for all parameters*, iff the implementation conforms for all data.

use choros_base::Budget;
use choros_certify::sides;
use choros_data::{Term, Terms, Var};
use choros_model::stg::Stg;
use choros_smt::{Reason, Script};

use crate::clauses::{Clause, Pair, Reply, System};
use crate::conformance::Setup;
use crate::pairs::Pairs;

/// The script, or why there is none.
pub fn smt2(
    implementation: &Stg,
    specification: &Stg,
    setup: &Setup,
    terms: &mut Terms,
    budget: &Budget,
) -> Result<String, String> {
    let sides = sides(implementation, specification, &setup.shared, terms);
    let mut system = System::new(&sides, setup.allow_fixed, terms);
    let pairs = Pairs::explore(&mut system, &sides.shared, terms, budget)
        .map_err(|spent| spent.to_string())?;
    let mut writer = Writer {
        script: Script::default(),
        system: &mut system,
    };
    let mut predicates = String::new();
    let mut assertions = String::new();
    for &pair in &pairs.all {
        budget.spend().map_err(|spent| spent.to_string())?;
        let (predicate, assertion) = writer
            .equation(pair, terms)
            .map_err(|reason| reason.to_string())?;
        predicates.push_str(&predicate);
        assertions.push_str(&assertion);
    }
    let start = writer
        .start(&sides.shared, terms)
        .map_err(|reason| reason.to_string())?;
    let head = format!(
        "; {} conforms to {} for all data iff this is satisfiable\n(set-logic ALL)\n",
        implementation.name(),
        specification.name()
    );
    let declarations = writer.script.declarations();
    Ok(format!(
        "{head}{declarations}{predicates}{assertions}{start}(check-sat)\n"
    ))
}

struct Writer<'s, 'a> {
    script: Script,
    system: &'s mut System<'a>,
}

impl Writer<'_, '_> {
    fn name(&self, (left, right): Pair) -> String {
        let (left, right) = (self.system.left.node(left), self.system.right.node(right));
        let text = format!("R{}_{}", left.label, right.label);
        let text: String = text
            .chars()
            .map(|it| {
                if matches!(it, '|' | '\\') || it.is_control() {
                    '_'
                } else {
                    it
                }
            })
            .collect();
        format!("|{text}|")
    }

    /// The declaration of a pair's predicate and its equation.
    fn equation(&mut self, pair: Pair, terms: &mut Terms) -> Result<(String, String), Reason> {
        let live = self.system.live(pair);
        let mut sorts = Vec::new();
        for &variable in &live {
            sorts.push(self.script.sort(terms, terms.variable_sort(variable))?);
        }
        let name = self.name(pair);
        let predicate = format!("(declare-fun {name} ({}) Bool)\n", sorts.join(" "));
        let mut parts = Vec::new();
        for clause in self.system.clauses(pair, terms) {
            parts.push(self.clause(&clause, terms)?);
        }
        let call = self.call(pair, &|_| None, terms)?;
        let implication = format!("(=> {call} {})", joined("and", "true", &parts));
        let assertion = self.forall(&live, implication, terms)?;
        Ok((predicate, format!("(assert {assertion})\n")))
    }

    fn clause(&mut self, clause: &Clause, terms: &mut Terms) -> Result<String, Reason> {
        let mut answers = Vec::new();
        for reply in &clause.answers {
            answers.push(self.reply(reply, terms)?);
        }
        // Answers that were not looked for are left out: then *sat* is still right.
        let premise = terms.simplify(clause.premise);
        let premise = self.script.term(terms, premise)?;
        Ok(format!(
            "(=> {premise} {})",
            joined("or", "false", &answers)
        ))
    }

    fn reply(&mut self, reply: &Reply, terms: &mut Terms) -> Result<String, Reason> {
        let condition = terms.simplify(reply.condition);
        let condition = self.script.term(terms, condition)?;
        let Some(then) = &reply.then else {
            return self.quantified("exists", &reply.chosen, condition, terms);
        };
        let values = &then.values;
        let call = self.call(then.pair, &|variable| values.get(&variable).copied(), terms)?;
        let offered = self.script.term(terms, then.offered)?;
        let accepted = self.script.term(terms, then.accepted)?;
        let rest = match (then.offered, then.accepted) {
            (Term::TRUE, Term::TRUE) => call,
            _ => format!("(=> {offered} (and {accepted} {call}))"),
        };
        let rest = self.forall(&then.bound, rest, terms)?;
        let answer = format!("(and {condition} {rest})");
        self.quantified("exists", &reply.chosen, answer, terms)
    }

    /// A pair's predicate applied to the values of its variables.
    fn call(
        &mut self,
        pair: Pair,
        value: &dyn Fn(Var) -> Option<Term>,
        terms: &mut Terms,
    ) -> Result<String, Reason> {
        let mut arguments = Vec::new();
        for variable in self.system.live(pair) {
            let term = match value(variable) {
                Some(term) => term,
                None => terms.var(variable),
            };
            arguments.push(self.script.term(terms, term)?);
        }
        let name = self.name(pair);
        Ok(if arguments.is_empty() {
            name
        } else {
            format!("({name} {})", arguments.join(" "))
        })
    }

    /// That the initial pair is related whatever the parameters, shared ones being equal.
    fn start(&mut self, shared: &[(Var, Var)], terms: &mut Terms) -> Result<String, Reason> {
        let initial = self.system.initial();
        let live = self.system.live(initial);
        let same = |variable: Var| shared.iter().find(|(_, right)| *right == variable);
        let mut values = Vec::new();
        for &variable in &live {
            if let Some(&(left, _)) = same(variable) {
                values.push((variable, terms.var(left)));
            }
        }
        let value = |variable: Var| values.iter().find(|it| it.0 == variable).map(|it| it.1);
        let call = self.call(initial, &value, terms)?;
        let bound: Vec<Var> = live.into_iter().filter(|&it| same(it).is_none()).collect();
        let all = self.forall(&bound, call, terms)?;
        Ok(format!("(assert {all})\n"))
    }

    fn forall(&mut self, bound: &[Var], body: String, terms: &Terms) -> Result<String, Reason> {
        self.quantified("forall", bound, body, terms)
    }

    fn quantified(
        &mut self,
        quantifier: &str,
        bound: &[Var],
        body: String,
        terms: &Terms,
    ) -> Result<String, Reason> {
        if bound.is_empty() {
            return Ok(body);
        }
        let mut binders = Vec::new();
        for &variable in bound {
            let symbol = self.script.variable(terms, variable)?;
            let sort = self.script.sort(terms, terms.variable_sort(variable))?;
            binders.push(format!("({symbol} {sort})"));
        }
        Ok(format!("({quantifier} ({}) {body})", binders.join(" ")))
    }
}

fn joined(operator: &str, none: &str, parts: &[String]) -> String {
    match parts {
        [] => none.to_owned(),
        [only] => only.clone(),
        _ => format!("({operator} {})", parts.join(" ")),
    }
}
