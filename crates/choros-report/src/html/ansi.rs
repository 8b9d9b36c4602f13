//! Coloured terminal text as HTML, so that diagnostics look on a page as they do in a terminal.

use choros_syntax::quote::xml_text;

/// The text with spans instead of escape sequences; only colours and weights are understood.
pub(super) fn ansi_to_html(text: &str) -> String {
    let mut out = String::new();
    let mut open = 0;
    let mut rest = text;
    while let Some(at) = rest.find("\x1b[") {
        out.push_str(&xml_text(&rest[..at]));
        rest = &rest[at + 2..];
        let Some(end) = rest.find(|character: char| character.is_ascii_alphabetic()) else {
            break;
        };
        let (codes, command) = (&rest[..end], &rest[end..end + 1]);
        rest = &rest[end + 1..];
        if command != "m" {
            continue;
        }
        let mut codes = codes.split(';');
        while let Some(code) = codes.next() {
            let class = match code {
                "" | "0" => {
                    out.push_str(&"</span>".repeat(open));
                    open = 0;
                    continue;
                }
                // A colour of the large palette: its number follows.
                "38" | "48" => {
                    codes.next();
                    codes.next();
                    continue;
                }
                "1" => "strong",
                "2" => "faint",
                "31" | "91" => "bad",
                "32" | "92" => "good",
                "33" | "93" => "doubtful",
                "34" | "94" | "36" | "96" => "guard",
                "35" | "95" => "value",
                _ => continue,
            };
            out.push_str(&format!("<span class=\"{class}\">"));
            open += 1;
        }
    }
    out.push_str(&xml_text(rest));
    out.push_str(&"</span>".repeat(open));
    out
}

#[cfg(test)]
mod tests {
    use super::ansi_to_html;

    #[test]
    fn sequences_become_spans_that_are_closed() {
        assert_eq!(
            ansi_to_html("\x1b[1m\x1b[91merror\x1b[0m: a < b\x1b[38;5;12m"),
            "<span class=\"strong\"><span class=\"bad\">error</span></span>: a &lt; b"
        );
        assert_eq!(
            ansi_to_html("\x1b[32mopen"),
            "<span class=\"good\">open</span>"
        );
        assert_eq!(ansi_to_html("cut \x1b[3"), "cut 3");
    }
}
