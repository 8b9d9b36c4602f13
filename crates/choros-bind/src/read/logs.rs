//! `[[logs]]`: how records look.

use toml_edit::Item;

use super::table::{Entry, Reader, Table};
use crate::{LogRules, Opening, Part, PartSource, Pattern, Place, TIME_FORMS};

/// The keys of `[[logs]]`.
pub const LOG_KEYS: [&str; 24] = [
    "files", "form", "at", "time", "by", "dir", "send", "recv", "from", "to", "op", "id",
    "session", "topic", "method", "path", "status", "body", "response", "headers", "open",
    "fields", "element", "lossy",
];

impl Reader<'_> {
    pub(super) fn logs(&mut self, entry: &Entry<'_>) -> Vec<LogRules> {
        let mut found = Vec::new();
        match entry.item {
            Item::ArrayOfTables(tables) => {
                for table in tables.iter() {
                    let span = table.span().map_or(entry.key_span, |it| {
                        choros_base::Span::new(
                            entry.key_span.file(),
                            it.start as u32,
                            it.end as u32,
                        )
                    });
                    let rules = self.log(&Table::new(table, span));
                    found.push(rules);
                }
            }
            _ => self.wrong(entry, "a list of tables, each under [[logs]]"),
        }
        found
    }

    fn log(&mut self, table: &Table<'_>) -> LogRules {
        self.known(table, "[[logs]]", &LOG_KEYS);
        let mut rules = LogRules::default();
        if let Some(entry) = table.get("files") {
            rules.files = self.texts(&entry).into_iter().map(Pattern::new).collect();
        }
        if let Some(entry) = table.get("form") {
            rules.form = self.text(&entry);
        }
        for part in Part::ALL {
            if let Some(entry) = table.get(part.name()) {
                rules.parts.push((part, self.sources(&entry)));
            }
        }
        if let Some(entry) = table.get("time") {
            rules.time = self.text(&entry);
            let is_known = |it: &String| TIME_FORMS.contains(&it.as_str());
            if rules.time.as_ref().is_some_and(|it| !is_known(it)) {
                self.wrong(&entry, &format!("one of {}", TIME_FORMS.join(", ")));
            }
        }
        for (key, sends) in [("send", true), ("recv", false)] {
            if let Some(entry) = table.get(key) {
                let words = self.texts(&entry).into_iter();
                rules.directions.extend(words.map(|it| (it, sends)));
            }
        }
        if let Some(entry) = table.get("element") {
            rules.element = self.text(&entry);
        }
        if let Some(entry) = table.get("open")
            && let Some(closed) = self.table(&entry)
        {
            for entry in closed.entries() {
                // What is closed in the record itself needs no word before it.
                let place = Place::parse(entry.key)
                    .or_else(|_| Place::parse(&format!("record.{}", entry.key)));
                let expected = format!("one of {}", Opening::ALL.map(Opening::name).join(", "));
                match (place, self.text(&entry).and_then(|it| Opening::named(&it))) {
                    (Ok(place), Some(opening)) => {
                        self.once(&place, &rules.open, entry.key_span);
                        rules.open.push((place, opening));
                    }
                    (Err(reason), _) => self.mistake(entry.key_span, reason),
                    (_, None) => self.wrong(&entry, &expected),
                }
            }
        }
        if let Some(entry) = table.get("fields") {
            rules.fields = self.text(&entry);
            if let Some(template) = &rules.fields {
                let filled = template.replace("{field}", "x");
                if *template == filled {
                    self.wrong(
                        &entry,
                        "a place with `{field}` in it, such as \"attribute.app.{field}\"",
                    );
                } else if let Err(reason) = Place::parse(&filled) {
                    self.mistake(self.span(&entry), reason);
                }
            }
        }
        if let Some(entry) = table.get("lossy") {
            rules.lossy = self.flag(&entry);
        }
        rules
    }

    /// A path, `{ value = "x" }`, or a list of them.
    fn sources(&mut self, entry: &Entry<'_>) -> Vec<PartSource> {
        let values = self.each(entry);
        let mut found = Vec::new();
        if entry.value().is_none() {
            self.wrong(entry, "a path such as \"message.name\"");
        }
        for value in values {
            let fixed = value.as_inline_table().and_then(|table| {
                let fixed = table.get("value").filter(|_| table.len() == 1)?;
                fixed.as_str()
            });
            match (value.as_str(), fixed) {
                (Some(path), _) => found.push(PartSource::Path(path.to_owned())),
                (None, Some(fixed)) => found.push(PartSource::Value(fixed.to_owned())),
                (None, None) => self.wrong(
                    entry,
                    "a path such as \"message.name\", { value = \"s\" }, or a list of them",
                ),
            }
        }
        found
    }
}
