//! Which redirects are followed: those that lead elsewhere in the service that is tested.

use crate::codec::Outgoing;

/// The path at which a redirected request is sent again.
///
/// A program may do that by itself for methods that are safe, and for others where the status says that the method stays
/// (RFC 9110, sections 15.4.2 to 15.4.9); another host is not what is tested.
pub(crate) fn path(outgoing: &Outgoing, path: &str, status: u16, location: &str) -> Option<String> {
    let is_safe = matches!(outgoing.method.as_str(), "GET" | "HEAD" | "OPTIONS");
    match status {
        307 | 308 => {}
        301..=303 if is_safe => {}
        _ => return None,
    }
    let location = location.split('#').next().unwrap_or_default();
    if location.starts_with("//") || location.is_empty() {
        return None;
    }
    if location.starts_with('/') {
        return Some(location.to_owned());
    }
    if location.contains("://") {
        let after = outgoing.url.find("://")? + 3;
        let end = outgoing.url[after..].find(['/', '?']);
        let origin = &outgoing.url[..end.map_or(outgoing.url.len(), |end| after + end)];
        let (own, rest) = location.split_at_checked(origin.len())?;
        let is_own =
            own.eq_ignore_ascii_case(origin) && matches!(rest.get(..1), None | Some("/" | "?"));
        return is_own.then(|| {
            if rest.starts_with('/') {
                rest.to_owned()
            } else {
                format!("/{rest}")
            }
        });
    }
    // Beside what was asked for.
    let path = path.split('?').next().unwrap_or_default();
    let folder = path.rfind('/').map_or("/", |end| &path[..=end]);
    Some(format!("{folder}{location}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_service_is_followed_within_itself() {
        let cases = [
            ("POST", 307, "/b", Some("/b")),
            ("POST", 308, "http://Host:80/b?x=1#top", Some("/b?x=1")),
            ("POST", 307, "c", Some("/v1/c")),
            ("GET", 301, "/b", Some("/b")),
            ("GET", 303, "http://host:80", Some("/")),
            // The method would change.
            ("POST", 301, "/b", None),
            ("POST", 303, "/b", None),
            // Another service.
            ("GET", 307, "https://host:80/b", None),
            ("GET", 307, "http://host:8080/b", None),
            ("GET", 307, "http://host:80.example.org/b", None),
            ("GET", 307, "//other/b", None),
            // Nothing was moved.
            ("GET", 304, "/b", None),
            ("GET", 300, "/b", None),
            ("GET", 307, "", None),
        ];
        for (method, status, location, expected) in cases {
            let outgoing = Outgoing {
                method: method.to_owned(),
                url: "http://host:80/v1/a?y=2".to_owned(),
                headers: Vec::new(),
                body: Vec::new(),
            };
            let found = path(&outgoing, "/v1/a?y=2", status, location);
            assert_eq!(found.as_deref(), expected, "{method} {status} {location}");
        }
    }
}
