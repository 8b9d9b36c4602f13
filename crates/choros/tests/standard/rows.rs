//! Rows, and the words in which runs are written.
//!
//! ````markdown
//! ## name (section)
//!
//! What the standard says.
//!
//! ```bpel
//! the process, see `expand.rs`
//! ```
//!
//! ```runs
//! a?5 work!5 work?fn:1 tell!_ tick end
//! never a?5 b?6
//! ```
//! ````
//!
//! `a?5` is received, `tell!5` sent, `work?fn:1` is a fault; `_` is any value, and a message without parts has none.
//! A run ends with `end`, with `raises NAME`, or with `stops` if nothing more happens and the process has not ended.
//! All runs with these inputs are listed, and every run of the process has inputs of some line, unless `more` says that
//! there are others.
//! `never` begins no run.
//! A block `ours` has the runs of a process for which we differ from the standard; it may not be there without need.
//! `named CODE` is a finding that says what is not followed, `rejected CODE` one that refuses the process.

/// The documents.
pub(crate) const FILES: [(&str, &str); 8] = [
    ("data", include_str!("rows/data.md")),
    ("communication", include_str!("rows/communication.md")),
    ("structure", include_str!("rows/structure.md")),
    ("scopes", include_str!("rows/scopes.md")),
    ("faults", include_str!("rows/faults.md")),
    ("older", include_str!("rows/older.md")),
    ("together", include_str!("rows/together.md")),
    ("hostile", include_str!("rows/hostile.md")),
];

pub(crate) struct Row {
    /// The document.
    pub(crate) file: &'static str,
    pub(crate) name: String,
    pub(crate) section: String,
    pub(crate) reason: String,
    /// The process as it is written.
    pub(crate) process: String,
    pub(crate) runs: Vec<Vec<Seen>>,
    /// Where we differ.
    pub(crate) ours: Vec<Vec<Seen>>,
    pub(crate) never: Vec<Vec<Seen>>,
    pub(crate) named: Vec<String>,
    pub(crate) rejected: Vec<String>,
    /// There are runs with other inputs.
    pub(crate) has_more: bool,
}

/// An event of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Seen {
    Message(Message),
    Tick,
    End,
    Stops,
    Raises(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    /// Whether the process sends it.
    pub(crate) is_sent: bool,
    pub(crate) operation: String,
    pub(crate) fault: Option<String>,
    /// Its value as it is printed; empty if it has none.
    pub(crate) value: String,
}

/// All rows, document by document.
pub(crate) fn rows() -> Vec<Row> {
    FILES
        .into_iter()
        .flat_map(|(file, text)| rows_of(file, text))
        .collect()
}

fn rows_of(file: &'static str, text: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut block: Option<&str> = None;
    for line in text.lines() {
        if let Some(head) = line.strip_prefix("## ") {
            let (name, section) = head.split_once(" (").expect("`## name (section)`");
            rows.push(Row {
                file,
                name: name.to_owned(),
                section: section.trim_end_matches(')').to_owned(),
                reason: String::new(),
                process: String::new(),
                runs: Vec::new(),
                ours: Vec::new(),
                never: Vec::new(),
                named: Vec::new(),
                rejected: Vec::new(),
                has_more: false,
            });
            continue;
        }
        let Some(row) = rows.last_mut() else { continue };
        match (block, line.strip_prefix("```")) {
            (Some(_), Some("")) => block = None,
            (None, Some(kind)) => block = Some(kind),
            (None, None) => row.reason.push_str(line),
            (Some("bpel"), _) => row.process.push_str(&format!("{line}\n")),
            (Some("runs"), _) => row.expect(line),
            (Some("ours"), _) => row.ours.push(run_of(line)),
            (Some(other), _) => panic!("{}: a block of `{other}`", row.name),
        }
    }
    rows
}

impl Row {
    fn expect(&mut self, line: &str) {
        match line.split_once(' ') {
            _ if line == "more" => self.has_more = true,
            Some(("named", code)) => self.named.push(code.to_owned()),
            Some(("rejected", code)) => self.rejected.push(code.to_owned()),
            Some(("never", run)) => self.never.push(run_of(run)),
            _ => self.runs.push(run_of(line)),
        }
    }
}

fn run_of(text: &str) -> Vec<Seen> {
    let mut words = text.split(' ');
    let mut run = Vec::new();
    while let Some(word) = words.next() {
        run.push(match word {
            "tick" => Seen::Tick,
            "end" => Seen::End,
            "stops" => Seen::Stops,
            "raises" => Seen::Raises(words.next().expect("a fault").to_owned()),
            _ => Seen::Message(Message::of(word)),
        });
    }
    run
}

impl Message {
    fn of(word: &str) -> Message {
        let at = word.find(['?', '!']).expect("`operation?value`");
        let (operation, rest) = word.split_at(at);
        let (fault, value) = match rest[1..].split_once(':') {
            Some((fault, value)) if !fault.starts_with('"') => (Some(fault), value),
            _ => (None, &rest[1..]),
        };
        Message {
            is_sent: rest.starts_with('!'),
            operation: operation.to_owned(),
            fault: fault.map(str::to_owned),
            value: value.to_owned(),
        }
    }

    /// Whether it is this message, whatever it carries.
    pub(crate) fn is_like(&self, other: &Message) -> bool {
        (self.is_sent, &self.operation, &self.fault)
            == (other.is_sent, &other.operation, &other.fault)
    }
}

/// What a run receives.
pub(crate) fn received(run: &[Seen]) -> Vec<&Message> {
    let messages = run.iter().filter_map(|seen| match seen {
        Seen::Message(message) => Some(message),
        _ => None,
    });
    messages.filter(|message| !message.is_sent).collect()
}

/// A run as it is written.
pub(crate) fn text(run: &[Seen]) -> String {
    let words = run.iter().map(|seen| match seen {
        Seen::Tick => "tick".to_owned(),
        Seen::End => "end".to_owned(),
        Seen::Stops => "stops".to_owned(),
        Seen::Raises(fault) => format!("raises {fault}"),
        Seen::Message(message) => {
            let mark = if message.is_sent { '!' } else { '?' };
            let fault = message.fault.as_ref().map(|it| format!("{it}:"));
            let fault = fault.unwrap_or_default();
            format!("{}{mark}{fault}{}", message.operation, message.value)
        }
    });
    words.collect::<Vec<_>>().join(" ")
}
