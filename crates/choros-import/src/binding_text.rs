//! The binding as a `.bind.toml` file.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use choros_syntax::quote;

use crate::message::{Field, Message};
use crate::names;
use crate::operation::Operation;
use crate::service::Service;

/// The statuses that services use, for `default` and classes that leave some out.
const STATUSES: &[u16] = &[
    200, 201, 202, 203, 204, 206, 300, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405,
    406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 421, 422, 423, 424, 425, 426,
    428, 429, 431, 451, 500, 501, 502, 503, 504, 505, 506, 507, 508, 511,
];

/// Writes the binding of these services.
pub(crate) fn write(model: &str, client: &str, services: &[Service]) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "# How the messages of {model} look outside.");
    let _ = writeln!(out, "schema = 1\nmodel = {}", quote::json(model));
    for service in services {
        role(&mut out, service);
    }
    let calls_back = |it: &Service| {
        !it.webhooks.is_empty() || it.operations.iter().any(|it| !it.callbacks.is_empty())
    };
    if services.iter().any(calls_back) {
        let _ = writeln!(out, "\n[roles.{client}]\nlisten = \"127.0.0.1:0\"");
    }
    let common = common_values(services);
    for service in services {
        for operation in &service.operations {
            exchange(&mut out, operation, &common);
            for callback in &operation.callbacks {
                exchange(&mut out, callback, &common);
            }
        }
        for webhook in &service.webhooks {
            exchange(&mut out, webhook, &common);
        }
    }
    for (label, values) in &common {
        if let Some(values) = values.as_ref().filter(|it| !it.is_empty()) {
            let _ = write!(out, "\n[values.{label}]\n{values}");
        }
    }
    out
}

fn role(out: &mut String, service: &Service) {
    let _ = writeln!(out, "\n[roles.{}]", service.role);
    if let Some(address) = &service.address {
        let host = address.split("://").nth(1).unwrap_or_default();
        let is_local =
            host.starts_with("localhost") || host.starts_with("127.") || host.starts_with("[::1]");
        if is_local {
            let _ = writeln!(out, "address = {}", quote::json(address));
        } else {
            // `drive` sends requests: importing a description does not ask to call the service in production.
            let _ = writeln!(
                out,
                "# address = {}   # of the description: `drive` would call it",
                quote::json(address)
            );
            let _ = writeln!(out, "names = [{}]", quote::json(host));
        }
    }
    if !service.headers.is_empty() {
        let headers = service
            .headers
            .iter()
            .map(|(name, text)| format!("{name} = {}", quote::json(text)));
        let headers: Vec<String> = headers.collect();
        let _ = writeln!(out, "headers = {{ {} }}", headers.join(", "));
    }
}

fn exchange(out: &mut String, operation: &Operation, common: &CommonValues) {
    let request = &operation.request;
    let target = format!("{} {}", operation.method, operation.path);
    let _ = writeln!(
        out,
        "\n[messages.{}]\nrequest = {}",
        request.name,
        quote::json(&target)
    );
    details(out, request, common);
    let taken: Vec<&str> = operation
        .answers
        .iter()
        .map(|it| it.status.as_str())
        .collect();
    for answer in &operation.answers {
        let message = &answer.message;
        let _ = writeln!(
            out,
            "\n[messages.{}]\nresponse = {}",
            message.name,
            quote::json(&request.name)
        );
        let _ = writeln!(out, "status = {}", status(&answer.status, &taken));
        details(out, message, common);
    }
}

/// Constants, places and values of a message.
fn details(out: &mut String, message: &Message, common: &CommonValues) {
    if !message.constants.is_empty() {
        let constants = message
            .constants
            .iter()
            .map(|(place, value)| format!("{} = {value}", quote::json(place)));
        let constants: Vec<String> = constants.collect();
        let _ = writeln!(out, "when = {{ {} }}", constants.join(", "));
    }
    let is_elsewhere = |it: &&Field| it.place != format!("body.{}", it.label);
    let placed: Vec<&Field> = message.fields.iter().filter(is_elsewhere).collect();
    if !placed.is_empty() {
        let _ = writeln!(out, "\n[messages.{}.fields]", message.name);
    }
    for field in placed {
        let _ = writeln!(out, "{} = {}", field.label, quote::json(&field.place));
    }
    for field in &message.fields {
        let own = values(field);
        if !own.is_empty() && common.get(&field.label) == Some(&None) {
            let _ = write!(
                out,
                "\n[messages.{}.values.{}]\n{own}",
                message.name, field.label
            );
        }
    }
}

/// The values of fields with a label: the same in all messages, or none.
type CommonValues = BTreeMap<String, Option<String>>;

fn common_values(services: &[Service]) -> CommonValues {
    let mut common = CommonValues::new();
    let mut add = |operation: &Operation| {
        let answers = operation.answers.iter().map(|it| &it.message);
        for field in std::iter::once(&operation.request)
            .chain(answers)
            .flat_map(|it| &it.fields)
        {
            if field.sort != "String" {
                continue;
            }
            let values = values(field);
            let known = common
                .entry(field.label.clone())
                .or_insert_with(|| Some(values.clone()));
            if known.as_ref() != Some(&values) {
                *known = None;
            }
        }
    };
    for service in services {
        for operation in &service.operations {
            add(operation);
            operation.callbacks.iter().for_each(&mut add);
        }
        service.webhooks.iter().for_each(&mut add);
    }
    common
}

fn values(field: &Field) -> String {
    let mut out = String::new();
    if let Some(format) = &field.format {
        let _ = writeln!(out, "format = {}", quote::json(format));
    }
    if !field.examples.is_empty() {
        let examples: Vec<String> = field.examples.iter().map(|it| quote::json(it)).collect();
        let _ = writeln!(out, "examples = [{}]", examples.join(", "));
    }
    out
}

/// A status, a class of them, or all that no other answer has.
fn status(written: &str, taken: &[&str]) -> String {
    if written.len() == 3 && written.bytes().all(|it| it.is_ascii_digit()) {
        return written.to_owned();
    }
    let class = written.get(..1).filter(|_| names::is_class(written));
    let is_taken = |status: u16| {
        let status = status.to_string();
        taken.iter().any(|it| {
            *it == status
                || class.is_none() && names::is_class(it) && it.get(..1) == status.get(..1)
        })
    };
    let fits = |status: u16| class.is_none_or(|it| status.to_string().starts_with(it));
    if let Some(class) = class
        && !STATUSES.iter().any(|it| fits(*it) && is_taken(*it))
    {
        return format!("\"{class}xx\"");
    }
    let left = STATUSES.iter().filter(|it| fits(**it) && !is_taken(**it));
    // What a good answer is, `default` says only if nothing else does.
    let has_good = taken.iter().any(|it| it.starts_with('2'));
    let left = left.filter(|it| !(class.is_none() && has_good && **it < 400));
    let left: Vec<String> = left.map(u16::to_string).collect();
    format!("[{}]", left.join(", "))
}

#[cfg(test)]
mod tests {
    use super::status;

    #[test]
    fn no_status_is_of_two_answers() {
        assert_eq!(status("201", &["201", "default"]), "201");
        assert_eq!(status("4XX", &["200", "4XX"]), "\"4xx\"");
        let others = status("4XX", &["200", "4XX", "404"]);
        assert!(
            others.contains("400") && !others.contains("404"),
            "{others}"
        );
        let default = status("default", &["200", "404", "5XX", "default"]);
        assert!(default.starts_with("[400, 401"), "{default}");
        assert!(
            !default.contains("404") && !default.contains("500"),
            "{default}"
        );
        assert!(status("default", &["default"]).starts_with("[200, 201"));
    }
}
