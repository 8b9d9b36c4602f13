//! Names of the language from names of descriptions.

use std::collections::BTreeSet;

/// Words that are not names where one is expected.
const RESERVED: &[&str] = &[
    "and",
    "or",
    "not",
    "in",
    "div",
    "mod",
    "if",
    "then",
    "else",
    "true",
    "false",
    "forall",
    "exists",
    "interrupt",
    "hiding",
    "new",
];

/// Names that were given, so that none is given twice.
#[derive(Debug, Default)]
pub(crate) struct GivenNames(BTreeSet<String>);

impl GivenNames {
    /// The name, with a number if it was given before.
    pub(crate) fn give(&mut self, name: &str) -> String {
        let mut free = name.to_owned();
        let mut count = 1;
        while !self.0.insert(free.clone()) {
            count += 1;
            free = format!("{name}_{count}");
        }
        free
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

/// Whether a text is a name as it is.
pub(crate) fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|it| it.is_ascii_alphabetic())
        && bytes.all(|it| it.is_ascii_alphanumeric() || it == b'_')
        && !RESERVED.contains(&text)
}

/// A name for a field, as close to the text as possible.
pub(crate) fn field_name(text: &str) -> String {
    let sign = |it: char| if it.is_ascii_alphanumeric() { it } else { '_' };
    let name: String = text.chars().map(sign).collect();
    let name = name.trim_matches('_');
    match name {
        "" => "field".to_owned(),
        name if is_name(name) => name.to_owned(),
        name if RESERVED.contains(&name) => format!("{name}_"),
        name => format!("field_{name}"),
    }
}

/// `get-order_byId` as `GetOrderById`.
pub(crate) fn pascal(text: &str) -> String {
    let mut name = String::new();
    for word in text.split(|it: char| !it.is_ascii_alphanumeric()) {
        let mut letters = word.chars();
        name.extend(letters.next().map(|it| it.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    match name.bytes().next() {
        None => "Unnamed".to_owned(),
        Some(b'0'..=b'9') => format!("N{name}"),
        Some(_) => name,
    }
}

/// `OrderService` as `order_service`, for roles.
pub(crate) fn role_name(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for part in text.split(|it: char| !it.is_ascii_alphanumeric()) {
        let mut after_small = false;
        for letter in part.chars() {
            match words.last_mut() {
                Some(word) if !(word.is_empty() || letter.is_ascii_uppercase() && after_small) => {
                    word.push(letter.to_ascii_lowercase());
                }
                Some(word) if word.is_empty() => word.push(letter.to_ascii_lowercase()),
                _ => words.push(letter.to_ascii_lowercase().to_string()),
            }
            after_small = letter.is_ascii_lowercase();
        }
        words.push(String::new());
    }
    words.retain(|it| !it.is_empty());
    field_name(&words.join("_"))
}

/// The words of a method and a path: `GET /orders/{id}/lines` as `GetOrdersByIdLines`.
pub(crate) fn of_request(method: &str, path: &str) -> String {
    let mut name = pascal(&method.to_ascii_lowercase());
    for part in path.split('/').filter(|it| !it.is_empty()) {
        let parameter = part.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
        if parameter.is_some() {
            name.push_str("By");
        }
        name.push_str(&pascal(parameter.unwrap_or(part)));
    }
    name
}

/// The word for a status, after the name of its request.
pub(crate) fn of_status(status: &str) -> String {
    let word = match status {
        "200" => "Ok",
        "201" => "Created",
        "202" => "Accepted",
        "204" => "Done",
        "301" | "302" | "303" | "307" | "308" => "Moved",
        "304" => "NotModified",
        "400" => "BadRequest",
        "401" => "Unauthorized",
        "402" => "PaymentRequired",
        "403" => "Forbidden",
        "404" => "NotFound",
        "405" => "NotAllowed",
        "406" => "NotAcceptable",
        "409" => "Conflict",
        "410" => "Gone",
        "412" => "PreconditionFailed",
        "413" => "TooLarge",
        "415" => "UnsupportedType",
        "422" => "Invalid",
        "423" => "Locked",
        "429" => "TooManyRequests",
        "500" => "Failed",
        "501" => "NotImplemented",
        "502" => "BadGateway",
        "503" => "Unavailable",
        "504" => "GatewayTimeout",
        "default" => "Otherwise",
        other => match (other.len(), other.as_bytes().first()) {
            (3, Some(b'2')) if is_class(other) => "Succeeded",
            (3, Some(b'3')) if is_class(other) => "Redirected",
            (3, Some(b'4')) if is_class(other) => "Refused",
            (3, Some(b'5')) if is_class(other) => "Broken",
            _ => return format!("Status{}", pascal(other)),
        },
    };
    word.to_owned()
}

/// Whether a response has this status: `201`, `4XX`, `default`.
pub(crate) fn is_status(status: &str) -> bool {
    let is_known = matches!(status.as_bytes().first(), Some(b'1'..=b'5'));
    let is_one = status.len() == 3 && status.bytes().all(|it| it.is_ascii_digit());
    status == "default" || is_known && (is_one || status.len() == 3 && is_class(status))
}

/// `4XX`.
pub(crate) fn is_class(status: &str) -> bool {
    status
        .get(1..)
        .is_some_and(|it| it.eq_ignore_ascii_case("xx"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_language() {
        assert_eq!(pascal("get-order_byId"), "GetOrderById");
        assert_eq!(pascal("2fa"), "N2fa");
        assert_eq!(pascal("注文"), "Unnamed");
        assert_eq!(field_name("x-request-id"), "x_request_id");
        assert_eq!(field_name("@type"), "type");
        assert_eq!(field_name("in"), "in_");
        assert_eq!(field_name("3d"), "field_3d");
        assert_eq!(field_name("___"), "field");
        assert_eq!(role_name("OrderService API"), "order_service_api");
        assert_eq!(
            of_request("GET", "/orders/{id}/lines"),
            "GetOrdersByIdLines"
        );
    }
}
