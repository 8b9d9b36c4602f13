//! From the command line and files to formulas, each under its rules.

use std::sync::Arc;

use choros_base::{FileId, Names, SourceError, has_errors};
use choros_codes::diagnostics::{no_own_rules, nothing_declared, unreadable};
use choros_query::abstraction::{Abstraction, Rule, parse_rules};
use choros_query::questions::{GroupRules, Question, QuestionFile, RulesSource, parse_questions};
use choros_query::socl::diagnostics::{too_many_assumptions, unknown_pattern};
use choros_query::socl::{Actions, Formula, Pattern, parse_formula, parse_steps, patterns_named};
use choros_report::answers::{RunNotes, Stop};

use crate::Workspace;
use crate::question_files::beside;

/// A text and its place among the sources.
type Text = (FileId, Arc<str>);

/// Where a question comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuestionSource {
    /// A formula on the command line.
    Formula(String),
    /// A file of formulas.
    File(String),
    /// `NAME:interaction`.
    Pattern(String),
}

/// All questions of a run.
pub struct Questions {
    /// The questions, in their order.
    pub asked: Vec<PosedQuestion>,
    /// The rules under which they are asked.
    pub rule_sets: Vec<Abstraction>,
}

pub struct PosedQuestion {
    /// Its name, or its text.
    pub name: String,
    /// What is asked.
    pub formula: Formula,
    /// The formula as text, where it was asked in words.
    pub reading: Option<String>,
    /// Position of its rules.
    pub rules: usize,
    /// Steps that are assumed fair.
    pub fair: Vec<Actions>,
    /// Whether it is a pattern, which names actions that the model need not have.
    pub is_pattern: bool,
}

/// More assumptions of fairness than this are refused.
const MAX_FAIR: usize = 64;

/// Reads all questions under the rules of these files, or those of the model.
///
/// What is wrong with one of them is among the findings.
pub fn collect_questions(
    workspace: &mut Workspace<'_>,
    rules: &[String],
    sources: &[QuestionSource],
    fair: &[String],
    own_rules: Option<&[Rule]>,
    names: &mut Names,
    run: &mut RunNotes,
) -> Result<Questions, Stop> {
    let mut collector = Collector {
        workspace,
        own_rules,
        names,
        run,
        asked: Vec::new(),
        rule_sets: Vec::new(),
        run_rules: None,
        rule_files: Vec::new(),
        fair: Vec::new(),
    };
    let run_rules = collector.run_rules(rules);
    collector.run_rules = run_rules;
    for text in fair {
        collector.assume_fair(text);
    }
    for source in sources {
        collector.source(source);
    }
    let (asked, rule_sets) = (collector.asked, collector.rule_sets);
    if has_errors(&run.findings) {
        return Err(Stop::Mistakes);
    }
    Ok(Questions { asked, rule_sets })
}

struct Collector<'c, 's> {
    workspace: &'c mut Workspace<'s>,
    own_rules: Option<&'c [Rule]>,
    names: &'c mut Names,
    run: &'c mut RunNotes,
    asked: Vec<PosedQuestion>,
    rule_sets: Vec<Abstraction>,
    /// Where the rules of the run are.
    run_rules: Option<usize>,
    /// Files of rules that were read already.
    rule_files: Vec<(String, Vec<Rule>)>,
    /// Steps that are assumed fair in all questions of the run.
    fair: Vec<Actions>,
}

impl Collector<'_, '_> {
    fn run_rules(&mut self, files: &[String]) -> Option<usize> {
        let abstraction = match (files, self.own_rules) {
            ([], Some(own)) => Abstraction::Rules(own.to_vec()),
            ([], None) => Abstraction::Identity,
            (files, _) => {
                let mut rules = Vec::new();
                for file in files {
                    let text = self.workspace.source(file);
                    rules.extend(self.rule_file(file, text));
                }
                Abstraction::Rules(rules)
            }
        };
        self.rule_sets.push(abstraction);
        Some(self.rule_sets.len() - 1)
    }

    fn rule_file(&mut self, path: &str, text: Result<Text, SourceError>) -> Vec<Rule> {
        if let Some((_, rules)) = self.rule_files.iter().find(|(known, _)| known == path) {
            return rules.clone();
        }
        let rules = match text {
            Ok((file, text)) => {
                let (rules, mut found) = parse_rules(file, &text, 0..text.len(), self.names);
                self.run.findings.append(&mut found);
                self.input(path, "abs");
                rules
            }
            Err(error) => {
                self.run.findings.push(unreadable::diagnostic(&error));
                Vec::new()
            }
        };
        self.rule_files.push((path.to_owned(), rules.clone()));
        rules
    }

    fn input(&mut self, path: &str, kind: &str) {
        let inputs = &mut self.run.semantics.inputs;
        inputs.insert(path.to_owned(), kind.to_owned());
    }

    fn source(&mut self, source: &QuestionSource) {
        let Some(rules) = self.run_rules else {
            return;
        };
        match source {
            QuestionSource::Formula(text) => {
                let file = self.workspace.sources.add("<formula>", text.as_str());
                match parse_formula(file, text, self.names) {
                    Ok(formula) => {
                        let name = if formula.has_sentences() {
                            text.split_whitespace().collect::<Vec<_>>().join(" ")
                        } else {
                            formula.print(self.names)
                        };
                        self.ask(name, formula, rules, &[]);
                    }
                    Err(mut found) => self.run.findings.append(&mut found),
                }
            }
            QuestionSource::Pattern(text) => match patterns_named(text) {
                Some((patterns, interaction)) => self.patterns(&patterns, interaction, rules, &[]),
                None => {
                    let found = unknown_pattern::diagnostic(None, text);
                    self.run.findings.push(found);
                }
            },
            QuestionSource::File(path) => {
                let before = (self.asked.len(), self.run.findings.len());
                self.question_file(path, rules);
                if before == (self.asked.len(), self.run.findings.len()) {
                    let nothing = nothing_declared::diagnostic(path);
                    self.run.findings.push(nothing);
                }
            }
        }
    }

    fn ask(&mut self, name: String, formula: Formula, rules: usize, fair: &[Actions]) {
        let has_sentences = formula.has_sentences();
        let fair: Vec<Actions> = self.fair.iter().chain(fair).cloned().collect();
        if fair.len() > MAX_FAIR {
            let found = too_many_assumptions::diagnostic(formula.span(), MAX_FAIR);
            self.run.findings.push(found);
            return;
        }
        self.asked.push(PosedQuestion {
            name,
            reading: has_sentences.then(|| formula.print(self.names)),
            formula,
            rules,
            fair,
            is_pattern: false,
        });
    }

    fn assume_fair(&mut self, text: &str) {
        let file = self.workspace.sources.add("<fair>", text);
        match parse_steps(file, text, self.names) {
            Ok(steps) => self.fair.push(steps),
            Err(mut found) => self.run.findings.append(&mut found),
        }
    }

    fn patterns(
        &mut self,
        patterns: &[Pattern],
        interaction: &str,
        rules: usize,
        fair: &[Actions],
    ) {
        for pattern in patterns {
            let name = format!("{}:{interaction}", pattern.name());
            let text = pattern.formula(interaction);
            let file = self
                .workspace
                .sources
                .add(format!("<pattern {name}>"), text.as_str());
            match parse_formula(file, &text, self.names) {
                Ok(formula) => {
                    self.ask(name, formula, rules, fair);
                    if let Some(asked) = self.asked.last_mut() {
                        asked.is_pattern = true;
                    }
                }
                Err(mut found) => self.run.findings.append(&mut found),
            }
        }
    }

    fn question_file(&mut self, path: &str, run_rules: usize) {
        let (file, text) = match self.workspace.source(path) {
            Ok(source) => source,
            Err(error) => {
                self.run.findings.push(unreadable::diagnostic(&error));
                return;
            }
        };
        let (questions, mut found) = parse_questions(file, &text, self.names);
        self.run.findings.append(&mut found);
        self.input(path, "socl");
        for group in &questions.groups {
            let rules = match &group.using {
                None => run_rules,
                Some(using) => self.using(path, &questions, using),
            };
            let fair: Vec<Actions> = questions.fair.iter().chain(&group.fair).cloned().collect();
            for question in &group.questions {
                match question {
                    Question::Formula { name, formula } => {
                        self.ask(name.clone(), formula.clone(), rules, &fair);
                    }
                    Question::Patterns {
                        patterns,
                        interaction,
                    } => self.patterns(patterns, interaction, rules, &fair),
                }
            }
        }
    }

    /// The rules of a group, which count together.
    fn using(&mut self, path: &str, file: &QuestionFile, using: &[GroupRules]) -> usize {
        let mut rules = Vec::new();
        let mut is_identity = false;
        for one in using {
            match one {
                GroupRules::Nothing => is_identity = true,
                GroupRules::Model(span) => match self.own_rules {
                    Some(own) => rules.extend(own.to_vec()),
                    None => self.run.findings.push(no_own_rules::diagnostic(*span)),
                },
                GroupRules::File(rule_file, _) => {
                    let rule_file = beside(path, rule_file);
                    let text = self.workspace.referred(&rule_file);
                    rules.extend(self.rule_file(&rule_file, text));
                }
                GroupRules::Named(name) => {
                    let named = file.rules.iter().find(|rules| rules.name == *name);
                    match named.map(|named| &named.source) {
                        Some(RulesSource::Inline(inline)) => rules.extend(inline.iter().cloned()),
                        Some(RulesSource::File(rule_file)) => {
                            let rule_file = beside(path, rule_file);
                            let text = self.workspace.referred(&rule_file);
                            rules.extend(self.rule_file(&rule_file, text));
                        }
                        // The reader of the file has complained.
                        None => {}
                    }
                }
            }
        }
        let abstraction = if is_identity && rules.is_empty() {
            Abstraction::Identity
        } else {
            Abstraction::Rules(rules)
        };
        self.rule_sets.push(abstraction);
        self.rule_sets.len() - 1
    }
}
