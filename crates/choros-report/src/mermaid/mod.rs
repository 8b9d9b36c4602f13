//! Pictures for Mermaid, which Markdown viewers draw.

mod graph;
mod sequence;
mod states;

pub use graph::graph_mermaid;
pub use sequence::{diagram_mermaid, trace_mermaid};

/// Text that Mermaid does not take for syntax: its own notation of characters by number.
fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' | '#' | ';' | '<' | '>' | '&' | '`' | '{' | '}' | '|' | '%' | ':' => {
                out.push_str(&format!("#{};", u32::from(character)));
            }
            '\n' | '\r' | '\t' => out.push(' '),
            other if other.is_control() => {}
            other => out.push(other),
        }
    }
    out
}
