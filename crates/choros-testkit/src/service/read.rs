//! Reading a pretended service.

use std::time::Duration;

use super::fields::is_field;
use super::{Action, Condition, Relation, Rule, Service};
use crate::recipe::Recipe;

impl Service {
    /// Reads the lines of a block; an error names the line, from 0.
    pub(crate) fn read(lines: &[&str]) -> Result<Service, (usize, String)> {
        let mut service = Service {
            partners: Vec::new(),
            rules: Vec::new(),
        };
        let mut index = 0;
        while index < lines.len() {
            let line = lines[index].trim_end();
            let at = index;
            index += 1;
            let is_deep = |line: &&&str| line.starts_with("    ") || line.trim().is_empty();
            let text = line.trim_start();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            if text.len() == line.len() {
                service.top(text).map_err(|message| (at, message))?;
                continue;
            }
            let below = lines[index..].iter().take_while(is_deep).count();
            let block: Vec<&str> = lines[index..index + below]
                .iter()
                .map(|line| line.get(4..).unwrap_or_default())
                .collect();
            index += below;
            let action =
                action(text, &block, &service.partners).map_err(|message| (at, message))?;
            let turn = service
                .rules
                .last_mut()
                .filter(|rule| !rule.is_cyclic)
                .and_then(|rule| rule.turns.last_mut())
                .ok_or_else(|| (at, "this belongs to no rule".to_owned()))?;
            turn.push(action);
        }
        let is_empty = |rule: &Rule| rule.turns.iter().any(Vec::is_empty);
        if service.rules.iter().any(is_empty) {
            return Err((0, "a turn has nothing to do".to_owned()));
        }
        Ok(service)
    }

    fn top(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, rest.trim(), self.rules.last_mut()) {
            ("partner", name, _) if is_variable(name) => self.partners.push(name.to_owned()),
            ("partner", name, _) => return Err(format!("`{name}` is not a name such as `BANK`")),
            ("on", rest, _) => self.rules.push(rule(rest)?),
            ("next", "", Some(rule)) if !rule.is_cyclic => rule.turns.push(Vec::new()),
            ("again", "", Some(rule)) => rule.is_cyclic = true,
            _ => {
                return Err(format!(
                    "`{line}` means nothing here: expected `partner`, `on`, `next` or `again`"
                ));
            }
        }
        Ok(())
    }
}

/// What stands for an address in a command: `$BANK`.
pub(crate) fn is_variable(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && name
            .chars()
            .all(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || it == '_')
}

fn rule(text: &str) -> Result<Rule, String> {
    let mut rule = Rule {
        path: None,
        element: None,
        condition: None,
        turns: vec![Vec::new()],
        is_cyclic: false,
    };
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        let element = word.strip_prefix('<').and_then(|it| it.strip_suffix('>'));
        match element {
            Some(name) if rule.element.is_none() => rule.element = Some(name.to_owned()),
            None if word.starts_with('/') && rule.path.is_none() => {
                rule.path = Some(word.to_owned());
            }
            None if word == "where" => {
                let rest: Vec<&str> = words.collect();
                rule.condition = Some(condition(&rest)?);
                return Ok(rule);
            }
            _ => return Err(format!("`{word}`: expected a path, `<element>` or `where`")),
        }
    }
    if rule.path.is_none() && rule.element.is_none() {
        return Err("expected a path or an `<element>`".to_owned());
    }
    Ok(rule)
}

fn condition(words: &[&str]) -> Result<Condition, String> {
    let [field, sign, value] = words else {
        return Err("expected `where FIELD = VALUE`".to_owned());
    };
    let relation = match *sign {
        "=" => Relation::Equal,
        "!=" => Relation::Unequal,
        "<" => Relation::Less,
        ">" => Relation::Greater,
        _ => return Err(format!("`{sign}`: expected `=`, `!=`, `<` or `>`")),
    };
    if !is_field(field) {
        return Err(format!("`{field}` is not a name of a field"));
    }
    let is_order = matches!(relation, Relation::Less | Relation::Greater);
    if is_order && value.parse::<i64>().is_err() {
        return Err(format!("`{value}` is not a number"));
    }
    Ok(Condition {
        field: (*field).to_owned(),
        relation,
        value: (*value).to_owned(),
    })
}

fn action(text: &str, block: &[&str], partners: &[String]) -> Result<Action, String> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let rest = rest.trim();
    let has_block = block.iter().any(|line| !line.trim().is_empty());
    if has_block && !matches!(word, "answer" | "call" | "raw") {
        return Err(format!("`{word}` has no text below it"));
    }
    match (word, rest) {
        ("answer", _) => answer(rest, block),
        ("call", _) => call(rest, block, partners),
        ("wait", _) => milliseconds(rest).map(Action::Wait),
        ("trickle", _) => milliseconds(rest).map(Action::Trickle),
        ("raw", _) => {
            let lines: Vec<&str> = std::iter::once(rest).chain(block.iter().copied()).collect();
            let recipe = Recipe::read(&lines).map_err(|(_, message)| message)?;
            Ok(Action::Raw(recipe))
        }
        ("hang", "") => Ok(Action::Hang),
        ("close", "") => Ok(Action::Close),
        ("reset", "") => Ok(Action::Reset),
        ("forget", "") => Ok(Action::Forget),
        _ => Err(format!(
            "`{text}` means nothing: expected `answer`, `call`, `wait`, `trickle`, `raw`, `hang`, `close`, `reset` or `forget`"
        )),
    }
}

fn milliseconds(text: &str) -> Result<Duration, String> {
    let number = text.strip_suffix("ms").unwrap_or(text).trim();
    number
        .parse()
        .map(Duration::from_millis)
        .map_err(|_| format!("`{text}` is not a number of milliseconds"))
}

/// `[STATUS] [TYPE] [BODY]`, the body perhaps below.
fn answer(text: &str, block: &[&str]) -> Result<Action, String> {
    let (status, rest) = match first_word(text) {
        (word, rest) if word.len() == 3 && word.chars().all(|it| it.is_ascii_digit()) => {
            let status = word
                .parse()
                .map_err(|_| format!("`{word}` is not a status"))?;
            (status, rest)
        }
        _ => (200, text),
    };
    let (content_type, body) = content(rest, block);
    Ok(Action::Answer {
        status,
        content_type,
        body,
    })
}

/// `PARTNER PATH [TYPE] [BODY]`.
fn call(text: &str, block: &[&str], partners: &[String]) -> Result<Action, String> {
    let (partner, rest) = first_word(text);
    if !partners.iter().any(|known| known == partner) {
        return Err(format!(
            "`{partner}` is not a partner: say `partner {partner}` before"
        ));
    }
    let (path, rest) = first_word(rest);
    if !path.starts_with('/') {
        return Err(format!("`{path}` is not a path"));
    }
    let (content_type, body) = content(rest, block);
    Ok(Action::Call {
        partner: partner.to_owned(),
        path: path.to_owned(),
        content_type: content_type.unwrap_or_else(|| "application/json".to_owned()),
        body,
    })
}

/// Type and body; a type that is not said is what the body looks like.
fn content(text: &str, block: &[&str]) -> (Option<String>, String) {
    let (word, rest) = first_word(text);
    let is_type = word.contains('/') && !word.starts_with(['<', '{', '[', '"']);
    let soap = matches!(word, "soap11" | "soap12");
    let inline = if is_type || soap { rest } else { text };
    let body = std::iter::once(inline)
        .chain(block.iter().copied())
        .collect::<Vec<_>>()
        .join("\n")
        .trim()
        .to_owned();
    match word {
        "soap11" => (
            Some("text/xml; charset=utf-8".to_owned()),
            envelope("http://schemas.xmlsoap.org/soap/envelope/", &body),
        ),
        "soap12" => (
            Some("application/soap+xml; charset=utf-8".to_owned()),
            envelope("http://www.w3.org/2003/05/soap-envelope", &body),
        ),
        _ if is_type => (Some(word.to_owned()), body),
        _ if body.is_empty() => (None, body),
        _ if body.starts_with('<') => (Some("text/xml; charset=utf-8".to_owned()), body),
        _ => (Some("application/json".to_owned()), body),
    }
}

/// The body as that of a SOAP envelope, whose prefix is `soap`.
fn envelope(namespace: &str, body: &str) -> String {
    format!(
        "<soap:Envelope xmlns:soap=\"{namespace}\"><soap:Body>{body}</soap:Body></soap:Envelope>"
    )
}

fn first_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    (word, rest.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Service, (usize, String)> {
        Service::read(&text.lines().collect::<Vec<_>>())
    }

    #[test]
    fn rules_turns_and_actions() {
        let service = read(
            "partner BANK\n\non /ask <a> where value > 10\n  answer 201 text/plain a\n    b\n  wait 300 ms\n  \
             call BANK /alarm {\"value\": {value}}\nnext\n  hang\nagain\non /b\n  answer\n",
        )
        .expect("a service");
        assert_eq!(service.partners, ["BANK"]);
        let [ask, other] = &service.rules[..] else {
            panic!("{service:?}");
        };
        assert!(ask.is_cyclic && !other.is_cyclic);
        assert_eq!(ask.element.as_deref(), Some("a"));
        assert_eq!(
            ask.condition,
            Some(Condition {
                field: "value".to_owned(),
                relation: Relation::Greater,
                value: "10".to_owned()
            })
        );
        assert_eq!(ask.turns.len(), 2);
        assert_eq!(
            ask.turns[0][..2],
            [
                Action::Answer {
                    status: 201,
                    content_type: Some("text/plain".to_owned()),
                    body: "a\nb".to_owned()
                },
                Action::Wait(Duration::from_millis(300))
            ]
        );
        assert_eq!(ask.turns[1], [Action::Hang]);
        assert_eq!(
            other.turns[0],
            [Action::Answer {
                status: 200,
                content_type: None,
                body: String::new()
            }]
        );
    }

    #[test]
    fn a_body_says_its_type() {
        for (text, expected) in [
            ("on /\n  answer {\"a/b\": 1}", "application/json"),
            ("on /\n  answer <a/>", "text/xml; charset=utf-8"),
            (
                "on /\n  answer soap12 <a/>",
                "application/soap+xml; charset=utf-8",
            ),
            ("on /\n  answer soap11\n    <a/>", "text/xml; charset=utf-8"),
        ] {
            let service = read(text).expect(text);
            let [Action::Answer { content_type, .. }] = &service.rules[0].turns[0][..] else {
                panic!("{text}");
            };
            assert_eq!(content_type.as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn mistakes_have_their_line() {
        for (text, line, message) in [
            ("  answer", 0, "belongs to no rule"),
            ("on /a\n  shout", 1, "`shout` means nothing"),
            ("on", 0, "expected a path"),
            ("on /a where x ~ 3", 0, "expected `=`"),
            ("on /a where x < y", 0, "`y` is not a number"),
            ("on /a\n  wait long", 1, "not a number of milliseconds"),
            ("on /a\n  call BANK /b {}", 1, "`BANK` is not a partner"),
            ("partner bank", 0, "not a name such as"),
            ("on /a\n  raw x", 1, "not in quotes"),
            ("on /a\n  hang\nagain\n  hang", 3, "belongs to no rule"),
            ("on /a\n  hang\n    x", 1, "has no text below it"),
            ("on /a", 0, "nothing to do"),
            ("nonsense", 0, "means nothing here"),
        ] {
            let (at, said) = read(text).expect_err(text);
            assert_eq!(at, line, "{text}");
            assert!(said.contains(message), "{text}: {said}");
        }
    }
}
