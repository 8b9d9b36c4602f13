//! A g-choreography as a choreography of the native language.

use choros_base::{Name, Names, SourceMap, has_errors};
use choros_data::Terms;
use choros_model::gchor::{Form, Gchor, NodeId};

use crate::chor::{self, NotWritable, is_writable};

/// The text of a choreography with this name and the participants as its roles, in its standard layout.
///
/// `sel A` and `repeat A` become `choice at A` and `repeat at A` where the native language agrees that A begins every
/// branch, and otherwise lose their claim, which the reader of `.gc` files does not check.
pub fn gchor_to_chor(gchor: &Gchor, name: &str, terms: &mut Terms) -> Result<String, NotWritable> {
    let named = if is_writable(name) { name } else { "Main" };
    for &role in gchor.roles().names() {
        fixed(role, &terms.names)?;
    }
    for id in gchor.in_order() {
        if let Form::Interaction(interaction) = gchor.form(id) {
            fixed(interaction.message, &terms.names)?;
        }
    }
    let mut reason = String::new();
    for claims in [Claims::Kept, Claims::Dropped] {
        let text = write(gchor, named, claims, &terms.names);
        let mut sources = SourceMap::new();
        let file = sources.add(name, text.as_str());
        let (_, found) = chor::read(file, &text, terms);
        if !has_errors(&found) {
            return chor::format(file, &text, &mut terms.names)
                .map_err(|_| NotWritable::because("it would not mean the same"));
        }
        reason = found
            .first()
            .map_or_else(String::new, |it| it.message.clone());
    }
    Err(NotWritable::because(reason))
}

/// What becomes of the deciders that a g-choreography names.
#[derive(Clone, Copy)]
enum Claims {
    Kept,
    Dropped,
}

fn fixed(name: Name, names: &Names) -> Result<(), NotWritable> {
    let text = names.text(name);
    if is_writable(text) {
        Ok(())
    } else {
        Err(NotWritable::because(format!(
            "`{text}` is not a valid name in it"
        )))
    }
}

fn write(gchor: &Gchor, name: &str, claims: Claims, names: &Names) -> String {
    let roles: Vec<&str> = gchor
        .roles()
        .names()
        .iter()
        .map(|&it| names.text(it))
        .collect();
    let mut writer = Writer {
        gchor,
        names,
        claims,
        out: format!("choreography {name}[{}] {{\n", roles.join(", ")),
    };
    if let Some(root) = gchor.root() {
        writer.node(root);
    }
    writer.out.push_str("}\n");
    writer.out
}

struct Writer<'a> {
    gchor: &'a Gchor,
    names: &'a Names,
    claims: Claims,
    out: String,
}

impl Writer<'_> {
    /// Recursion is as deep as the tree, which [`Gchor::DEPTH_LIMIT`] bounds.
    fn node(&mut self, id: NodeId) {
        match self.gchor.form(id) {
            Form::Empty => self.out.push_str("skip\n"),
            Form::Interaction(interaction) => {
                let [from, to, message] = [interaction.from, interaction.to, interaction.message]
                    .map(|name| self.names.text(name));
                self.out.push_str(&format!("{from} -> {to}: {message}\n"));
            }
            Form::Sequence(parts) => {
                if parts.is_empty() {
                    self.out.push_str("skip\n")
                } else {
                    parts.iter().for_each(|&part| self.node(part))
                }
            }
            Form::Fork(threads) => self.blocks("par", threads, "and"),
            Form::Choice { decider, branches } => {
                let head = format!("choice{}", self.claim(*decider));
                self.blocks(&head, branches, "or");
            }
            Form::Repeat { controller, body } => {
                let head = format!("repeat{} {{\n", self.claim(*controller));
                self.out.push_str(&head);
                self.node(*body);
                self.out.push_str("}\n");
            }
        }
    }

    fn claim(&self, who: Option<Name>) -> String {
        match (self.claims, who) {
            (Claims::Kept, Some(who)) => format!(" at {}", self.names.text(who)),
            _ => String::new(),
        }
    }

    fn blocks(&mut self, head: &str, parts: &[NodeId], between: &str) {
        match parts {
            [] => self.out.push_str("skip\n"),
            [only] => self.node(*only),
            several => {
                self.out.push_str(head);
                for (position, &part) in several.iter().enumerate() {
                    if position > 0 {
                        self.out.push_str(&format!(" {between}"));
                    }
                    self.out.push_str(" {\n");
                    self.node(part);
                    self.out.push('}');
                }
                self.out.push('\n');
            }
        }
    }
}
