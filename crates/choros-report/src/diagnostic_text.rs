//! Diagnostics, drawn into the source the way rustc does.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet};
use choros_base::{Diagnostic, FileId, Severity, SourceMap, Span};

use crate::Style;

/// Diagnostics with their places, one after the other, a blank line between them.
pub fn diagnostics_text(diagnostics: &[Diagnostic], sources: &SourceMap, style: &Style) -> String {
    let renderer = if style.colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let decor = if style.unicode {
        DecorStyle::Unicode
    } else {
        DecorStyle::Ascii
    };
    let renderer = renderer.decor_style(decor).term_width(style.width);
    let mut out = String::new();
    for diagnostic in diagnostics {
        out.push_str(&renderer.render(&groups(diagnostic, sources)));
        out.push_str("\n\n");
    }
    out
}

fn groups<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Vec<Group<'a>> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Information => Level::NOTE,
    };
    let title = level
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code.code);
    let mut group = Group::with_title(title);
    let mut files: Vec<FileId> = Vec::new();
    for label in &diagnostic.labels {
        if !files.contains(&label.span.file()) {
            files.push(label.span.file());
        }
    }
    for file in files {
        let (origin, snippet) = snippet(diagnostic, sources, file);
        if let Some(origin) = origin {
            group = group.element(origin);
        }
        group = group.element(snippet);
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    let mut groups = vec![group];
    if let Some(suggestion) = &diagnostic.suggestion {
        let window = Window::around(sources, suggestion.span.file(), &[suggestion.span]);
        let patch = Patch::new(
            window.within(suggestion.span),
            suggestion.replacement.as_str(),
        );
        groups.push(
            Group::with_title(Level::HELP.secondary_title(suggestion.message.as_str())).element(
                Snippet::source(window.text)
                    .line_start(window.line)
                    .path(sources.file(suggestion.span.file()).name())
                    .patch(patch),
            ),
        );
    }
    groups
}

/// The drawing of one file, and its place where the drawing alone would show a wrong one.
fn snippet<'a>(
    diagnostic: &'a Diagnostic,
    sources: &'a SourceMap,
    file: FileId,
) -> (
    Option<Origin<'a>>,
    Snippet<'a, annotate_snippets::Annotation<'a>>,
) {
    let labels = diagnostic
        .labels
        .iter()
        .enumerate()
        .filter(|(_, label)| label.span.file() == file);
    let spans: Vec<Span> = labels.clone().map(|(_, label)| label.span).collect();
    let window = Window::around(sources, file, &spans);
    let mut snippet = Snippet::source(window.text)
        .line_start(window.line)
        .fold(true);
    let mut origin = None;
    if window.cut {
        // Columns are counted from the start of the window, which is not the start of a line.
        let (line, column) = sources.line_column(spans[0].start());
        origin = Some(
            Origin::path(sources.file(file).name())
                .line(line as usize)
                .char_column(column as usize),
        );
    } else {
        snippet = snippet.path(sources.file(file).name());
    }
    for (index, label) in labels {
        if !window.holds(label.span) {
            continue;
        }
        let kind = match index {
            0 => AnnotationKind::Primary,
            _ => AnnotationKind::Context,
        };
        let annotation = kind.span(window.within(label.span));
        snippet = snippet.annotation(match label.message.as_str() {
            "" => annotation,
            message => annotation.label(message),
        });
    }
    (origin, snippet)
}

/// The part of a text that is drawn.
///
/// The renderer looks at all it is given, so a text of many megabytes, or a line of that length, must not get there.
struct Window<'a> {
    text: &'a str,
    start: usize,
    line: usize,
    /// It starts in the middle of a line.
    cut: bool,
}

/// Beyond this many bytes, a window shows the first span alone, cut out of its line.
const MAX_BYTES: usize = 1 << 16;

impl<'a> Window<'a> {
    fn around(sources: &'a SourceMap, file: FileId, spans: &[Span]) -> Window<'a> {
        let text: &str = sources.file(file).text();
        let first = spans
            .iter()
            .map(|span| span.range().start)
            .min()
            .unwrap_or(0);
        let last = spans.iter().map(|span| span.range().end).max().unwrap_or(0);
        let start = text[..boundary(text, first)]
            .rfind('\n')
            .map_or(0, |at| at + 1);
        let end = boundary(text, last);
        let end = text[end..].find('\n').map_or(text.len(), |at| end + at);
        let cut = end - start > MAX_BYTES;
        let range = if !cut {
            start..end
        } else {
            let primary = spans[0].range();
            let start = boundary(text, primary.start.saturating_sub(40));
            let end = boundary(text, (primary.start + 160).min(text.len()));
            start..end
        };
        let (line, _) = sources.file(file).line_column(range.start as u32);
        Window {
            text: &text[range.clone()],
            start: range.start,
            line: line as usize,
            cut,
        }
    }

    fn holds(&self, span: Span) -> bool {
        let range = span.range();
        range.start >= self.start && range.start <= self.start + self.text.len()
    }

    fn within(&self, span: Span) -> Range<usize> {
        let range = span.range();
        let from = boundary(self.text, range.start.saturating_sub(self.start));
        let to = boundary(self.text, range.end.saturating_sub(self.start));
        from..to.max(from)
    }
}

/// The last character boundary at or before an offset.
fn boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}
