//! Who may ask: only a page of this very server, with the token in its address.
//!
//! Everything lies below `/TOKEN/`, so that whatever the page loads carries the token without a script adding it.
//! Other sites cannot know it; that `Host` and `Origin` are ours as well keeps out a page whose name was bound to the
//! loopback address after it was loaded (DNS rebinding), and one that learnt the token from a shared link.

use std::net::SocketAddr;

use hyper::header::{HOST, HeaderMap, ORIGIN};

/// The secret part of the address.
pub(crate) struct Token(String);

impl Token {
    /// A token that no one can guess: 128 random bits.
    pub(crate) fn random() -> std::io::Result<Token> {
        let mut bytes = [0; 16];
        let random = ring::rand::SystemRandom::new();
        ring::rand::SecureRandom::fill(&random, &mut bytes)
            .map_err(|_| std::io::Error::other("the system has no random numbers"))?;
        Ok(Token(bytes.iter().map(|it| format!("{it:02x}")).collect()))
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// What comes after the token in a path; `None` where it is not the token.
    pub(crate) fn strip<'p>(&self, path: &'p str) -> Option<&'p str> {
        let (given, rest) = path.strip_prefix('/')?.split_once('/')?;
        self.is(given).then_some(rest)
    }

    /// Compares in the same time whatever is given.
    fn is(&self, given: &str) -> bool {
        let (own, given) = (self.0.as_bytes(), given.as_bytes());
        let differing = own
            .iter()
            .zip(given)
            .fold(0, |sum, (left, right)| sum | (left ^ right));
        own.len() == given.len() && differing == 0
    }
}

/// Whether a request comes from the page itself; otherwise what is wrong with it.
pub(crate) fn is_own(headers: &HeaderMap, address: SocketAddr) -> Result<(), &'static str> {
    let text = |value: &hyper::header::HeaderValue| value.to_str().unwrap_or("").to_owned();
    let port = address.port();
    let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let host = headers.get(HOST).map(text).unwrap_or_default();
    if !own.contains(&host) {
        return Err("this page answers to 127.0.0.1 and localhost only");
    }
    if let Some(origin) = headers.get(ORIGIN).map(text)
        && origin != format!("http://{host}")
    {
        return Err("another page may not ask");
    }
    match headers.get("sec-fetch-site").map(text).as_deref() {
        None | Some("same-origin" | "none") => Ok(()),
        Some(_) => Err("another page may not ask"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_token_opens() {
        let token = Token("abc".to_owned());
        assert_eq!(token.strip("/abc/x/y"), Some("x/y"));
        assert_eq!(token.strip("/abc/"), Some(""));
        for path in ["/", "/abd/", "/ab/", "/abcd/", "abc/", "/abc", "//abc/"] {
            assert_eq!(token.strip(path), None, "{path}");
        }
    }

    #[test]
    fn tokens_are_long_and_differ() {
        let (left, right) = (Token::random().unwrap(), Token::random().unwrap());
        assert_eq!(left.text().len(), 32);
        assert_ne!(left.text(), right.text());
    }

    #[test]
    fn hosts_and_origins() {
        let address: SocketAddr = ([127, 0, 0, 1], 80).into();
        let ask = |pairs: &[(&'static str, &str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in pairs {
                headers.insert(*name, value.parse().unwrap());
            }
            is_own(&headers, address).is_ok()
        };
        assert!(ask(&[("host", "127.0.0.1:80")]));
        assert!(ask(&[
            ("host", "localhost:80"),
            ("origin", "http://localhost:80")
        ]));
        assert!(!ask(&[]));
        assert!(!ask(&[("host", "evil.example:80")]));
        assert!(!ask(&[("host", "127.0.0.1:81")]));
        assert!(!ask(&[
            ("host", "localhost:80"),
            ("origin", "http://evil.example")
        ]));
        assert!(!ask(&[("host", "localhost:80"), ("origin", "null")]));
        assert!(!ask(&[
            ("host", "localhost:80"),
            ("origin", "http://127.0.0.1:80")
        ]));
        assert!(!ask(&[
            ("host", "localhost:80"),
            ("sec-fetch-site", "cross-site")
        ]));
        assert!(!ask(&[
            ("host", "localhost:80"),
            ("sec-fetch-site", "same-site")
        ]));
    }
}
