//! Who sends a message to whom, and which of them wrote the record.

use crate::{Assumed, Envelope, MessageBinding, Side};

use super::{Binder, NotBound};

/// The two roles of a message, and at which of them it was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ends {
    pub from: String,
    pub to: String,
    /// It was seen by who sent it.
    pub sends: bool,
}

impl Ends {
    pub fn by(&self) -> &str {
        if self.sends { &self.from } else { &self.to }
    }

    /// Those of the response, seen by the same role.
    pub(super) fn reversed(&self) -> Ends {
        Ends {
            from: self.to.clone(),
            to: self.from.clone(),
            sends: !self.sends,
        }
    }
}

/// What a name in a record stands for.
enum Who {
    Role(String),
    /// It tells nothing: no name, or the address of someone whom no one named.
    Unknown,
    Stranger(String),
}

/// The roles that an envelope names, as far as it does.
pub(super) struct Named {
    from: Option<String>,
    to: Option<String>,
    by: Option<String>,
    side: Option<Side>,
    assumed: Assumed,
}

impl Binder {
    /// The roles that an envelope names; or one that is not known.
    pub(super) fn named(&self, envelope: &Envelope, own: Option<&str>) -> Result<Named, NotBound> {
        let role = |name: &Option<String>| match self.who(name.as_deref()) {
            Who::Role(role) => Ok(Some(role)),
            Who::Unknown => Ok(None),
            Who::Stranger(name) => Err(NotBound::NoRole(name)),
        };
        let by = match own {
            Some(own) => Some(own.to_owned()),
            None => role(&envelope.by)?,
        };
        Ok(Named {
            from: role(&envelope.from)?,
            to: role(&envelope.to)?,
            by,
            side: envelope.side,
            assumed: envelope.assumed,
        })
    }

    fn who(&self, name: Option<&str>) -> Who {
        let Some(name) = name.filter(|it| !it.is_empty()) else {
            return Who::Unknown;
        };
        let roles = &self.binding.roles;
        let called = roles
            .iter()
            .find(|role| role.names.iter().any(|it| it.matches(name)));
        if let Some(role) = called {
            return Who::Role(role.name.clone());
        }
        if self.vocabulary.has_role(name) || roles.iter().any(|it| it.name == name) {
            return Who::Role(name.to_owned());
        }
        let is_there = |address: &Option<String>| {
            let address = address.as_deref().unwrap_or_default();
            let place = address.split_once("://").map_or(address, |(_, rest)| rest);
            !place.is_empty() && place.split('/').next() == Some(name)
        };
        if let Some(role) = roles
            .iter()
            .find(|it| is_there(&it.address) || is_there(&it.listen))
        {
            return Who::Role(role.name.clone());
        }
        if roles.is_empty() && self.vocabulary.roles.is_empty() {
            return Who::Role(name.to_owned());
        }
        if is_address(name) {
            Who::Unknown
        } else {
            Who::Stranger(name.to_owned())
        }
    }

    /// The ends of a message that agree with what the envelope names: none, one, or several.
    pub(super) fn ends(&self, message: &MessageBinding, named: &Named) -> Vec<Ends> {
        let mut pairs: Vec<(Option<String>, Option<String>)> = self
            .vocabulary
            .called(&message.name)
            .map(|it| (Some(it.from.clone()), Some(it.to.clone())))
            .collect();
        if pairs.is_empty() {
            pairs.push((None, None));
        }
        // What is assumed of all records counts where the message says nothing.
        let unless = |assumed: bool, own: &Option<String>, said: &Option<String>| {
            said.clone().filter(|_| !(assumed && own.is_some()))
        };
        let said_from = unless(named.assumed.from, &message.from, &named.from);
        let said_to = unless(named.assumed.to, &message.to, &named.to);
        let mut found: Vec<Ends> = Vec::new();
        for (from, to) in pairs {
            let Some(from) = agreed([from, message.from.clone(), said_from.clone()]) else {
                continue;
            };
            let Some(to) = agreed([to, message.to.clone(), said_to.clone()]) else {
                continue;
            };
            let by = named.by.as_deref();
            let side = match message.dir {
                Some(own) if named.side.is_none() || named.assumed.side => Some(own),
                _ => named.side,
            };
            // Who wrote the record is one of the ends, and may be the one that is not told.
            let (from, to) = match (from, to, side, by) {
                (Some(from), Some(to), _, _) => (from, to),
                (None, Some(to), Some(Side::Sender), Some(by)) => (by.to_owned(), to),
                (Some(from), None, Some(Side::Receiver), Some(by)) => (from, by.to_owned()),
                (None, Some(to), None, Some(by)) if to != by => (by.to_owned(), to),
                (Some(from), None, None, Some(by)) if from != by => (from, by.to_owned()),
                _ => continue,
            };
            let sends = match (side, by) {
                (Some(Side::Sender), by) => by.is_none_or(|by| by == from).then_some(true),
                (Some(Side::Receiver), by) => by.is_none_or(|by| by == to).then_some(false),
                (None, Some(by)) if by == from => Some(true),
                (None, Some(by)) if by == to => Some(false),
                (None, Some(_)) => None,
                // No one says who saw it: that it is there says that it was sent.
                (None, None) => Some(true),
            };
            let ends = sends.map(|sends| Ends { from, to, sends });
            if let Some(ends) = ends
                && !found.contains(&ends)
            {
                found.push(ends);
            }
        }
        found
    }

    /// Whether it is known who sends a message to whom: then a record that says otherwise is not that message.
    pub(super) fn knows_ends(&self, message: &MessageBinding) -> bool {
        self.vocabulary.has_message(&message.name) || message.from.is_some() && message.to.is_some()
    }
}

/// Whether a name is an IP address, perhaps with a port.
fn is_address(name: &str) -> bool {
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
    let (host, port) = name.split_once(':').unwrap_or((name, "0"));
    let is_old = host.split('.').count() == 4 && host.split('.').all(is_number) && is_number(port);
    let is_new_letter = |it: char| it.is_ascii_hexdigit() || ":.[]%".contains(it);
    is_old || name.matches(':').count() > 1 && name.chars().all(is_new_letter)
}

/// What all of these say that say something; none if they disagree.
fn agreed(said: [Option<String>; 3]) -> Option<Option<String>> {
    let mut agreed: Option<String> = None;
    for one in said.into_iter().flatten() {
        match &agreed {
            Some(known) if *known != one => return None,
            _ => agreed = Some(one),
        }
    }
    Some(agreed)
}

impl Named {
    /// In words, for those who ask why a message does not fit.
    pub(super) fn text(&self) -> String {
        let or = |name: &Option<String>| name.clone().unwrap_or_else(|| "?".to_owned());
        let by = match &self.by {
            Some(by) => format!(", written by {by}"),
            None => String::new(),
        };
        format!("{} → {}{by}", or(&self.from), or(&self.to))
    }
}
