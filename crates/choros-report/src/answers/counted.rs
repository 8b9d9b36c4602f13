//! Counts in words.

/// `1 record`, `2 records`.
pub(super) fn counted(count: u64, one: &str, several: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {several}"),
    }
}

/// More kinds of messages are not listed.
const MAX_LISTED: usize = 10;

/// Kinds of messages, each with how often it was seen.
pub(super) fn listed(messages: &[(String, u64)]) -> String {
    let shown = messages.iter().take(MAX_LISTED);
    let mut words: Vec<String> = shown
        .map(|(message, count)| format!("{message} ({count})"))
        .collect();
    if messages.len() > MAX_LISTED {
        words.push(format!("{} others", messages.len() - MAX_LISTED));
    }
    words.join(", ")
}
