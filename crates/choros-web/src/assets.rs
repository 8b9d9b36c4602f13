//! The page itself, written by hand: no tool is needed to build it.

/// A file of the page: its type and its text.
pub(crate) fn find(path: &str) -> Option<(&'static str, &'static str)> {
    let path = if path.is_empty() { "index.html" } else { path };
    let found = ALL.iter().find(|it| it.0 == path)?;
    let kind = match path.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        _ => "image/svg+xml",
    };
    Some((kind, found.1))
}

macro_rules! assets {
    ($($name:literal)*) => {
        const ALL: &[(&str, &str)] = &[$(($name, include_str!(concat!("../page/", $name)))),*];
    };
}

assets! {
    "index.html"
    "style.css"
    "icon.svg"
    "app.js"
    "answers.js"
    "connection.js"
    "dom.js"
    "editor.js"
    "explanation.js"
    "explorer.js"
    "formulas.js"
    "gallery.js"
    "language.js"
    "live_chart.js"
    "notes.js"
    "questions.js"
    "stepper.js"
}

#[cfg(test)]
mod tests {
    use super::ALL;

    /// What the content security policy would refuse anyhow.
    #[test]
    fn nothing_comes_from_outside_and_nothing_is_inline() {
        for (name, text) in ALL {
            for sign in [
                "https://",
                "//cdn",
                " onclick=",
                " style=",
                "innerHTML",
                "eval(",
                "<style",
            ] {
                assert!(!text.contains(sign), "{name} has {sign}");
            }
        }
    }
}
