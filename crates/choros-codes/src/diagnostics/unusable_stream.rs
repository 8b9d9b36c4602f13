//! A stream of a broker that cannot be fed or watched as was asked.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH1092",
    name: "unusable-stream",
    severity: Severity::Error,
    documentation: "\
## What it checks
A stream that is watched exists, is divided as the properties need it, and is the one that earlier workers judged; a log that is fed is the one whose beginning is in the stream.

## Why it matters
Workers that judge different streams, or different properties, under one name would give verdicts twice or lose some.

## Example
```
choros watch other.prop --stream nats://localhost:4222/shop
```

## Reference
The chapter *Watching at scale* of the book.
",
};

/// What a command says that was built without the client of a broker.
pub const NO_CLIENT: &str = "this `choros` was built without NATS; \
    `cargo install --path crates/choros-cli --features nats` builds one with it";

/// The address is none.
pub fn diagnostic(reason: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("cannot use the stream: {reason}"))
}

/// No one has made it.
pub fn absent(stream: &str, address: &str) -> Diagnostic {
    let message = format!("there is no stream `{stream}` on {address}");
    Diagnostic::without_place(&CODE, message)
        .note("`choros feed --log s=s.jsonl --stream …` makes one and puts observations into it")
}

/// It is divided by session, and a property sees more.
pub fn wrong_division(stream: &str, because: &str) -> Diagnostic {
    let message = format!(
        "the stream `{stream}` is divided by session, and these properties need each log as a whole: {because}"
    );
    Diagnostic::without_place(&CODE, message).note(
        "feed a stream with another name with `--divide-by service`, or count messages `per session`",
    )
}

/// It is divided by service, and sessions are judged.
pub fn not_by_session(stream: &str) -> Diagnostic {
    let message = format!(
        "the stream `{stream}` is divided by service, and an audit needs each session as a whole"
    );
    Diagnostic::without_place(&CODE, message)
        .note("feed a stream with another name with `--divide-by session`")
}

/// Others watch other properties under the same name.
pub fn other_properties(watch: &str, version: u32) -> Diagnostic {
    let message =
        format!("`{watch}` watches other properties: none of its {version} versions is this one");
    Diagnostic::without_place(&CODE, message).note(format!(
        "`choros feed PROPERTIES --change {watch} --stream …` changes them from here on; `--name` gives this watch another name"
    ))
}

/// The log is another one.
pub fn other_log(service: &str, source: &str) -> Diagnostic {
    let message = format!(
        "this log of `{service}` is not the one whose beginning was fed as the source `{source}`"
    );
    Diagnostic::without_place(&CODE, message).note("give another log another name with `--source`")
}

/// A worker cannot continue.
pub fn stopped(stream: &str, why: &str, watch: &str) -> Diagnostic {
    let message = format!("cannot continue to watch the stream `{stream}`: {why}");
    Diagnostic::without_place(&CODE, message).note(format!(
        "nothing was lost: verdicts that were told stay, and the state is as it was; `--name` begins another watch beside `{watch}`"
    ))
}
