//! An address at which no service can be.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0996",
    name: "strange-target",
    severity: Severity::Error,
    documentation: "\
## What it checks
The address of the service under test, from `--target`, the mapping or the WSDL, is `http://host[:port][/path]` or
`https://…`; for the latter there are certificates to check the service with.

## Why it matters
A test that cannot start says nothing about the service, and a guess might reach the wrong one.

## Example
```
choros drive shop.chor#order_vendor --target 127.0.0.1:8080           the scheme is missing
choros drive shop.chor#order_vendor --target http://127.0.0.1:8080    right
```

## Reference
The chapter on driving services in the book.
",
};

/// `reason` says what is wrong with it.
pub fn diagnostic(target: &str, reason: &str) -> Diagnostic {
    let diagnostic = Diagnostic::without_place(&CODE, reason);
    match suggestion(target) {
        Some(meant) => diagnostic.note(format!("did you mean `{meant}`?")),
        None if target.starts_with("https:") => diagnostic
            .note("`--ca FILE` names certificates; a proxy on this machine that ends TLS makes `http://` of it"),
        None => diagnostic.note("`--target` names another address"),
    }
}

/// The address without what is most often wrong with it: no scheme, or the `?wsdl` of its description.
fn suggestion(target: &str) -> Option<String> {
    let (address, _) = target.split_once('?').unwrap_or((target, ""));
    let is_strange = |it: char| it.is_whitespace() || "${}<>".contains(it);
    if address.is_empty() || address.contains(is_strange) {
        return None;
    }
    let meant = if address.contains("://") {
        address.to_owned()
    } else {
        format!("http://{address}")
    };
    (meant != target && meant.starts_with("http")).then_some(meant)
}
