//! Addresses of files.

/// The path of a `file:` address; any other address stands for itself.
pub(crate) fn path_of(uri: &str) -> String {
    let Some(rest) = uri.strip_prefix("file://") else {
        return uri.to_owned();
    };
    // What stands before the path is a host, which is this one.
    let path = match rest.find('/') {
        Some(start) => &rest[start..],
        None => rest,
    };
    let path = decoded(path);
    // `/c:/x` is `c:/x` where drives have letters.
    let bytes = path.as_bytes();
    let has_drive = bytes.len() > 2 && bytes[1].is_ascii_alphabetic() && bytes[2] == b':';
    if has_drive {
        path[1..].to_owned()
    } else {
        path
    }
}

/// The address of a path.
pub(crate) fn uri_of(path: &str) -> String {
    if !path.starts_with('/') && path.contains(':') && !path.contains(":/") {
        return path.to_owned();
    }
    let mut uri = "file://".to_owned();
    if !path.starts_with('/') {
        uri.push('/');
    }
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            b'\\' => uri.push('/'),
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

/// A text with its percent signs resolved; one that means nothing stays.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = bytes
            .get(at + 1..at + 3)
            .filter(|_| bytes[at] == b'%')
            .and_then(|it| std::str::from_utf8(it).ok())
            .and_then(|it| u8::from_str_radix(it, 16).ok());
        match digits {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_come_back() {
        for path in ["/a/b.chor", "/a b/é%.chor", "/x#y?.gc"] {
            assert_eq!(path_of(&uri_of(path)), path);
        }
        assert_eq!(path_of("file:///c%3A/x.chor"), "c:/x.chor");
        assert_eq!(uri_of("c:/x.chor"), "file:///c%3A/x.chor");
        assert_eq!(path_of("file://host/a"), "/a");
        assert_eq!(path_of("untitled:Untitled-1"), "untitled:Untitled-1");
        assert_eq!(uri_of("untitled:Untitled-1"), "untitled:Untitled-1");
        assert_eq!(path_of("file:///a%zz%4"), "/a%zz%4");
    }
}
