//! Observations as lines of a log: the three forms that services' logs are kept in.

use choros_syntax::quote::xml_attribute;
use std::fmt::Write;

use choros_model::observation::{Datum, Number, Observation};
use choros_model::stg::Direction;
use jiff::Timestamp;

use crate::log::LogFormat;

/// An observation, and whether its body is not there or could not be read.
pub(super) struct Line<'o> {
    pub(super) observation: &'o Observation<'o>,
    /// A part of its body was not kept.
    pub(super) truncated: bool,
    /// Why its body could not be read, where it could not.
    pub(super) unread: Option<&'o str>,
}

impl Line<'_> {
    /// The text in a form, line ends included; only JSON Lines, Prop-tester's XML and PACT's log are written.
    pub(super) fn text(&self, format: LogFormat) -> String {
        match format {
            LogFormat::Xml => self.xml(),
            LogFormat::Pact => self.pact(),
            _ => self.json(),
        }
    }

    fn json(&self) -> String {
        let seen = self.observation;
        let mut out = String::from("{");
        if let Some(at) = &seen.at {
            let _ = write!(out, "\"at\":{at},");
        }
        let dir = match seen.direction {
            Direction::Receive => "recv",
            Direction::Send | Direction::Interaction => "send",
        };
        let _ = write!(
            out,
            "\"by\":{},\"dir\":\"{dir}\",\"from\":{},\"to\":{},\"op\":{}",
            quoted(&seen.by),
            quoted(&seen.from),
            quoted(&seen.to),
            quoted(&seen.operation)
        );
        if seen.is_fault {
            out.push_str(",\"fault\":true");
        }
        if let Some(id) = &seen.id {
            let _ = write!(out, ",\"id\":{}", quoted(id));
        }
        if let Some(session) = &seen.session {
            let _ = write!(out, ",\"session\":{}", quoted(session));
        }
        if self.truncated {
            out.push_str(",\"truncated\":true");
        }
        if let Some(reason) = self.unread {
            let _ = write!(out, ",\"unread\":{}", quoted(reason));
        }
        if !seen.data.is_empty() {
            out.push_str(",\"data\":");
            let mut root = Branch::default();
            for (path, value) in &seen.data {
                root.put(path, json_value(value));
            }
            root.write(&mut out);
        }
        out.push_str("}\n");
        out
    }

    fn xml(&self) -> String {
        let seen = self.observation;
        let direction = match seen.direction {
            Direction::Receive => "reception",
            Direction::Send | Direction::Interaction => "sending",
        };
        let mut out = format!(
            "<message source=\"{}\" destination=\"{}\" direction=\"{direction}\" name=\"{}\"",
            xml_attribute(&seen.from),
            xml_attribute(&seen.to),
            xml_attribute(&seen.operation)
        );
        if let Some(at) = &seen.at {
            let _ = write!(out, " tstamp=\"{at}\"");
        }
        if seen.is_fault {
            out.push_str(" fault=\"true\"");
        }
        for (name, value) in [("id", &seen.id), ("session", &seen.session)] {
            if let Some(value) = value {
                let _ = write!(out, " {name}=\"{}\"", xml_attribute(value));
            }
        }
        if self.truncated {
            out.push_str(" truncated=\"true\"");
        }
        if let Some(reason) = self.unread {
            let _ = write!(out, " unread=\"{}\"", xml_attribute(reason));
        }
        out.push('>');
        let mut root = Branch::default();
        for (path, value) in &seen.data {
            root.put(path, xml_attribute(&value.key()));
        }
        root.write_elements(&mut out);
        out.push_str("</message>\n");
        out
    }

    /// Two lines of PACT's log, which has no data.
    fn pact(&self) -> String {
        let seen = self.observation;
        let at = seen
            .at
            .as_ref()
            .and_then(Number::to_i64)
            .unwrap_or_default();
        let id = seen.id.as_deref().unwrap_or_default();
        match seen.direction {
            Direction::Receive => format!(
                "{}\nRECEIVE | {} | {id} | {}\n",
                day_first(at),
                seen.from,
                seen.operation
            ),
            Direction::Send | Direction::Interaction => format!(
                "{} ({id})\nSEND | {} | | {}\n",
                day_first(at),
                seen.to,
                seen.operation
            ),
        }
    }
}

/// Fields put back into the objects and lists that their paths come from.
#[derive(Default)]
struct Branch {
    children: Vec<(String, Node)>,
}

enum Node {
    Leaf(String),
    Branch(Branch),
}

impl Branch {
    fn put(&mut self, path: &str, value: String) {
        let mut branch = self;
        let mut rest = path;
        while let Some((label, below)) = rest.split_once('.') {
            let known = branch
                .children
                .iter()
                .rposition(|(name, node)| name == label && matches!(node, Node::Branch(_)));
            let position = known.unwrap_or_else(|| {
                let empty = Node::Branch(Branch::default());
                branch.children.push((label.to_owned(), empty));
                branch.children.len() - 1
            });
            let Node::Branch(next) = &mut branch.children[position].1 else {
                return;
            };
            (branch, rest) = (next, below);
        }
        branch.children.push((rest.to_owned(), Node::Leaf(value)));
    }

    /// Whether the labels are the positions of a list.
    fn is_list(&self) -> bool {
        !self.children.is_empty()
            && self
                .children
                .iter()
                .enumerate()
                .all(|(position, (label, _))| *label == position.to_string())
    }

    fn write(&self, out: &mut String) {
        let list = self.is_list();
        out.push(if list { '[' } else { '{' });
        for (position, (label, node)) in self.children.iter().enumerate() {
            if position > 0 {
                out.push(',');
            }
            if !list {
                let _ = write!(out, "{}:", quoted(label));
            }
            match node {
                Node::Leaf(text) => out.push_str(text),
                Node::Branch(branch) => branch.write(out),
            }
        }
        out.push(if list { ']' } else { '}' });
    }

    fn write_elements(&self, out: &mut String) {
        for (label, node) in &self.children {
            let name = element_name(label);
            let _ = write!(out, "<{name}>");
            match node {
                Node::Leaf(text) => out.push_str(text),
                Node::Branch(branch) => branch.write_elements(out),
            }
            let _ = write!(out, "</{name}>");
        }
    }
}

fn json_value(value: &Datum<'_>) -> String {
    match value {
        Datum::Null => "null".to_owned(),
        Datum::Bool(value) => value.to_string(),
        Datum::Number(number) => number.to_string(),
        Datum::Text(text) => quoted(text),
        // A body without types, such as XML, says `3` where JSON would say 3.
        // `007` and `+1` are numbers to some and texts to others; JSON has neither.
        Datum::Untyped(text) if Number::is_json(text.trim()) => text.trim().to_owned(),
        Datum::Untyped(text) => quoted(text),
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A label as the name of an element: positions of lists become `item`, other signs `_`.
fn element_name(label: &str) -> String {
    let label = label.trim_start_matches('@');
    if !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_digit()) {
        return "item".to_owned();
    }
    let fits = |character: char| character.is_alphanumeric() || "_-".contains(character);
    let name: String = label
        .chars()
        .map(|character| if fits(character) { character } else { '_' })
        .collect();
    match name.chars().next() {
        Some(first) if first.is_alphabetic() || first == '_' => name,
        _ => format!("_{name}"),
    }
}

/// `dd/MM/yyyy HH:mm:ss.SSS` of milliseconds since 1970, in UTC.
fn day_first(milliseconds: i64) -> String {
    let at = Timestamp::from_millisecond(milliseconds).unwrap_or_default();
    at.strftime("%d/%m/%Y %H:%M:%S%.3f").to_string()
}

#[cfg(test)]
mod tests {
    use super::{Line, day_first};
    use crate::log::LogFormat;
    use choros_model::observation::{Datum, Number, Observation};
    use choros_model::stg::Direction;

    fn seen() -> Observation<'static> {
        let number = |text| Datum::Number(Number::parse(text).unwrap());
        let mut seen = Observation::new("Request", "c", "s", Direction::Receive)
            .with("weight", number("4.96"))
            .with("items.0.name", Datum::Text("a \"b\" <c>".into()))
            .with("items.1.name", Datum::Null)
            .with("code", Datum::Untyped("007".into()));
        seen.at = Some(Number::from(1_377_782_250_128));
        seen.id = Some("m17".into());
        seen
    }

    #[test]
    fn objects_and_lists_come_back_in_json() {
        let line = Line {
            observation: &seen(),
            truncated: true,
            unread: Some("damaged gzip"),
        };
        assert_eq!(
            line.text(LogFormat::JsonLines),
            "{\"at\":1377782250128,\"by\":\"s\",\"dir\":\"recv\",\"from\":\"c\",\"to\":\"s\",\"op\":\"Request\",\
             \"id\":\"m17\",\"truncated\":true,\"unread\":\"damaged gzip\",\"data\":{\"weight\":4.96,\"items\":[{\"name\":\"a \\\"b\\\" <c>\"},\
             {\"name\":null}],\"code\":\"007\"}}\n"
        );
    }

    #[test]
    fn xml_and_pact_as_their_tools_wrote_them() {
        let line = Line {
            observation: &seen(),
            truncated: false,
            unread: None,
        };
        assert_eq!(
            line.text(LogFormat::Xml),
            "<message source=\"c\" destination=\"s\" direction=\"reception\" name=\"Request\" \
             tstamp=\"1377782250128\" id=\"m17\"><weight>4.96</weight><items><item><name>a &quot;b&quot; \
             &lt;c&gt;</name></item><item><name>null</name></item></items><code>007</code></message>\n"
        );
        assert_eq!(
            line.text(LogFormat::Pact),
            "29/08/2013 13:17:30.128\nRECEIVE | c | m17 | Request\n"
        );
    }

    #[test]
    fn days_of_the_calendar() {
        assert_eq!(day_first(0), "01/01/1970 00:00:00.000");
        assert_eq!(day_first(951_868_799_500), "29/02/2000 23:59:59.500");
        assert_eq!(day_first(-1), "31/12/1969 23:59:59.999");
    }
}
