//! The tree encoding of Bentakouk's thesis (section 4.2.5, Algorithms 12–14) as an SMT-LIB 2 script.
//!
//! A value of a complex type is a tree in first-child/next-sibling form: `cons label child rest`, ending with `nil`.
//! Each leaf of each variable of complex type gets a variable of its own, in the order of traversal over all
//! variables; a path of the constraint that leads to an inner node gets one for that sub-tree, in the order of
//! occurrence.
//! The thesis wrote SMT-LIB 1.2, which solvers no longer read; and its selectors were all called `val`, where SMT-LIB 2
//! wants distinct names.
//! Our own solving does not go this way: records are datatypes there, and strings are strings.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use choros_base::Name;
use choros_data::{Op, Sort, SortKind, Term, TermKind, Terms, Value, Var};

use crate::Problem;

/// Why a problem has no tree encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoTree {
    /// What cannot be encoded, in words.
    pub what: String,
}

/// The script; `first` is the number of the first variable that is created (the thesis begins with 1 or 0).
///
/// # Errors
///
/// When a type has no fixed shape, or the constraint uses an operation that the encoding lacks.
pub fn tree_script(terms: &Terms, problem: &Problem, first: usize) -> Result<String, NoTree> {
    let mut encoder = Encoder {
        terms,
        words: problem.words.as_ref().map(|words| {
            words
                .iter()
                .map(|word| (word.to_string(), String::new()))
                .collect()
        }),
        labels: Vec::new(),
        next: first,
        taken: ["nil", "cons", "lab", "child", "sib", "Label", "Str", "Tree"]
            .iter()
            .map(|it| (*it).to_owned())
            .collect(),
        declarations: String::new(),
        structure: String::new(),
        trees: BTreeMap::new(),
        names: BTreeMap::new(),
        paths: BTreeMap::new(),
    };
    encoder.collect_labels(problem)?;
    encoder.declare(problem)?;
    let mut clauses = Vec::new();
    for &(assertion, _) in &problem.assertions {
        clauses.extend(conjuncts(terms, assertion));
    }
    // Sub-trees get their variables before anything is written, in the order of occurrence.
    let mut asserted = String::new();
    for clause in clauses {
        let text = encoder.term(clause)?;
        let _ = writeln!(asserted, "(assert {text})");
    }
    Ok(encoder.script(&asserted))
}

struct Encoder<'e> {
    terms: &'e Terms,
    /// Each word with its constructor.
    words: Option<Vec<(String, String)>>,
    /// Each label with its constructor, in the order of first occurrence.
    labels: Vec<(Name, String)>,
    next: usize,
    taken: std::collections::BTreeSet<String>,
    declarations: String,
    structure: String,
    /// The tree of each variable, by its index.
    trees: BTreeMap<usize, Tree>,
    names: BTreeMap<usize, String>,
    /// The variables of sub-trees, by root and path.
    paths: BTreeMap<(usize, Vec<u32>), String>,
}

/// Algorithm 12: the tree of a type, with the variables of its leaves.
enum Tree {
    Leaf(Sort, String),
    Node(Vec<(Name, Tree)>),
}

impl Encoder<'_> {
    fn refuse<T>(&self, what: impl Into<String>) -> Result<T, NoTree> {
        Err(NoTree { what: what.into() })
    }

    /// A name that nothing else has.
    fn fresh(&mut self, wanted: &str) -> String {
        let mut name = symbol(wanted);
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = symbol(&format!("{wanted}_{number}"));
        }
        name
    }

    fn collect_labels(&mut self, problem: &Problem) -> Result<(), NoTree> {
        let mut found = Vec::new();
        for variable in &problem.variables {
            labels(
                self.terms,
                self.terms.variable_sort(variable.variable),
                &mut found,
            );
        }
        // The variables' own names come first, then those of the leaves, so that labels and words give way.
        for variable in &problem.variables {
            let name = self.fresh(&variable.name);
            self.names.insert(variable.variable.index(), name);
        }
        for label in found {
            let name = self.fresh(self.terms.names.text(label));
            self.labels.push((label, name));
        }
        if let Some(words) = self.words.take() {
            let words = words
                .into_iter()
                .map(|(word, _)| {
                    let name = self.fresh(&word);
                    (word, name)
                })
                .collect();
            self.words = Some(words);
        }
        Ok(())
    }

    /// Algorithm 13: a variable per leaf of each variable of complex type; one of simple type gets none.
    fn declare(&mut self, problem: &Problem) -> Result<(), NoTree> {
        let mut roots = String::new();
        for variable in &problem.variables {
            let index = variable.variable.index();
            let sort = self.terms.variable_sort(variable.variable);
            let name = self.names[&index].clone();
            let tree = match self.terms.sort_kind(sort) {
                SortKind::Record(_) => {
                    let _ = writeln!(roots, "(declare-const {name} Tree)");
                    let tree = self.tree(sort)?;
                    let term = self.tree_text(&tree);
                    let _ = writeln!(self.structure, "(assert (= {name} {term}))");
                    tree
                }
                _ => {
                    let text = self.sort_text(sort)?;
                    let _ = writeln!(roots, "(declare-const {name} {text})");
                    Tree::Leaf(sort, name)
                }
            };
            self.trees.insert(index, tree);
        }
        self.declarations = format!("{roots}{}", self.declarations);
        Ok(())
    }

    fn variable(&mut self, sort: &str) -> String {
        let name = self.fresh(&format!("v{}", self.next));
        self.next += 1;
        let _ = writeln!(self.declarations, "(declare-const {name} {sort})");
        name
    }

    fn sort_text(&self, sort: Sort) -> Result<&'static str, NoTree> {
        match (sort, &self.words) {
            (Sort::INT, _) => Ok("Int"),
            (Sort::REAL, _) => Ok("Real"),
            (Sort::BOOL, _) => Ok("Bool"),
            (Sort::STRING, Some(_)) => Ok("Str"),
            (Sort::STRING, None) => Ok("String"),
            _ => self.refuse(format!(
                "a value of sort {} has no fixed shape",
                self.terms.sort_text(sort)
            )),
        }
    }

    fn tree(&mut self, sort: Sort) -> Result<Tree, NoTree> {
        match self.terms.sort_kind(sort).clone() {
            SortKind::Record(fields) => {
                let mut children = Vec::new();
                for (label, sort) in fields {
                    children.push((label, self.tree(sort)?));
                }
                Ok(Tree::Node(children))
            }
            _ => {
                let text = self.sort_text(sort)?;
                Ok(Tree::Leaf(sort, self.variable(text)))
            }
        }
    }

    fn label(&self, label: Name) -> &str {
        self.labels
            .iter()
            .find(|(known, _)| *known == label)
            .map_or("nil", |(_, name)| name)
    }

    fn tree_text(&self, tree: &Tree) -> String {
        match tree {
            Tree::Leaf(sort, variable) => {
                let leaf = match *sort {
                    Sort::INT => "IntLeaf",
                    Sort::REAL => "RealLeaf",
                    Sort::BOOL => "BoolLeaf",
                    _ => "StringLeaf",
                };
                format!("({leaf} {variable})")
            }
            Tree::Node(children) => {
                let mut text = String::new();
                for (label, child) in children {
                    let child = self.tree_text(child);
                    let _ = write!(text, "(cons {} {child} ", self.label(*label));
                }
                text.push_str("nil");
                text.push_str(&")".repeat(children.len()));
                text
            }
        }
    }

    /// A term with its paths replaced by variables.
    fn term(&mut self, term: Term) -> Result<String, NoTree> {
        if let Some((root, path)) = path(self.terms, term) {
            return self.path(root, path);
        }
        match self.terms.kind(term) {
            TermKind::Constant(value) => self.constant(&value.clone()),
            TermKind::Apply(Op::Equal | Op::NotEqual, &[left, right])
                if self.is_other_word(left) || self.is_other_word(right) =>
            {
                // A text that is not a word equals no word.
                let is_unequal = matches!(self.terms.kind(term), TermKind::Apply(Op::NotEqual, _));
                Ok(is_unequal.to_string())
            }
            TermKind::Apply(op, arguments) => {
                let arguments = arguments.to_vec();
                let is_text = arguments
                    .first()
                    .is_some_and(|&first| self.terms.sort_of(first) == Sort::STRING);
                let operator = match op {
                    Op::Not => "not",
                    Op::And => "and",
                    Op::Or => "or",
                    Op::Implies => "=>",
                    Op::If => "ite",
                    Op::Equal => "=",
                    Op::NotEqual => "distinct",
                    Op::Less => "<",
                    Op::LessEqual => "<=",
                    Op::Greater => ">",
                    Op::GreaterEqual => ">=",
                    Op::Add => "+",
                    Op::Subtract | Op::Negate => "-",
                    Op::Multiply => "*",
                    Op::Divide => "/",
                    Op::IntegerDivide => "div",
                    Op::Modulo => "mod",
                    Op::Length if is_text && self.words.is_none() => "str.len",
                    Op::Concat if is_text && self.words.is_none() => "str.++",
                    Op::Prefix if self.words.is_none() => "str.prefixof",
                    Op::Contains if self.words.is_none() => "str.contains",
                    _ => return self.refuse(format!("`{}`", self.terms.print(term))),
                };
                let mut text = format!("({operator}");
                for argument in arguments {
                    let _ = write!(text, " {}", self.term(argument)?);
                }
                text.push(')');
                Ok(text)
            }
            _ => self.refuse(format!("`{}`", self.terms.print(term))),
        }
    }

    fn is_other_word(&self, term: Term) -> bool {
        match (self.terms.value(term), &self.words) {
            (Some(Value::String(text)), Some(words)) => {
                words.iter().all(|(word, _)| word != &**text)
            }
            _ => false,
        }
    }

    /// Algorithm 14: the empty path is the root's variable, a leaf has one already, an inner node gets a new one.
    fn path(&mut self, root: Var, path: Vec<u32>) -> Result<String, NoTree> {
        let index = root.index();
        if path.is_empty() {
            return Ok(self.names[&index].clone());
        }
        let mut tree = &self.trees[&index];
        for &step in &path {
            match tree {
                Tree::Node(children) => match children.get(step as usize) {
                    Some((_, child)) => tree = child,
                    None => return self.refuse("a path that leads nowhere"),
                },
                Tree::Leaf(..) => return self.refuse("a path that leads nowhere"),
            }
        }
        if let Tree::Leaf(_, variable) = tree {
            return Ok(variable.clone());
        }
        let text = self.tree_text(tree);
        if let Some(known) = self.paths.get(&(index, path.clone())) {
            return Ok(known.clone());
        }
        let name = self.variable("Tree");
        let _ = writeln!(self.structure, "(assert (= {name} {text}))");
        self.paths.insert((index, path), name.clone());
        Ok(name)
    }

    fn constant(&self, value: &Value) -> Result<String, NoTree> {
        match value {
            Value::Bool(value) => Ok(value.to_string()),
            Value::Int(value) => Ok(signed(&value.to_string())),
            Value::Real(value) => {
                let text = match choros_xml::schema::decimal_text(value) {
                    Some(text) if text.contains('.') => signed(&text),
                    Some(text) => signed(&format!("{text}.0")),
                    None => {
                        let numerator = signed(&format!("{}.0", value.numer()));
                        format!("(/ {numerator} {}.0)", value.denom())
                    }
                };
                Ok(text)
            }
            Value::String(text) => match &self.words {
                Some(words) => match words.iter().find(|(word, _)| word == &**text) {
                    Some((_, name)) => Ok(name.clone()),
                    None => self.refuse(format!(
                        "the text {text:?}, which is not a word of the list"
                    )),
                },
                None => Ok(literal(text)),
            },
            _ => self.refuse("a record or list that is written out"),
        }
    }

    fn script(&self, asserted: &str) -> String {
        let labels: Vec<String> = if self.labels.is_empty() {
            vec!["(noLabel)".to_owned()]
        } else {
            self.labels
                .iter()
                .map(|(_, name)| format!("({name})"))
                .collect()
        };
        let mut text = String::from(
            "; Trees in first-child/next-sibling form, one variable per leaf and per sub-tree that is spoken of.\n",
        );
        let string = match &self.words {
            Some(words) => {
                let words: Vec<String> =
                    words.iter().map(|(_, name)| format!("({name})")).collect();
                let _ = writeln!(
                    text,
                    "(declare-datatypes ((Label 0) (Str 0)) (({}) ({})))",
                    labels.join(" "),
                    words.join(" ")
                );
                "Str"
            }
            None => {
                let _ = writeln!(
                    text,
                    "(declare-datatypes ((Label 0)) (({})))",
                    labels.join(" ")
                );
                "String"
            }
        };
        let _ = writeln!(
            text,
            "(declare-datatypes ((Tree 0)) (((nil) (IntLeaf (ival Int)) (RealLeaf (rval Real)) (StringLeaf (sval \
             {string})) (BoolLeaf (bval Bool)) (cons (lab Label) (child Tree) (sib Tree)))))"
        );
        text.push_str(&self.declarations);
        text.push_str(&self.structure);
        text.push_str(asserted);
        text.push_str("(check-sat)\n(get-model)\n");
        text
    }
}

/// The labels of a sort, in the order of first occurrence.
fn labels(terms: &Terms, sort: Sort, found: &mut Vec<Name>) {
    if let SortKind::Record(fields) = terms.sort_kind(sort) {
        for &(label, sort) in fields {
            if !found.contains(&label) {
                found.push(label);
            }
            labels(terms, sort, found);
        }
    }
}

/// A variable and the positions of the fields that are taken of it.
fn path(terms: &Terms, term: Term) -> Option<(Var, Vec<u32>)> {
    let mut steps = Vec::new();
    let mut at = term;
    loop {
        match terms.kind(at) {
            TermKind::Variable(variable) => {
                steps.reverse();
                return Some((variable, steps));
            }
            TermKind::Apply(Op::Field(position), &[record]) => {
                steps.push(position);
                at = record;
            }
            _ => return None,
        }
    }
}

fn conjuncts(terms: &Terms, term: Term) -> Vec<Term> {
    match terms.kind(term) {
        TermKind::Apply(Op::And, parts) => parts
            .iter()
            .flat_map(|&part| conjuncts(terms, part))
            .collect(),
        _ => vec![term],
    }
}

fn signed(digits: &str) -> String {
    match digits.strip_prefix('-') {
        Some(digits) => format!("(- {digits})"),
        None => digits.to_owned(),
    }
}

/// A symbol of SMT-LIB, quoted where it has to be.
fn symbol(text: &str) -> String {
    let is_plain = !text.is_empty()
        && !text.starts_with(|it: char| it.is_ascii_digit())
        && text
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(it))
        && !RESERVED.contains(&text);
    if is_plain {
        text.to_owned()
    } else {
        format!("|{}|", text.replace(['|', '\\'], "_"))
    }
}

/// Words that mean something in the theories we use.
const RESERVED: [&str; 22] = [
    "Int", "Real", "Bool", "String", "true", "false", "not", "and", "or", "ite", "=", "<", ">",
    "+", "-", "*", "/", "div", "mod", "let", "as", "distinct",
];

fn literal(text: &str) -> String {
    let mut escaped = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => escaped.push_str("\"\""),
            ' '..='~' if character != '\\' => escaped.push(character),
            other => {
                let _ = write!(escaped, "\\u{{{:x}}}", u32::from(other));
            }
        }
    }
    escaped.push('"');
    escaped
}
