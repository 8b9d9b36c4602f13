//! A binding as people write it.

use choros_model::observation::Datum;

use crate::toml_text::{comment, key, one_or_list, quoted, texts};
use crate::{
    Binding, FieldValues, Fields, LogRules, MessageBinding, PartSource, Place, RoleBinding,
};

impl Binding {
    /// As TOML; reading it gives the same binding again. `head` is a comment at the top, line by line.
    pub fn to_toml(&self, head: &[String]) -> String {
        let mut text = String::new();
        for line in head {
            text.push_str(format!("# {}", comment(line)).trim_end());
            text.push('\n');
        }
        text.push_str("schema = 1\n");
        if self.draft {
            text.push_str("draft = true\n");
        }
        if let Some(model) = &self.model {
            line(
                &mut text,
                "model",
                &quoted(model),
                "names are checked against it",
            );
        }
        for (name, places, words) in [
            (
                "session",
                &self.session,
                "which conversation: the first place that has a value",
            ),
            ("id", &self.id, "ties the two ends of a message together"),
            ("op", &self.op, "what the message is called"),
        ] {
            if !places.is_empty() {
                line(
                    &mut text,
                    name,
                    &texts(places.iter().map(Place::to_string)),
                    words,
                );
            }
        }
        if self.others_by_name {
            let value = quoted(crate::OTHERS[1]);
            let words = "a record that no message fits is what it calls itself";
            line(&mut text, "others", &value, words);
        }
        for role in &self.roles {
            print_role(&mut text, role);
        }
        for message in &self.messages {
            print_message(&mut text, message);
        }
        for ignored in &self.ignored {
            text.push_str(&format!("\n[ignore.{}]\n", key(&ignored.name)));
            print_recognition(&mut text, ignored);
        }
        print_values(&mut text, "values", &self.values);
        if self.hide != crate::Hiding::default() {
            text.push_str("\n[hide]\n");
            if !self.hide.secret.is_empty() {
                let rules = texts(self.hide.secret.iter().cloned());
                line(&mut text, "secret", &rules, "never shown");
            }
            if !self.hide.noise.is_empty() {
                let places = texts(self.hide.noise.iter().map(Place::to_string));
                line(&mut text, "noise", &places, "never data");
            }
            if self.hide.keep_known_secrets {
                text.push_str("keep-known-secrets = true\n");
            }
        }
        for rules in &self.logs {
            print_log(&mut text, rules);
        }
        text
    }
}

fn line(text: &mut String, key: &str, value: &str, words: &str) {
    let start = format!("{key} = {value}");
    text.push_str(&format!("{start:<46}  # {words}\n"));
}

fn plain(text: &mut String, key: &str, value: &str) {
    text.push_str(&format!("{key} = {value}\n"));
}

fn value(datum: &Datum<'_>) -> String {
    match datum {
        Datum::Bool(truth) => truth.to_string(),
        Datum::Number(number) => {
            let text = number.to_string();
            if number.to_i64().is_some() || text.contains('.') {
                text
            } else if text.parse().is_ok_and(f64::is_finite) {
                // Whole numbers of TOML have 64 bits; others are read digit by digit, within the range of floats.
                format!("{text}.0")
            } else {
                quoted(&text)
            }
        }
        other => quoted(&other.key()),
    }
}

fn print_role(text: &mut String, role: &RoleBinding) {
    text.push_str(&format!("\n[roles.{}]\n", key(&role.name)));
    if let Some(address) = &role.address {
        line(text, "address", &quoted(address), "where the service is");
    }
    if let Some(listen) = &role.listen {
        let words = "where Choros listens when it plays this role";
        line(text, "listen", &quoted(listen), words);
    }
    if !role.names.is_empty() {
        let names = texts(role.names.iter().map(|it| it.text().to_owned()));
        line(text, "names", &names, "what logs call it");
    }
    if !role.headers.is_empty() {
        let headers = role.headers.iter();
        let headers = headers.map(|(name, text)| format!("{} = {}", key(name), quoted(text)));
        let headers: Vec<String> = headers.collect();
        let value = format!("{{ {} }}", headers.join(", "));
        line(text, "headers", &value, "of every request to it");
    }
}

fn print_message(text: &mut String, message: &MessageBinding) {
    let own = format!("messages.{}", key(&message.name));
    text.push_str(&format!("\n[{own}]\n"));
    print_recognition(text, message);
    for (name, role) in [("from", &message.from), ("to", &message.to)] {
        if let Some(role) = role {
            plain(text, name, &quoted(role));
        }
    }
    if let Some(dir) = message.dir {
        plain(text, "dir", &quoted(dir.name()));
    }
    match &message.fields {
        Fields::Listed(places) => {
            let places: Vec<String> = places.iter().map(|it| quoted(&it.to_string())).collect();
            plain(text, "fields", &format!("[{}]", places.join(", ")));
        }
        Fields::Named(named) if named.is_empty() => {}
        Fields::Named(named) => {
            text.push_str(&format!("\n[{own}.fields]\n"));
            for (name, places) in named {
                let places = texts(places.iter().map(ToString::to_string));
                plain(text, &key(name), &places);
            }
        }
    }
    print_values(text, &format!("{own}.values"), &message.values);
}

/// By what a message is recognized.
fn print_recognition(text: &mut String, message: &MessageBinding) {
    if !message.names.is_empty() {
        let names = texts(message.names.iter().map(|it| it.text().to_owned()));
        plain(text, "names", &names);
    }
    if message.request.is_some() {
        plain(
            text,
            "request",
            &texts(message.requests().map(ToString::to_string)),
        );
    }
    if message.is_response() {
        let named = message.response.iter().cloned();
        let calls = named.chain(message.answers.iter().map(ToString::to_string));
        plain(text, "response", &texts(calls));
    }
    let statuses = message.status.iter().map(|it| {
        let text = it.to_string();
        if text.parse::<u16>().is_ok() {
            text
        } else {
            quoted(&text)
        }
    });
    let statuses: Vec<String> = statuses.collect();
    if !statuses.is_empty() {
        plain(text, "status", &one_or_list(&statuses));
    }
    if let Some(topic) = &message.topic {
        plain(text, "topic", &quoted(topic.text()));
    }
    if !message.when.is_empty() {
        let when = message.when.iter();
        let when =
            when.map(|(place, it)| format!("{} = {}", quoted(&place.to_string()), value(it)));
        let when: Vec<String> = when.collect();
        plain(text, "when", &format!("{{ {} }}", when.join(", ")));
    }
}

fn print_values(text: &mut String, table: &str, values: &[(String, FieldValues)]) {
    for (field, values) in values {
        text.push_str(&format!("\n[{table}.{}]\n", key(field)));
        if let Some(format) = values.format {
            plain(text, "format", &quoted(format.name()));
        }
        if !values.examples.is_empty() {
            let examples: Vec<String> = values.examples.iter().map(value).collect();
            plain(text, "examples", &format!("[{}]", examples.join(", ")));
        }
    }
}

fn print_log(text: &mut String, rules: &LogRules) {
    text.push_str("\n[[logs]]\n");
    if !rules.files.is_empty() {
        let files = texts(rules.files.iter().map(|it| it.text().to_owned()));
        line(text, "files", &files, "which logs");
    }
    if let Some(form) = &rules.form {
        plain(text, "form", &quoted(form));
    }
    for (part, sources) in &rules.parts {
        let sources = sources.iter().map(|source| match source {
            PartSource::Path(path) => quoted(path),
            PartSource::Value(fixed) => format!("{{ value = {} }}", quoted(fixed)),
        });
        let sources: Vec<String> = sources.collect();
        plain(text, part.name(), &one_or_list(&sources));
    }
    if let Some(time) = &rules.time {
        plain(text, "time", &quoted(time));
    }
    for (name, sends) in [("send", true), ("recv", false)] {
        let words = rules.directions.iter().filter(|(_, it)| *it == sends);
        let words: Vec<String> = words.map(|(word, _)| word.clone()).collect();
        if !words.is_empty() {
            plain(text, name, &texts(words.into_iter()));
        }
    }
    if let Some(element) = &rules.element {
        plain(text, "element", &quoted(element));
    }
    if !rules.open.is_empty() {
        let open = rules.open.iter();
        let open =
            open.map(|(at, how)| format!("{} = {}", quoted(&at.to_string()), quoted(how.name())));
        let open: Vec<String> = open.collect();
        plain(text, "open", &format!("{{ {} }}", open.join(", ")));
    }
    if let Some(fields) = &rules.fields {
        plain(text, "fields", &quoted(fields));
    }
    if let Some(lossy) = rules.lossy {
        plain(text, "lossy", &lossy.to_string());
    }
}
