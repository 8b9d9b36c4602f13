//! The words of a model: its roles, its messages and their fields.

/// What a model talks about, as far as a binding needs to know it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Vocabulary {
    pub roles: Vec<String>,
    /// One per name, sender and receiver.
    pub messages: Vec<KnownMessage>,
}

/// A message between two roles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownMessage {
    pub name: String,
    pub from: String,
    pub to: String,
    /// Its fields in order, by their labels or the names of their variables; none where they have neither.
    pub fields: Vec<Option<String>>,
}

impl Vocabulary {
    /// The messages with this name.
    pub fn called<'v>(&'v self, name: &str) -> impl Iterator<Item = &'v KnownMessage> {
        self.messages.iter().filter(move |it| it.name == name)
    }

    pub fn has_message(&self, name: &str) -> bool {
        self.called(name).next().is_some()
    }

    pub fn has_role(&self, name: &str) -> bool {
        self.roles.iter().any(|it| it == name)
    }
}
