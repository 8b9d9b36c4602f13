//! Formatting a file without ever losing anything of it.

use choros_base::{FileId, Names, NotFormatted, SourceMap, has_errors};
use choros_data::syntax::lex;

use super::parse::{ascii, parse};
use super::print::{definition, print};

/// The name that no definition can have in a file: with it, an activity without a name stays without.
const UNNAMED: &str = "";

/// The file in its standard layout: each definition from the start of a line, comments between definitions kept before them.
///
/// A definition with a comment inside keeps the lines it has.
pub fn format(file: FileId, text: &str, names: &mut Names) -> Result<String, NotFormatted> {
    let (script, diagnostics) = parse(file, text, UNNAMED, names);
    if has_errors(&diagnostics) {
        return Err(NotFormatted::Mistakes(diagnostics));
    }
    let mut out = String::new();
    let mut end = 0;
    for component in &script.components {
        let range = component.span.range();
        let gap = text.get(end..range.start).unwrap_or("");
        let comments = comments(gap);
        if comments.is_empty() && !out.is_empty() && gap.matches('\n').count() > 1 {
            out.push('\n');
        }
        out.push_str(&comments);
        let written = text.get(range.clone()).unwrap_or("");
        if has_comment(written) {
            out.push_str(written);
            out.push('\n');
        } else {
            out.push_str(&definition(&script, component, names, UNNAMED));
        }
        end = range.end;
    }
    out.push_str(&comments(text.get(end..).unwrap_or("")));
    let (again, diagnostics) = parse(file, &out, UNNAMED, names);
    let same = !has_errors(&diagnostics)
        && print(&again, names, UNNAMED) == print(&script, names, UNNAMED);
    if same {
        Ok(out)
    } else {
        Err(NotFormatted::Unfaithful)
    }
}

/// The comments between definitions, each line on its own; a comment after a definition gets its own line.
fn comments(gap: &str) -> String {
    let mut out = String::new();
    for line in gap.lines().map(str::trim).filter(|line| !line.is_empty()) {
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// Whether a text holds a comment: something between its tokens that is not white space.
fn has_comment(text: &str) -> bool {
    let text = &*ascii(text);
    let mut sources = SourceMap::new();
    let file = sources.add("", text);
    let (tokens, _) = lex(file, text, 0);
    let mut end = 0;
    tokens.iter().any(|token| {
        let range = token.span.range();
        let gap = text.get(end..range.start).unwrap_or("");
        end = range.end;
        gap.contains(|character: char| !character.is_whitespace() && character != '\u{feff}')
    })
}
