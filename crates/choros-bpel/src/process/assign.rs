//! Assign, in all forms of copies, and validate.

use choros_data::{Op, Sort, Term, TermKind, Terms};
use choros_model::stg::Update;

use super::diagnostics::{lacking_alias, unusable_literal};
use super::expression::is_opaque;
use super::reader::{Reader, Variable, child, children};
use super::reading::Reading;
use crate::calculus::{Activity, ActivityId, Arm, RaisedFault};
use choros_xml::diagnostics::unsupported_construct;
use choros_xml::document::{Element, QName};
use choros_xml::schema::{Shape, TypeId};
use choros_xml::wire;
use choros_xml::xpath::{ExpressionPurpose, Target, TargetHolds, VariableType, WrittenExpression};

/// What goes wrong in a copy, whatever its value is.
#[derive(Debug, Clone, Copy)]
pub(super) struct CopyFault {
    pub(super) fault: &'static str,
    pub(super) when: When,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum When {
    Always,
    /// It is for the engine to say.
    Perhaps,
    If(Term),
}

impl Reader<'_, '_> {
    pub(super) fn assign(&mut self, element: Element<'_>) -> ActivityId {
        let mut updates: Vec<Update> = Vec::new();
        // Each copy sees what those before it have written.
        let mut now = rustc_hash::FxHashMap::default();
        for part in element.children() {
            match part.local() {
                "copy" => {
                    if part.attribute("keepSrcElementName") == Some("yes") {
                        let span = part.attribute_span("keepSrcElementName");
                        let instead = "the element keeps the name that its type gives it";
                        self.not_followed("`keepSrcElementName`", instead, span);
                    }
                    self.in_copy = true;
                    let known = self.copy_faults.len();
                    let update = self.copy(part);
                    self.in_copy = false;
                    for found in &mut self.copy_faults[known..] {
                        if let When::If(condition) = &mut found.when {
                            *condition = self.terms.substitute(*condition, &now);
                        }
                    }
                    if let Some(update) = update {
                        let value = self.terms.substitute(update.value, &now);
                        now.insert(update.variable, value);
                        updates.push(update);
                    }
                }
                "opaqueAssign" | "targets" | "sources" | "documentation" => {}
                other => {
                    let what = format!("`{other}` in an assign");
                    self.not_followed(&what, "left out", part.span());
                }
            }
        }
        let faults = std::mem::take(&mut self.copy_faults);
        let updates = fused(self.terms, updates);
        let validated = element.attribute("validate") == Some("yes");
        self.unless_faulty(element, faults, |reader| {
            reader.checked_assign(element, updates, validated)
        })
    }

    /// Copies happen all or not at all, and the first that cannot happen decides which fault it is.
    fn unless_faulty(
        &mut self,
        element: Element<'_>,
        faults: Vec<CopyFault>,
        copies: impl FnOnce(&mut Self) -> ActivityId,
    ) -> ActivityId {
        let arm = |guard, body| Arm {
            guard,
            updates: Vec::new(),
            body,
        };
        let mut fine = Term::TRUE;
        let mut arms = Vec::new();
        let mut happens = true;
        for found in faults {
            let raise = self.raise(found.fault, element);
            let when = match found.when {
                When::If(condition) => condition,
                When::Always | When::Perhaps => Term::TRUE,
            };
            arms.push(arm(self.terms.and([fine, when]), raise));
            match found.when {
                When::Always => {
                    happens = false;
                    break;
                }
                When::Perhaps => {}
                When::If(condition) => {
                    let opposite = self.terms.complement(condition);
                    fine = self.terms.and([fine, opposite]);
                }
            }
        }
        if happens {
            let copies = copies(self);
            arms.insert(0, arm(fine, copies));
        }
        match &arms[..] {
            [only] => only.body,
            _ => self.add(Activity::Choice { arms, waits: false }, element),
        }
    }

    /// Assignments that happen all or not at all: a value that is missing is a fault, and so is one that its type
    /// forbids, where it is validated (WS-BPEL 2.0, 8.4).
    fn checked_assign(
        &mut self,
        element: Element<'_>,
        updates: Vec<Update>,
        validated: bool,
    ) -> ActivityId {
        let mut now = rustc_hash::FxHashMap::default();
        let mut defined = Vec::new();
        let mut divides = false;
        for update in &updates {
            let value = self.terms.substitute(update.value, &now);
            defined.push(self.terms.defined(value));
            divides |= has_division(self.terms, value);
            now.insert(update.variable, value);
        }
        let defined = self.terms.and(defined);
        let defined = self.terms.simplify(defined);
        let valid = if validated {
            let mut formulas = Vec::new();
            let variables: Vec<Variable> = self.around.variables.values().cloned().collect();
            for variable in variables {
                if now.contains_key(&variable.var) {
                    let formula = self.validity(&variable);
                    formulas.push(self.terms.substitute(formula, &now));
                }
            }
            let formula = self.terms.and(formulas);
            self.terms.simplify(formula)
        } else {
            Term::TRUE
        };
        let assign = self.add(Activity::Assign(updates), element);
        if defined == Term::TRUE && valid == Term::TRUE {
            return assign;
        }
        let arm = |guard, body| Arm {
            guard,
            updates: Vec::new(),
            body,
        };
        let fine = self.terms.and([defined, valid]);
        let mut arms = vec![arm(fine, assign)];
        if defined != Term::TRUE {
            let missing = self.terms.complement(defined);
            let fault = if divides {
                "subLanguageExecutionFault"
            } else {
                "selectionFailure"
            };
            let raise = self.raise(fault, element);
            arms.push(arm(missing, raise));
        }
        if valid != Term::TRUE {
            let invalid = self.terms.complement(valid);
            let invalid = self.terms.and([defined, invalid]);
            let raise = self.raise("invalidVariables", element);
            arms.push(arm(invalid, raise));
        }
        self.add(Activity::Choice { arms, waits: false }, element)
    }

    /// What the type of a variable says of it.
    fn validity(&mut self, variable: &Variable) -> Term {
        let subject = self.terms.var(variable.var);
        let schema = &self.definitions.schema;
        match &variable.holds {
            VariableType::Holds(id) => schema.formula(self.terms, *id, subject),
            VariableType::Message(shape) => match shape.constraint(schema, self.terms) {
                Some((of, formula)) => instantiate(self.terms, formula, of, subject),
                None => Term::TRUE,
            },
        }
    }

    /// A place that cannot be followed: its variable may hold anything afterwards.
    pub(super) fn forget(&mut self, path: &WrittenExpression) -> Option<Update> {
        let name = path.text.trim().strip_prefix('$')?;
        let end = name.find(|it: char| !(it.is_alphanumeric() || matches!(it, '_' | '-')));
        let variable = self
            .around
            .variables
            .get(&name[..end.unwrap_or(name.len())])?;
        let var = variable.var;
        let sort = self.terms.variable_sort(var);
        let value = self.unknown_value(sort);
        Some(self.set(var, value))
    }

    fn copy(&mut self, copy: Element<'_>) -> Option<Update> {
        let (from, to) = (from_of(copy)?, child(copy, "to")?);
        if [from, to]
            .iter()
            .any(|it| it.attribute("partnerLink").is_some())
        {
            return self.copy_reference(from, to);
        }
        if self.mismatches(from, to) {
            self.copy_faults.push(CopyFault {
                fault: "mismatchedAssignmentFailure",
                when: When::Always,
            });
            return None;
        }
        let path = self.path(to)?;
        if let Some(query) = child(to, "query")
            && !self.is_xpath(query)
        {
            return self.forget(&path);
        }
        let Some(xpath) = self.xpath(&path, ExpressionPurpose::Value) else {
            return self.forget(&path);
        };
        let target = match xpath.target() {
            Ok(target) => target,
            Err(finding) => {
                let what = format!("a place to copy to ({})", finding.message);
                self.not_followed(&what, "its variable may hold anything", to.span());
                return self.forget(&path);
            }
        };
        let variable = self.around.variables.get(&target.variable)?.clone();
        let whole = self.terms.var(variable.var);
        let there = target.is_there(self.terms, whole);
        let missing = self.terms.complement(there);
        self.selection_fails(missing);
        let update = self.copy_to(from, &target, &variable);
        if copy.attribute("ignoreMissingFromData") != Some("yes") {
            return Some(update);
        }
        // What is missing is not copied, and that is all (8.4).
        let there = self.terms.defined(update.value);
        let there = self.terms.simplify(there);
        let old = self.terms.var(update.variable);
        let value = self.terms.if_then_else(there, update.value, old);
        Some(self.set(update.variable, value))
    }

    fn copy_to(&mut self, from: Element<'_>, target: &Target, variable: &Variable) -> Update {
        let whole_sort = self.terms.variable_sort(variable.var);
        let sort = target.sort(self.terms, whole_sort);
        let mut target = target.clone();
        let value = match self.literal(from, &target.holds, sort) {
            Some(value) => value,
            None if from.local() == "opaqueFrom" || is_opaque(from) => self.unknown_value(sort),
            None => match self.path(from) {
                Some(_) if !self.speaks_xpath(from) => self.unknown_value(sort),
                Some(written) => {
                    // The text of an element with attributes is what a text or number goes to.
                    if let Some(text) = target.text().filter(|_| !self.is_whole(&written, sort)) {
                        target = text;
                    }
                    let sort = target.sort(self.terms, whole_sort);
                    self.several_fail(&written);
                    self.value(&written, sort)
                }
                None => self.unknown_value(sort),
            },
        };
        let whole = self.terms.var(variable.var);
        let value = target.update(self.terms, whole, value);
        self.set(variable.var, value)
    }

    /// A copy raises `selectionFailure` if a condition holds (8.4.1).
    fn selection_fails(&mut self, condition: Term) {
        let condition = self.terms.close(condition);
        let condition = self.terms.simplify(condition);
        if condition != Term::FALSE && self.options.reading == Reading::Standard {
            self.copy_faults.push(CopyFault {
                fault: "selectionFailure",
                when: When::If(condition),
            });
        }
    }

    /// A source that selects several nodes is as bad as one that selects none.
    fn several_fail(&mut self, written: &WrittenExpression) {
        // It is read again for its value, and what is wrong with it is said then.
        let known = self.library.diagnostics.len();
        let (unfollowed, faults) = (self.unfollowed.len(), self.copy_faults.len());
        let xpath = self.xpath(written, ExpressionPurpose::Value);
        self.library.diagnostics.truncate(known);
        self.unfollowed.truncate(unfollowed);
        self.copy_faults.truncate(faults);
        let values = self.values();
        if let Some(Ok(several)) = xpath.map(|it| it.several(self.terms, &values)) {
            self.selection_fails(several);
        }
    }

    /// Whether a message is copied to a variable of another message type (8.4.3).
    fn mismatches(&mut self, from: Element<'_>, to: Element<'_>) -> bool {
        let whole = |element: Element<'_>| {
            let is_whole = ["part", "property"]
                .iter()
                .all(|it| element.attribute(it).is_none())
                && child(element, "query").is_none();
            let name = match element.attribute("variable") {
                Some(name) if is_whole => name,
                Some(_) => return None,
                None => element.text().trim().strip_prefix('$')?,
            };
            match &self.around.variables.get(name)?.holds {
                VariableType::Message(shape) => Some(shape.name.clone()),
                VariableType::Holds(_) => None,
            }
        };
        match (whole(from), whole(to)) {
            (Some(from), Some(to)) => from != to,
            _ => false,
        }
    }

    /// Whether what is copied is written in XPath 1.0.
    fn speaks_xpath(&mut self, from: Element<'_>) -> bool {
        match (child(from, "query"), from.attribute("variable")) {
            (Some(query), _) => self.is_xpath(query),
            (None, Some(_)) => true,
            (None, None) => self.is_xpath(from),
        }
    }

    /// Whether an expression is an element of just this sort.
    fn is_whole(&mut self, written: &WrittenExpression, sort: Sort) -> bool {
        // It is read again for its value, and what is wrong with it is said then.
        let known = self.library.diagnostics.len();
        let (unfollowed, faults) = (self.unfollowed.len(), self.copy_faults.len());
        let xpath = self.xpath(written, ExpressionPurpose::Value);
        self.library.diagnostics.truncate(known);
        self.unfollowed.truncate(unfollowed);
        self.copy_faults.truncate(faults);
        let Some(Ok(target)) = xpath.map(|it| it.target()) else {
            return false;
        };
        self.around
            .variables
            .get(&target.variable)
            .is_some_and(|it| target.sort(self.terms, self.terms.variable_sort(it.var)) == sort)
    }

    /// The value with which a variable begins.
    pub(super) fn initial(&mut self, from: Element<'_>, variable: &Variable) -> Option<Update> {
        let sort = self.terms.variable_sort(variable.var);
        let holds = match &variable.holds {
            VariableType::Message(shape) => TargetHolds::Message(shape.clone()),
            VariableType::Holds(id) => TargetHolds::Type(*id),
        };
        let value = match self.literal(from, &holds, sort) {
            Some(value) => value,
            None if is_opaque(from) => return None,
            None => {
                let written = self.path(from)?;
                self.value(&written, sort)
            }
        };
        Some(self.set(variable.var, value))
    }

    fn literal(&mut self, from: Element<'_>, holds: &TargetHolds, sort: Sort) -> Option<Term> {
        let literal = child(from, "literal")?;
        let id = match holds {
            TargetHolds::Message(shape) => match &shape.parts[..] {
                [only] => Some(only.holds),
                _ => None,
            },
            TargetHolds::Type(id) => Some(*id),
            TargetHolds::Text => None,
        };
        let value = match (id, literal.children().next()) {
            (Some(id), Some(element)) => {
                let schema = &self.definitions.schema;
                wire::read_element(schema, self.terms, self.library.sources, element, id).map_err(
                    |errors| match errors.first() {
                        Some(error) => error.to_string(),
                        None => "it is something else".to_owned(),
                    },
                )
            }
            (Some(id), None) => self.literal_text(id, literal.text()),
            (None, _) => Err("it is copied to several parts, or to a text".to_owned()),
        };
        match value {
            Ok(value) => Some(value).map(|it| self.terms.constant(it)),
            Err(problem) => {
                let finding = unusable_literal::diagnostic(&problem, literal.span());
                self.library.report(finding);
                self.unfollowed.push((
                    format!("a literal that does not fit ({problem})"),
                    literal.span(),
                ));
                Some(self.unknown_value(sort))
            }
        }
    }

    fn literal_text(&self, id: TypeId, text: &str) -> Result<choros_data::Value, String> {
        match &self.definitions.schema.get(id).shape {
            Shape::Simple(simple) => simple.read(text),
            Shape::Complex(_) => Err("an element is expected".to_owned()),
        }
    }

    /// What an element stands for, as a path or expression: `$v.part/query`, or its text.
    pub(super) fn path(&mut self, element: Element<'_>) -> Option<WrittenExpression> {
        let Some(name) = element.attribute("variable") else {
            return Some(WrittenExpression::text_of(element));
        };
        let variable = self.variable_of(element, "variable")?;
        if element.attribute("property").is_some() {
            let property = self.library.name_in_attribute(element, "property")?;
            return self.property_path(element, name, &variable, &property);
        }
        let part = match element.attribute("part") {
            Some(part) => format!(".{part}"),
            None => String::new(),
        };
        let query = child(element, "query");
        let text = match query {
            Some(query) => {
                let query = query.text().trim().trim_start_matches('/').to_owned();
                format!("${name}{part}/{query}")
            }
            None => format!("${name}{part}"),
        };
        let place = query.unwrap_or(element);
        Some(WrittenExpression {
            text: text.into(),
            span: match query {
                Some(query) => query.text_span(),
                None => element.attribute_span("variable"),
            },
            namespaces: place.namespaces().clone(),
        })
    }

    fn property_path(
        &mut self,
        element: Element<'_>,
        name: &str,
        variable: &Variable,
        property: &QName,
    ) -> Option<WrittenExpression> {
        let VariableType::Message(shape) = &variable.holds else {
            let what = "a property of a variable that holds no message";
            let finding = unsupported_construct::diagnostic(what, "left out", element.span());
            self.library.report(finding);
            return None;
        };
        match self.definitions.alias(property, &shape.name) {
            Some(alias) => Some(self.alias_path(name, &alias.clone())),
            None => {
                let span = element.attribute_span("property");
                let finding = lacking_alias::diagnostic(&property.local, &shape.name.local, span);
                self.library.report(finding);
                None
            }
        }
    }

    /// `validate`: what its variables hold obeys their types, or a fault is raised.
    pub(super) fn validate(&mut self, element: Element<'_>) -> ActivityId {
        let mut formulas = Vec::new();
        for name in element
            .attribute("variables")
            .unwrap_or("")
            .split_whitespace()
        {
            let Some(variable) = self.around.variables.get(name).cloned() else {
                if self.untyped.contains(name) {
                    continue;
                }
                let known = self.around.variables.keys().map(|it| &**it);
                let span = element.attribute_span("variables");
                let finding = super::diagnostics::unknown_variable::diagnostic(name, known, span);
                self.library.report(finding);
                continue;
            };
            let formula = self.validity(&variable);
            formulas.push(formula);
        }
        let valid = self.terms.and(formulas);
        let valid = self.terms.close(valid);
        let invalid = self.terms.complement(valid);
        let fine = self.add(Activity::Empty, element);
        let fault = self.standard_fault("invalidVariables");
        let raised = RaisedFault { fault, data: None };
        let wrong = self.add(Activity::Throw(raised, Vec::new()), element);
        let arm = |guard, body| Arm {
            guard,
            updates: Vec::new(),
            body,
        };
        let arms = vec![arm(valid, fine), arm(invalid, wrong)];
        self.add(Activity::Choice { arms, waits: false }, element)
    }
}

/// The same assignments with those to one variable made one, wherever their order allows it.
///
/// `x := {x with a = 1}; x := {x with b = 2}` is `x := {x with a = 1, b = 2}`: the variable gets one new value.
fn fused(terms: &mut Terms, updates: Vec<Update>) -> Vec<Update> {
    let mut done: Vec<Update> = Vec::new();
    for update in updates {
        let earlier = done.iter().rposition(|it| it.variable == update.variable);
        let Some(earlier) = earlier else {
            done.push(update);
            continue;
        };
        let reads = terms.free_variables(done[earlier].value);
        let in_the_way = done[earlier + 1..].iter().any(|between| {
            reads.contains(&between.variable)
                || terms
                    .free_variables(between.value)
                    .contains(&update.variable)
        });
        if in_the_way {
            done.push(update);
            continue;
        }
        let before = done.remove(earlier);
        let value = instantiate(terms, update.value, update.variable, before.value);
        done.push(Update { value, ..update });
    }
    done
}

/// Whether a division may be what has no value in a term.
fn has_division(terms: &Terms, term: Term) -> bool {
    let mut work = vec![term];
    while let Some(term) = work.pop() {
        if let TermKind::Apply(op, arguments) = terms.kind(term) {
            if matches!(op, Op::Divide | Op::IntegerDivide | Op::Modulo) {
                return true;
            }
            work.extend_from_slice(arguments);
        }
    }
    false
}

fn instantiate(terms: &mut Terms, formula: Term, of: choros_data::Var, by: Term) -> Term {
    let replacement = [(of, by)].into_iter().collect();
    terms.substitute(formula, &replacement)
}

fn from_of(copy: Element<'_>) -> Option<Element<'_>> {
    child(copy, "from").or_else(|| children(copy, "opaqueFrom").first().copied())
}
