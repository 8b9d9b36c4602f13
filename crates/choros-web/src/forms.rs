//! The questions that can be asked, as the command line declares them.

use serde_json::{Value, json};

use crate::files::is_inside;

/// A verb.
pub struct Form {
    /// The word of the command line.
    pub verb: String,
    /// The question it answers.
    pub about: String,
    /// More about it, with examples.
    pub help: String,
    /// What it takes.
    pub fields: Vec<Field>,
}

/// An option or an argument.
pub struct Field {
    /// How it is called here.
    pub name: String,
    /// The option as it is typed, without dashes; none for an argument.
    pub option: Option<String>,
    /// What it does.
    pub help: String,
    /// What stands for its value in help.
    pub value_name: String,
    /// What it takes.
    pub kind: FieldKind,
    /// It may be given several times.
    pub many: bool,
    /// Without it there is no question.
    pub required: bool,
    /// Its value where none is given.
    pub default: Option<String>,
}

/// What a field takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldKind {
    /// It is given or not.
    Flag,
    /// One of some words, each with what it means.
    Choice(Vec<(String, String)>),
    /// A file or folder.
    Path,
    /// Anything else.
    Text,
}

impl Form {
    /// As the page reads it.
    pub(crate) fn to_json(&self) -> Value {
        let fields = self.fields.iter().map(Field::to_json);
        json!({
            "verb": self.verb,
            "about": self.about,
            "help": self.help,
            "fields": fields.collect::<Vec<_>>(),
        })
    }

    /// The words of the command line for what was filled in, or what is wrong with it.
    ///
    /// A value cannot become an option: options are written `--name=value`, and arguments come after `--`.
    pub(crate) fn words(&self, filled: &Value) -> Result<Vec<String>, String> {
        let filled = filled.as_object().ok_or("a form is an object")?;
        let mut options = vec![self.verb.clone()];
        let mut arguments = Vec::new();
        for (name, value) in filled {
            let field = self.fields.iter().find(|it| it.name == *name);
            let field = field.ok_or_else(|| format!("`{}` takes no `{name}`", self.verb))?;
            for value in field.values(value)? {
                match (&field.option, &field.kind) {
                    (Some(option), FieldKind::Flag) => options.push(format!("--{option}")),
                    (Some(option), _) => options.push(format!("--{option}={value}")),
                    (None, _) => arguments.push(value),
                }
            }
        }
        if !arguments.is_empty() {
            options.push("--".to_owned());
            options.append(&mut arguments);
        }
        Ok(options)
    }
}

impl Field {
    fn to_json(&self) -> Value {
        let (kind, choices) = match &self.kind {
            FieldKind::Flag => ("flag", Vec::new()),
            FieldKind::Choice(choices) => ("choice", choices.clone()),
            FieldKind::Path => ("path", Vec::new()),
            FieldKind::Text => ("text", Vec::new()),
        };
        let choices = choices
            .iter()
            .map(|(word, help)| json!({"word": word, "help": help}));
        json!({
            "name": self.name,
            "option": self.option,
            "help": self.help,
            "value": self.value_name,
            "kind": kind,
            "choices": choices.collect::<Vec<_>>(),
            "many": self.many,
            "required": self.required,
            "default": self.default,
        })
    }

    /// The values that were filled in.
    fn values(&self, given: &Value) -> Result<Vec<String>, String> {
        let one = |value: &Value| match value {
            Value::String(text) => Ok(text.clone()),
            Value::Number(number) => Ok(number.to_string()),
            _ => Err(format!("`{}` takes text", self.name)),
        };
        let values = match given {
            Value::Null | Value::Bool(false) => Vec::new(),
            Value::Bool(true) if self.kind == FieldKind::Flag => vec![String::new()],
            Value::Array(all) if self.many => all.iter().map(one).collect::<Result<_, _>>()?,
            other => vec![one(other)?],
        };
        let mut kept = values;
        if self.kind != FieldKind::Flag {
            kept.retain(|it| !it.is_empty());
        }
        for value in &kept {
            if self.kind == FieldKind::Path && !names_files_inside(value) {
                return Err(format!(
                    "`{value}` is outside of the folder that this page shows"
                ));
            }
        }
        Ok(kept)
    }
}

/// Whether a value such as `role=a/b.json`, `a.chor#x+b.chor#y` or `a.chor` names files below the folder.
fn names_files_inside(value: &str) -> bool {
    let file = value.rsplit_once('=').map_or(value, |it| it.1);
    let parts = file
        .split('+')
        .map(|it| it.split('#').next().unwrap_or_default());
    parts.into_iter().all(|it| it == "." || is_inside(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, kind: FieldKind) -> Field {
        Field {
            name: name.to_owned(),
            option: Some(name.to_owned()),
            help: String::new(),
            value_name: String::new(),
            kind,
            many: name == "rules",
            required: false,
            default: None,
        }
    }

    fn form() -> Form {
        let model = Field {
            option: None,
            ..field("model", FieldKind::Path)
        };
        Form {
            verb: "verify".to_owned(),
            about: String::new(),
            help: String::new(),
            fields: vec![
                model,
                field("rules", FieldKind::Path),
                field("formula", FieldKind::Text),
                field("strict", FieldKind::Flag),
            ],
        }
    }

    fn words(filled: Value) -> Result<String, String> {
        form().words(&filled).map(|it| it.join(" "))
    }

    #[test]
    fn a_form_becomes_a_command() {
        let filled = json!({
            "model": "a.cows", "strict": true, "formula": "AG x", "rules": ["b.abs", "c.abs"],
        });
        assert_eq!(
            words(filled).unwrap(),
            "verify --strict --formula=AG x --rules=b.abs --rules=c.abs -- a.cows"
        );
        assert_eq!(
            words(json!({"strict": false, "formula": ""})).unwrap(),
            "verify"
        );
    }

    #[test]
    fn a_value_never_becomes_an_option() {
        let filled = json!({"formula": "--certificate=x", "model": "--strict"});
        assert_eq!(
            words(filled).unwrap(),
            "verify --formula=--certificate=x -- --strict"
        );
    }

    #[test]
    fn files_lie_inside() {
        for path in [
            "../a.cows",
            "/etc/passwd",
            "a/../../b",
            "x=/etc/passwd",
            "a.chor+../b.chor",
        ] {
            assert!(words(json!({"model": path})).is_err(), "{path}");
        }
        for path in ["a.cows#b", "v=logs/a.jsonl", "a.chor#x+b.chor#y", "."] {
            assert!(words(json!({"model": path})).is_ok(), "{path}");
        }
        assert!(words(json!({"colour": "red"})).is_err());
        assert!(words(json!({"formula": ["a", "b"]})).is_err());
    }
}
