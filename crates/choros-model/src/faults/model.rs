//! Which faults may happen, and how often.

use choros_base::{Choice, nearest};

/// What can go wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    /// A message in transit vanishes.
    Lose,
    /// A message in transit arrives more than once.
    Duplicate,
    /// A message overtakes others of its sender and receiver.
    Reorder,
    /// Messages take any time.
    Delay,
    /// A role stops forever.
    Crash,
}

impl Choice for FaultKind {
    const CHOICES: &'static [(&'static str, FaultKind, &'static str)] = &[
        ("lose", FaultKind::Lose, "A message in transit vanishes"),
        (
            "duplicate",
            FaultKind::Duplicate,
            "A message in transit arrives more than once",
        ),
        (
            "reorder",
            FaultKind::Reorder,
            "A message overtakes others of its sender and receiver",
        ),
        ("delay", FaultKind::Delay, "Messages take any time"),
        ("crash", FaultKind::Crash, "A role stops forever"),
    ];
}

/// A fault that may happen.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fault {
    pub kind: FaultKind,
    /// The message or, of a crash, the role that it happens to; all of them if none is named.
    pub of: Option<String>,
    /// How often in a run; any number of times if no bound is given.
    pub most: Option<u32>,
}

impl Fault {
    /// Any number of these faults, of one message or role.
    pub fn of(kind: FaultKind, name: impl Into<String>) -> Fault {
        Fault {
            kind,
            of: Some(name.into()),
            most: None,
        }
    }

    /// `lose:Charged:2`, as it is written.
    pub fn text(&self) -> String {
        let mut text = self.kind.word().to_owned();
        if let Some(name) = &self.of {
            text.push(':');
            text.push_str(name);
        }
        if let Some(most) = self.most {
            text.push_str(&format!(":{most}"));
        }
        text
    }

    /// The bound in words: `at most 2 losses of Charged`.
    fn bound_words(&self) -> Option<String> {
        let most = self.most?;
        let (one, many) = match self.kind {
            FaultKind::Lose => ("loss", "losses"),
            FaultKind::Duplicate => ("duplicate", "duplicates"),
            FaultKind::Reorder => ("overtaking message", "overtaking messages"),
            FaultKind::Crash => ("crash", "crashes"),
            FaultKind::Delay => ("delay", "delays"),
        };
        let noun = if most == 1 { one } else { many };
        let of = self.of.as_ref().map(|name| format!(" of {name}"));
        Some(format!("at most {most} {noun}{}", of.unwrap_or_default()))
    }
}

/// The faults that may happen.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct FaultModel {
    pub faults: Vec<Fault>,
}

/// Why a text is not a fault model of these roles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultMistake {
    /// No fault is called so.
    Kind {
        word: String,
        similar: Option<&'static str>,
    },
    /// Something after the kind cannot stand there.
    Form { part: String, why: &'static str },
    /// No message, or no role, is called so.
    Name {
        kind: FaultKind,
        name: String,
        similar: Option<String>,
        known: Vec<String>,
    },
}

impl FaultModel {
    /// Reads `lose:2,duplicate:1,reorder,crash:payment,delay`.
    pub fn parse(text: &str) -> Result<FaultModel, FaultMistake> {
        let parts = text.split(',').map(str::trim);
        let faults = parts.filter(|it| !it.is_empty()).map(parse_fault);
        let faults: Vec<Fault> = faults.collect::<Result<_, _>>()?;
        if faults.is_empty() {
            return Err(FaultMistake::Form {
                part: text.to_owned(),
                why: "name at least one fault",
            });
        }
        Ok(FaultModel { faults })
    }

    /// `lose:2,crash:payment`, as it is written.
    pub fn text(&self) -> String {
        let faults: Vec<String> = self.faults.iter().map(Fault::text).collect();
        faults.join(",")
    }

    /// The bounds in words: `at most 2 losses`; `None` if nothing is bounded.
    pub fn bounds(&self) -> Option<String> {
        let bounds: Vec<String> = self.faults.iter().filter_map(Fault::bound_words).collect();
        (!bounds.is_empty()).then(|| bounds.join(", "))
    }

    /// Whether all messages and roles that are named exist.
    pub fn fits(&self, messages: &[String], roles: &[String]) -> Result<(), FaultMistake> {
        for fault in &self.faults {
            let Some(name) = &fault.of else {
                continue;
            };
            let known = match fault.kind {
                FaultKind::Crash => roles,
                _ => messages,
            };
            if !known.contains(name) {
                return Err(FaultMistake::Name {
                    kind: fault.kind,
                    name: name.clone(),
                    similar: nearest(name, known.iter().map(String::as_str)).map(str::to_owned),
                    known: known.to_vec(),
                });
            }
        }
        Ok(())
    }

    /// One model for each kind of fault and each message or role, any number of times.
    pub fn each(messages: &[String], roles: &[String]) -> Vec<FaultModel> {
        let of_messages = [FaultKind::Lose, FaultKind::Duplicate, FaultKind::Reorder];
        let mut faults = vec![Fault {
            kind: FaultKind::Delay,
            of: None,
            most: None,
        }];
        for kind in of_messages {
            faults.extend(messages.iter().map(|name| Fault::of(kind, name)));
        }
        faults.extend(roles.iter().map(|name| Fault::of(FaultKind::Crash, name)));
        let models = faults.into_iter();
        models.map(|it| FaultModel { faults: vec![it] }).collect()
    }
}

impl std::fmt::Display for FaultMistake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let meant = |similar: Option<&str>| match similar {
            Some(similar) => format!("; did you mean `{similar}`?"),
            None => String::new(),
        };
        match self {
            FaultMistake::Kind { word, similar } => {
                let words = FaultKind::CHOICES.iter().map(|(word, ..)| *word);
                let words: Vec<&str> = words.collect();
                let known = match similar {
                    Some(_) => meant(*similar),
                    None => format!("; known faults: {}", words.join(", ")),
                };
                write!(f, "there is no fault `{word}`{known}")
            }
            FaultMistake::Form { part, why } => write!(f, "`{part}` is not a fault: {why}"),
            FaultMistake::Name {
                kind,
                name,
                similar,
                known,
            } => {
                let noun = match kind {
                    FaultKind::Crash => "role",
                    _ => "message",
                };
                let known = match similar {
                    Some(_) => meant(similar.as_deref()),
                    None => format!("; known: {}", known.join(", ")),
                };
                write!(f, "no {noun} is called `{name}`{known}")
            }
        }
    }
}

fn parse_fault(part: &str) -> Result<Fault, FaultMistake> {
    let mut words = part.split(':').map(str::trim);
    let word = words.next().unwrap_or_default();
    let Some(kind) = FaultKind::chosen(word) else {
        return Err(FaultMistake::Kind {
            word: word.to_owned(),
            similar: nearest(word, FaultKind::CHOICES.iter().map(|(word, ..)| *word)),
        });
    };
    let wrong = |why| FaultMistake::Form {
        part: part.to_owned(),
        why,
    };
    let mut fault = Fault {
        kind,
        of: None,
        most: None,
    };
    for word in words {
        if kind == FaultKind::Delay {
            return Err(wrong("a delay has neither a name nor a number"));
        }
        if !word.is_empty() && word.bytes().all(|it| it.is_ascii_digit()) {
            let most = word.parse().ok().filter(|it| (1..=MOST_TIMES).contains(it));
            let most = most.ok_or_else(|| wrong("the number must be from 1 to 1000"))?;
            if fault.most.replace(most).is_some() {
                return Err(wrong("it has two numbers"));
            }
        } else if word.is_empty() {
            return Err(wrong("a name or a number is missing after `:`"));
        } else if fault.of.replace(word.to_owned()).is_some() {
            return Err(wrong("it has two names"));
        }
    }
    Ok(fault)
}

/// A larger bound is as good as none.
const MOST_TIMES: u32 = 1_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for text in [
            "lose",
            "lose:2",
            "lose:Charged:2",
            "crash:payment",
            "lose:2,duplicate:1,reorder,crash:payment,delay",
        ] {
            assert_eq!(FaultModel::parse(text).expect(text).text(), text);
        }
        let spaced = FaultModel::parse(" lose : 2 , delay ").expect("spaces");
        assert_eq!(spaced.text(), "lose:2,delay");
        assert_eq!(spaced.bounds().as_deref(), Some("at most 2 losses"));
    }

    #[test]
    fn mistakes_are_told_apart() {
        let said = |text: &str| FaultModel::parse(text).expect_err(text).to_string();
        assert_eq!(
            said("loose"),
            "there is no fault `loose`; did you mean `lose`?"
        );
        assert!(said("flood").starts_with("there is no fault `flood`; known faults: lose,"));
        assert!(said("lose:0").contains("from 1 to 1000"));
        assert!(said("lose:1:2").contains("two numbers"));
        assert!(said("lose:a:b").contains("two names"));
        assert!(said("lose:").contains("missing"));
        assert!(said("delay:3").contains("neither"));
        assert!(said("").contains("at least one"));
        let model = FaultModel::parse("lose:Chargd").expect("a model");
        let found = model
            .fits(&["Charged".to_owned()], &[])
            .expect_err("no such message");
        assert_eq!(
            found.to_string(),
            "no message is called `Chargd`; did you mean `Charged`?"
        );
    }
}
