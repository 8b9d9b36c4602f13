//! Headers of every request to a service; what is secret in them comes from the environment.

use choros_bind::{Binding, Place};
use choros_model::observation::Datum;

use crate::secrets::Secrets;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeaderPiece {
    /// As it stands.
    Text(String),
    /// What the environment has under this name.
    Named(String),
}

/// The pieces of a header: `$NAME` is from the environment, `$$` is a dollar sign.
pub fn pieces(text: &str) -> Vec<HeaderPiece> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(dollar) = rest.find('$') {
        plain.push_str(&rest[..dollar]);
        rest = &rest[dollar + 1..];
        if let Some(behind) = rest.strip_prefix('$') {
            plain.push('$');
            rest = behind;
            continue;
        }
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        let (name, behind) = rest.split_at(end);
        pieces.push(HeaderPiece::Text(std::mem::take(&mut plain)));
        pieces.push(HeaderPiece::Named(name.to_owned()));
        rest = behind;
    }
    plain.push_str(rest);
    pieces.push(HeaderPiece::Text(plain));
    pieces.retain(|piece| *piece != HeaderPiece::Text(String::new()));
    pieces
}

/// The headers of requests to a service, `$NAME` replaced by what the environment has under that name.
///
/// Secrets are told to `secrets`, those in addresses, paths and constants of the binding too.
pub(crate) fn filled_from_environment(
    binding: &Binding,
    service: &str,
    secrets: &Secrets,
) -> Result<Vec<(String, String)>, String> {
    filled(binding, service, |name| std::env::var(name).ok(), secrets)
}

fn filled(
    binding: &Binding,
    service: &str,
    known: impl Fn(&str) -> Option<String>,
    secrets: &Secrets,
) -> Result<Vec<(String, String)>, String> {
    let addresses = binding.roles.iter().filter_map(|it| it.address.as_deref());
    let requests = binding.messages.iter().filter_map(|it| it.request.as_ref());
    for address in addresses.chain(requests.map(|it| it.path.text())) {
        secrets.note_address(address);
    }
    for (place, value) in binding.messages.iter().flat_map(|it| &it.when) {
        let (Place::Body(_) | Place::Query(_) | Place::Header(_)) = place else {
            continue;
        };
        if let Datum::Text(_) | Datum::Number(_) = value {
            for label in place.to_string().split('.').skip(1) {
                secrets.note(label, None, &value.key());
            }
        }
    }
    let mut headers = Vec::new();
    for (header, text) in binding.headers(service) {
        let mut filled = String::new();
        for piece in pieces(text) {
            match piece {
                HeaderPiece::Text(text) => {
                    secrets.note(header, None, &text);
                    filled.push_str(&text);
                }
                HeaderPiece::Named(name) => {
                    let value = known(&name).ok_or_else(|| {
                        format!(
                            "`headers.{header}` needs `${name}`, which is not set in the environment (`$$` is a dollar sign)"
                        )
                    })?;
                    secrets.note(header, Some(&name), &value);
                    filled.push_str(&value);
                }
            }
        }
        if filled.chars().any(char::is_control) {
            return Err(format!("`headers.{header}` has a control character"));
        }
        headers.push((header.clone(), filled));
    }
    Ok(headers)
}

#[cfg(test)]
mod tests {
    use choros_bind::drive_binding;

    use super::filled;
    use crate::Secrets;

    #[test]
    fn headers_are_filled_from_outside() {
        let text = r#"{"headers": {"authorization": "Bearer $TOKEN.", "price": "$$5"}}"#;
        let binding = drive_binding(text).expect("a mapping");
        let secrets = Secrets::default();
        filled(&binding, "s", |_| None, &secrets).expect_err("not known");
        let known = |name: &str| (name == "TOKEN").then(|| "s3cret".to_owned());
        let headers = filled(&binding, "s", known, &secrets).expect("known");
        assert_eq!(headers[0].1, "Bearer s3cret.");
        assert_eq!(headers[1].1, "$5");
        let split = |_: &str| Some("a\r\nb: c".to_owned());
        filled(&binding, "s", split, &secrets).expect_err("no header");
    }
}
