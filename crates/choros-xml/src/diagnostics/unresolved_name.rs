//! A name that is not declared.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

/// Its code and documentation.
pub static CODE: CodeInfo = CodeInfo {
    code: "CH1105",
    name: "unresolved-name",
    severity: Severity::Error,
    documentation: "\
## What it checks
What a name refers to (a type, an element, a message, a port type, a binding) is declared in one of the documents read.

## Why it matters
Most often an import is missing, or the namespace of the prefix is not the target namespace of the document that declares it.

## Example
```
<part name='body' type='t:Ordr'/>
```

## Reference
XML Schema Part 1, section 3.15.3 (QName resolution); WSDL 1.1, section 2.1.3; WS-BPEL 2.0, section 5.4 ([SA00010]).
",
};

/// No `what` of this name is declared; `declared` are the names of those that are.
pub fn diagnostic(
    what: &str,
    name: &crate::names::QName,
    declared: impl IntoIterator<Item = crate::names::QName>,
    span: Span,
) -> Diagnostic {
    let declared: Vec<crate::names::QName> = declared.into_iter().collect();
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("no {what} `{name}` is declared"),
        span,
        "not declared",
    );
    if let Some(other) = declared.iter().find(|other| other.local == name.local) {
        return diagnostic.note(format!("there is `{other}`, which is in another namespace"));
    }
    let locals = declared
        .iter()
        .filter(|other| other.namespace == name.namespace)
        .map(|other| &*other.local);
    match choros_base::nearest(&name.local, locals) {
        Some(near) => diagnostic.note(format!("there is `{near}`, which is similar")),
        None if declared
            .iter()
            .any(|other| other.namespace == name.namespace) =>
        {
            diagnostic
        }
        None => diagnostic.note(format!(
            "nothing of the kind is declared in the namespace `{}`: is an import missing?",
            name.namespace
        )),
    }
}
