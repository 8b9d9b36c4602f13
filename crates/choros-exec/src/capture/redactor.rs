//! Takes secrets out of what is about to be written.

use choros_model::observation::Datum;

use super::reading::decoded;
use super::scrub::scrubbed;
use super::secret_names::is_secret;
use super::secret_values::{is_random, spans};
use crate::hiding::Pseudonyms;
use crate::hiding::Redaction;

/// Replaces secrets by pseudonyms: what rules name, and with `usual` what is a secret by its name or its form.
pub(crate) struct Redactor {
    pub(crate) rules: Vec<Redaction>,
    pub(crate) usual: bool,
    pub(crate) pseudonyms: Pseudonyms,
}

/// Why a value is not written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cover {
    /// It is.
    Nothing,
    /// Its name, or one above it, is that of a secret.
    Usual,
    /// A rule of the user names it.
    Rule,
}

impl Redactor {
    /// What stands in place of a value.
    pub(super) fn pseudonym(&self, value: &str) -> String {
        self.pseudonyms.of(value)
    }

    /// What stands in place of a number, truth value or null as it was written.
    pub(crate) fn raw(&self, text: &str) -> String {
        self.pseudonyms.of_datum(&Datum::Untyped(text.into()))
    }

    /// Whether the value at a path is a secret by its name.
    pub(super) fn covers(&self, path: &str) -> Cover {
        if self.rules.iter().any(|rules| rules.covers(path)) {
            return Cover::Rule;
        }
        if self.usual && path.split('.').any(is_secret) {
            Cover::Usual
        } else {
            Cover::Nothing
        }
    }

    /// Replaces a value of a body or of a query if it is a secret or holds one.
    pub(super) fn datum(&self, path: &str, value: &mut Datum<'static>) {
        let hidden = match &*value {
            Datum::Text(text) | Datum::Untyped(text) => self.text(path, text, 0),
            other => self
                .hides_scalar(path, &other.key())
                .then(|| self.pseudonyms.of_datum(other)),
        };
        if let Some(text) = hidden {
            *value = Datum::Text(text.into());
        }
    }

    /// A path without secrets in the names themselves, such as card numbers that are keys of an object.
    pub(super) fn path(&self, path: &mut String) {
        if self.usual && path.bytes().any(|byte| byte.is_ascii_digit()) {
            let labels = path.split('.').map(|label| self.free(label));
            *path = labels.collect::<Vec<_>>().join(".");
        }
    }

    /// A text without secrets; none if it has none.
    pub(crate) fn text(&self, path: &str, text: &str, depth: usize) -> Option<String> {
        match self.covers(path) {
            Cover::Usual if text.trim().is_empty() => None,
            Cover::Rule | Cover::Usual => Some(self.pseudonym(text)),
            Cover::Nothing if self.usual || !self.rules.is_empty() => {
                scrubbed(self, path, text, depth)
            }
            Cover::Nothing => None,
        }
    }

    /// Whether a number, truth value or null is not written.
    pub(crate) fn hides_scalar(&self, path: &str, raw: &str) -> bool {
        match self.covers(path) {
            Cover::Rule => true,
            // `"password": null` and `"token": true` say whether there is one.
            Cover::Usual => !matches!(raw, "null" | "true" | "false"),
            Cover::Nothing => self.usual && !spans(raw).is_empty(),
        }
    }

    /// The value of a header.
    pub(super) fn header(&self, name: &str, text: String) -> String {
        self.text(name, &text, 0).unwrap_or(text)
    }

    /// A part of a path, with the one before it: `/reset-password/9f86d081` holds a secret, `/auth/login` does not.
    pub(super) fn segment(&self, before: Option<&str>, text: &str) -> String {
        if !self.usual {
            return text.to_owned();
        }
        let plain = decoded(text);
        if before.is_some_and(is_secret) && is_random(&plain) {
            self.pseudonym(&plain)
        } else {
            scrubbed(self, "", &plain, 0).unwrap_or_else(|| text.to_owned())
        }
    }

    /// A name without what is a secret by its form.
    fn free(&self, label: &str) -> String {
        if spans(label).is_empty() {
            label.to_owned()
        } else {
            self.pseudonym(label)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Redactor;
    use crate::hiding::Pseudonyms;
    use crate::hiding::Redaction;
    use choros_model::observation::Datum;
    use choros_testkit::{fuzz, seed_from_env};

    fn redactor(usual: bool, rules: &str) -> Redactor {
        Redactor {
            rules: vec![Redaction::parse(rules).unwrap()],
            usual,
            pseudonyms: Pseudonyms::fresh().unwrap(),
        }
    }

    fn after(redactor: &Redactor, path: &str, text: &str) -> String {
        let mut value = Datum::Text(text.to_owned().into());
        redactor.datum(path, &mut value);
        value.key().into_owned()
    }

    /// Every secret is `S3cr3t…`; none may be left, and what is not a secret must be.
    #[test]
    fn no_secret_is_left_in_a_text() {
        let redactor = redactor(true, "married");
        for (path, text, kept) in [
            ("password", "S3cr3t", ""),
            ("a.token.value", "S3cr3t", ""),
            (
                "note",
                r#"{"user":"bob","password":"S3cr3t","n":1.50}"#,
                "1.50",
            ),
            (
                "note",
                r#"[{"a":{"apiKey":{"v":["S3cr3t"]}}},"kept"]"#,
                "kept",
            ),
            (
                "note",
                r#"{"in":"{\"in\":\"{\\\"pwd\\\":\\\"S3cr3t\\\"}\",\"b\":7}"}"#,
                "7",
            ),
            ("note", r#"{"a":1,"a":"Bearer S3cr3t","a":2}"#, "\"a\":2"),
            ("note", r#"{"cut":true,"password":"S3cr3t"#, "cut"),
            ("note", r#"{"married":"S3cr3t","x":"kept"}"#, "kept"),
            ("note", "<a><password>S3cr3t</password></a>", ""),
            ("note", "<a><login password='S3cr3t'/></a>", ""),
            ("note", "<a><token><v>S3cr3t</v></token></a>", ""),
            ("note", "broken <password>S3cr3t</password", "broken"),
            (
                "next",
                "https://h/cb?code=7&access_token=S3cr3t&x=kept",
                "kept",
            ),
            ("note", "user=bob;password=S3cr3t;db=kept", "kept"),
            (
                "note",
                "GET /\r\nCookie: a=S3cr3t; b=S3cr3t\r\nX: kept",
                "kept",
            ),
            ("note", "Authorization: Bearer S3cr3t", "Authorization"),
            ("married", "S3cr3t", ""),
        ] {
            let found = after(&redactor, path, text);
            assert!(!found.contains("S3cr3t"), "{text}: {found}");
            assert!(
                found.contains("[redacted ") && found.contains(kept),
                "{text}: {found}"
            );
        }
        for (path, text) in [
            ("note", "the password is wrong"),
            ("note", r#"{"n": 1e5, "password": null, "token": true}"#),
            ("password", ""),
            ("weight", "5"),
            ("note", "<a><b>1</b></a>"),
        ] {
            assert_eq!(after(&redactor, path, text), text);
        }
    }

    /// Equality survives across places and forms; otherwise nothing could be correlated.
    #[test]
    fn the_same_secret_has_one_pseudonym() {
        let redactor = redactor(true, "");
        let card = redactor.pseudonym("4111111111111111");
        assert_eq!(after(&redactor, "x", "4111111111111111"), card);
        let mut number = Datum::Number("4111111111111111".parse::<i64>().unwrap().into());
        redactor.datum("x", &mut number);
        assert_eq!(number.key(), card);
        assert_eq!(redactor.segment(None, "4111111111111111"), card);
        let token = redactor.pseudonym("S3cr3t");
        assert_eq!(redactor.header("x-api-key", "S3cr3t".to_owned()), token);
        assert_eq!(
            after(&redactor, "x", r#"{"token": "S3cr3t"}"#),
            format!(r#"{{"token": "{token}"}}"#)
        );
        let mut path = "cards.4111111111111111.limit".to_owned();
        redactor.path(&mut path);
        assert_eq!(path, format!("cards.{card}.limit"));
    }

    /// Whatever a body says, redacting it ends, and what is redacted has nothing more to redact.
    #[test]
    fn no_text_brings_redaction_down() {
        let redactor = redactor(true, "card");
        let corpus = [
            r#"{"user":"bob","password":"S3cr3t","in":"{\"pwd\":\"x\"}","n":[1e5,null,4111111111111111]}"#,
            "<a><login password='x'/><token><v>y</v></token></a>",
            "GET /cb?code=7&access_token=x HTTP/1.1\r\nCookie: a=1; b=2\r\nAuthorization: Bearer abc123",
            "https://bob:pw@host/x eyJhbGciOi.eyJzdWIi.c2ln -----BEGIN PRIVATE KEY-----",
        ];
        fuzz(seed_from_env(), 1_000, &corpus, |text| {
            redactor.header("x-any", text.to_owned());
            redactor.segment(Some("token"), text);
            after(&redactor, "note", text);
        });
    }

    #[test]
    fn parts_of_paths() {
        let redactor = redactor(true, "");
        for (before, text) in [
            ("reset-password", "9f86d081"),
            ("token", "aBcDeFgH"),
            ("cards", "4111111111111111"),
            ("x", "a;jsessionid=9f86d081"),
        ] {
            assert_ne!(redactor.segment(Some(before), text), text);
        }
        for (before, text) in [
            ("auth", "login"),
            ("token", "refresh"),
            ("auth", "v1"),
            ("orders", "17"),
        ] {
            assert_eq!(redactor.segment(Some(before), text), text);
        }
    }

    #[test]
    fn switched_off_only_the_rules_count() {
        let redactor = redactor(false, "card");
        assert_eq!(after(&redactor, "password", "S3cr3t"), "S3cr3t");
        assert_ne!(after(&redactor, "card.number", "1"), "1");
        assert_ne!(after(&redactor, "x", r#"{"card": 1}"#), r#"{"card": 1}"#);
        assert_eq!(
            redactor.segment(Some("cards"), "4111111111111111"),
            "4111111111111111"
        );
    }
}
