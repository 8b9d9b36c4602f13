//! Files of formulas: groups of named formulas and patterns, each group under its rules.
//!
//! ```text
//! rules A { Action bank.charge<*,*,*,$id> -> request(charge,$id) }
//! rules B from "detailed.abs"
//!
//! group "the bank" using A + B {
//!   F1: AG accepting_request(charge);
//!   pattern responsive:charge;
//! }
//!
//! F2: AG true;
//!
//! assume fair: ack;
//! ```
//!
//! A question outside of groups, or in a group without `using`, is under the rules of the run.

use choros_base::{Diagnostic, FileId, Names, Span};

use crate::abstraction::{Rule, rules_until};
use crate::socl::cursor::{Cursor, Parsed};
use crate::socl::diagnostics::{named_twice, unknown_pattern, unknown_rules, unused_rules};
use crate::socl::parse::skip_statement;
use crate::socl::parse_whole::{formula, steps};
use crate::socl::print::literal;
use crate::socl::token::{Token, TokenKind};
use crate::socl::{Actions, Formula, Pattern, patterns_named};

/// What a file of formulas asks.
#[derive(Debug, Clone, Default)]
pub struct QuestionFile {
    /// Its sets of rules.
    pub rules: Vec<NamedRules>,
    /// Its questions, in their order; those outside of groups are a group without a name.
    pub groups: Vec<Group>,
    /// Steps that are assumed fair in all questions.
    pub fair: Vec<Actions>,
}

/// A set of rules with a name.
#[derive(Debug, Clone)]
pub struct NamedRules {
    pub name: String,
    /// Where the name is written.
    pub span: Span,
    /// The rules.
    pub source: RulesSource,
}

/// Where rules come from.
#[derive(Debug, Clone)]
pub enum RulesSource {
    /// They are written here.
    Inline(Vec<Rule>),
    File(String),
}

/// Questions under the same rules.
#[derive(Debug, Clone)]
pub struct Group {
    pub name: Option<String>,
    /// Its rules, which count together; `None` for those of the run.
    pub using: Option<Vec<GroupRules>>,
    pub questions: Vec<Question>,
    /// Steps that are assumed fair in its questions.
    pub fair: Vec<Actions>,
}

/// Rules that a group names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GroupRules {
    /// A set of rules of the file.
    Named(String),
    File(String, Span),
    /// The rules in the model.
    Model(Span),
    /// None: every action stands for itself.
    Nothing,
}

#[derive(Debug, Clone)]
pub enum Question {
    /// A formula with a name.
    Formula { name: String, formula: Formula },
    /// Patterns, by name.
    Patterns {
        patterns: Vec<Pattern>,
        interaction: String,
    },
}

/// Reads a file of formulas; what is wrong with one question does not keep the others from being read.
pub fn parse_questions(
    file: FileId,
    text: &str,
    names: &mut Names,
) -> (QuestionFile, Vec<Diagnostic>) {
    let mut reader = Reader {
        cursor: Cursor::new(file, text, 0..text.len()),
        names,
        found: QuestionFile::default(),
        formulas: Vec::new(),
        usings: Vec::new(),
    };
    // A file with this many mistakes has one, and the rest follows from it.
    while !reader.cursor.is_at_end() && reader.cursor.diagnostics.len() < MAX_DIAGNOSTICS {
        if reader.cursor.is_sign('}') {
            let failed = reader.cursor.unexpected("a question, `rules` or `group`");
            reader.cursor.advance();
            skip_statement(&mut reader.cursor, failed);
            continue;
        }
        if let Err(failed) = reader.item() {
            skip_statement(&mut reader.cursor, failed);
        }
    }
    reader.check_names();
    let mut diagnostics = reader.cursor.diagnostics;
    diagnostics.truncate(MAX_DIAGNOSTICS);
    (reader.found, diagnostics)
}

/// More findings than this tell nothing new.
pub(crate) const MAX_DIAGNOSTICS: usize = 100;

struct Reader<'t, 'n> {
    cursor: Cursor<'t>,
    names: &'n mut Names,
    found: QuestionFile,
    formulas: Vec<(String, Span)>,
    usings: Vec<(String, Span)>,
}

impl<'t> Reader<'t, '_> {
    fn item(&mut self) -> Parsed<()> {
        let is_question = self.cursor.peek_second() == TokenKind::Sign(':');
        if self.cursor.at_word("rules") && !is_question {
            self.cursor.advance();
            return self.rules();
        }
        if self.cursor.at_word("group") && !is_question {
            self.cursor.advance();
            return self.group();
        }
        if self.at_assumption() {
            let fair = self.assumption()?;
            self.found.fair.extend(fair);
            return Ok(());
        }
        let question = self.question()?;
        match self.found.groups.last_mut() {
            Some(group) if group.name.is_none() && group.using.is_none() => {
                group.questions.push(question);
            }
            _ => self.found.groups.push(Group {
                name: None,
                using: None,
                questions: vec![question],
                fair: Vec::new(),
            }),
        }
        Ok(())
    }

    fn name(&mut self, what: &str) -> Parsed<Token<'t>> {
        match self.cursor.peek() {
            TokenKind::Word | TokenKind::Quoted => Ok(self.cursor.take()),
            _ => Err(self.cursor.unexpected(what)),
        }
    }

    fn rules(&mut self) -> Parsed<()> {
        // In quotes it would be a file where groups name their rules.
        if self.cursor.peek() != TokenKind::Word {
            return Err(self.cursor.unexpected("the name of the rules"));
        }
        let name = self.cursor.take();
        let source = if self.cursor.eat_word("from") {
            let path = self.name("a file of rules in quotes")?;
            self.cursor.take_sign(';');
            RulesSource::File(path.text.to_owned())
        } else {
            self.cursor.expect_sign('{')?;
            let rules = rules_until(&mut self.cursor, self.names);
            self.cursor.expect_sign('}')?;
            RulesSource::Inline(rules)
        };
        self.found.rules.push(NamedRules {
            name: name.text.to_owned(),
            span: name.span,
            source,
        });
        Ok(())
    }

    fn group(&mut self) -> Parsed<()> {
        let mut name = None;
        if !self.cursor.is_sign('{') && !self.cursor.at_word("using") {
            name = Some(self.name("the name of the group")?.text.to_owned());
        }
        let mut using = None;
        if self.cursor.eat_word("using") {
            let mut rules = vec![self.using()?];
            while self.cursor.take_sign('+') {
                rules.push(self.using()?);
            }
            using = Some(rules);
        }
        self.cursor.expect_sign('{')?;
        let (mut questions, mut fair) = (Vec::new(), Vec::new());
        while !self.cursor.is_at_end()
            && !self.cursor.is_sign('}')
            && self.cursor.diagnostics.len() < MAX_DIAGNOSTICS
        {
            if self.at_assumption() {
                match self.assumption() {
                    Ok(more) => fair.extend(more),
                    Err(failed) => skip_statement(&mut self.cursor, failed),
                }
                continue;
            }
            match self.question() {
                Ok(question) => questions.push(question),
                Err(failed) => skip_statement(&mut self.cursor, failed),
            }
        }
        self.found.groups.push(Group {
            name,
            using,
            questions,
            fair,
        });
        self.cursor.expect_sign('}')?;
        Ok(())
    }

    fn at_assumption(&self) -> bool {
        self.cursor.at_word("assume") && self.cursor.word_ahead(1) == "fair"
    }

    /// `assume fair: ack, nack;`
    fn assumption(&mut self) -> Parsed<Vec<Actions>> {
        self.cursor.advance();
        self.cursor.advance();
        self.cursor.expect_sign(':')?;
        let mut fair = vec![steps(&mut self.cursor, self.names)?];
        while self.cursor.take_sign(',') {
            fair.push(steps(&mut self.cursor, self.names)?);
        }
        if !self.cursor.is_sign('}') && !self.cursor.is_at_end() {
            self.cursor.expect_sign(';')?;
        }
        Ok(fair)
    }

    fn using(&mut self) -> Parsed<GroupRules> {
        let token = self.name("the name of rules, a file in quotes, `model` or `none`")?;
        Ok(match (token.kind, token.text) {
            (TokenKind::Quoted, path) => GroupRules::File(path.to_owned(), token.span),
            (_, "model") => GroupRules::Model(token.span),
            (_, "none") => GroupRules::Nothing,
            (_, name) => {
                self.usings.push((name.to_owned(), token.span));
                GroupRules::Named(name.to_owned())
            }
        })
    }

    fn question(&mut self) -> Parsed<Question> {
        if self.cursor.at_word("pattern") && self.cursor.peek_second() != TokenKind::Sign(':') {
            self.cursor.advance();
            return self.patterns();
        }
        let name = self.name("the name of a formula, or `pattern`")?;
        self.cursor.expect_sign(':')?;
        let formula = formula(&mut self.cursor, self.names)?;
        if !self.cursor.is_sign('}') && !self.cursor.is_at_end() {
            self.cursor.expect_sign(';')?;
        }
        self.formulas.push((name.text.to_owned(), name.span));
        Ok(Question::Formula {
            name: name.text.to_owned(),
            formula,
        })
    }

    /// `one-shot:charge` is several tokens here.
    fn patterns(&mut self) -> Parsed<Question> {
        let first = self.name("the name of a pattern")?;
        let mut name = first.text.to_owned();
        while self.cursor.take_sign('-') {
            let part = self.name("the rest of the name of a pattern")?;
            name = format!("{name}-{}", part.text);
        }
        self.cursor.expect_sign(':')?;
        let interaction = self.name("the name of an interaction")?;
        if !self.cursor.is_sign('}') && !self.cursor.is_at_end() {
            self.cursor.expect_sign(';')?;
        }
        let whole = format!("{name}:{}", interaction.text);
        let patterns = match patterns_named(&whole) {
            Some((patterns, _)) => patterns,
            None => {
                self.cursor
                    .diagnostics
                    .push(unknown_pattern::diagnostic(Some(first.span), &name));
                Vec::new()
            }
        };
        Ok(Question::Patterns {
            patterns,
            interaction: interaction.text.to_owned(),
        })
    }

    fn check_names(&mut self) {
        let mut complaints = Vec::new();
        let rules: Vec<(String, Span)> = self
            .found
            .rules
            .iter()
            .map(|rules| (rules.name.clone(), rules.span))
            .collect();
        for (what, list) in [("formula", &self.formulas), ("set of rules", &rules)] {
            for (index, (name, span)) in list.iter().enumerate() {
                if let Some((_, first)) = list[..index].iter().find(|(other, _)| other == name) {
                    complaints.push(named_twice::diagnostic(*span, what, name, *first));
                }
            }
        }
        let known: Vec<&str> = rules.iter().map(|(name, _)| name.as_str()).collect();
        for (name, span) in &self.usings {
            if !known.contains(&name.as_str()) {
                complaints.push(unknown_rules::diagnostic(*span, name, &known));
            }
        }
        self.cursor.diagnostics.append(&mut complaints);
    }
}

impl QuestionFile {
    /// Warnings about sets of rules that no group uses.
    pub fn unused_rules(&self) -> Vec<Diagnostic> {
        let used = |rules: &NamedRules| {
            let mut usings = self.groups.iter().filter_map(|group| group.using.as_ref());
            let name = GroupRules::Named(rules.name.clone());
            usings.any(|using| using.contains(&name))
        };
        let unused = self.rules.iter().filter(|rules| !used(rules));
        unused
            .map(|rules| unused_rules::diagnostic(rules.span, &rules.name))
            .collect()
    }

    /// The file as text, which is read back as the same questions.
    pub fn print(&self, names: &Names) -> String {
        let mut out = String::new();
        for rules in &self.rules {
            let name = &rules.name;
            match &rules.source {
                RulesSource::File(path) => {
                    out.push_str(&format!("rules {name} from \"{path}\"\n"));
                }
                RulesSource::Inline(rules) => {
                    out.push_str(&format!("rules {name} {{\n"));
                    for rule in rules {
                        out.push_str(&format!("  {}\n", rule.print(names)));
                    }
                    out.push_str("}\n");
                }
            }
        }
        assumed(&mut out, "", &self.fair, names);
        for group in &self.groups {
            let bare = group.name.is_none() && group.using.is_none();
            if !bare {
                out.push_str("group");
                if let Some(name) = &group.name {
                    out.push_str(&format!(" \"{name}\""));
                }
                if let Some(using) = &group.using {
                    let using: Vec<String> = using
                        .iter()
                        .map(|using| match using {
                            GroupRules::Named(name) => name.clone(),
                            GroupRules::File(path, _) => format!("\"{path}\""),
                            GroupRules::Model(_) => "model".to_owned(),
                            GroupRules::Nothing => "none".to_owned(),
                        })
                        .collect();
                    out.push_str(&format!(" using {}", using.join(" + ")));
                }
                out.push_str(" {\n");
            }
            let indent = if bare { "" } else { "  " };
            assumed(&mut out, indent, &group.fair, names);
            for question in &group.questions {
                match question {
                    Question::Formula { name, formula } => {
                        let text = formula.print(names);
                        out.push_str(&format!("{indent}{}: {text};\n", literal(name)));
                    }
                    Question::Patterns {
                        patterns,
                        interaction,
                    } => {
                        let name = match &patterns[..] {
                            [one] => one.name(),
                            _ => "all",
                        };
                        let interaction = literal(interaction);
                        out.push_str(&format!("{indent}pattern {name}:{interaction};\n"));
                    }
                }
            }
            if !bare {
                out.push_str("}\n");
            }
        }
        out
    }
}

fn assumed(out: &mut String, indent: &str, fair: &[Actions], names: &Names) {
    if !fair.is_empty() {
        let fair: Vec<String> = fair.iter().map(|it| it.print(names)).collect();
        out.push_str(&format!("{indent}assume fair: {};\n", fair.join(", ")));
    }
}
