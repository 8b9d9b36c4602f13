//! Names that mean the same although they are written differently: `PlaceOrder`, `place_order`, `com.acme.PlaceOrder.v2`.

use std::collections::BTreeSet;

/// The words of a name, in small letters: at signs, and where a capital letter follows a small one.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let letters: Vec<char> = name.chars().collect();
    for (at, &letter) in letters.iter().enumerate() {
        if !letter.is_alphanumeric() {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            continue;
        }
        let before = at.checked_sub(1).map(|it| letters[it]);
        let next_is_small = letters.get(at + 1).is_some_and(|it| it.is_lowercase());
        let begins = match before {
            // `orderId`, and the last letter of `HTTPServer`'s first word.
            Some(before) if letter.is_uppercase() => {
                before.is_lowercase() || before.is_numeric() || next_is_small
            }
            _ => false,
        };
        if begins && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        word.extend(letter.to_lowercase());
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

/// The words that tell something: without versions and what every address has.
pub(super) fn telling(name: &str) -> Vec<String> {
    const NOISE: [&str; 26] = [
        "service",
        "services",
        "svc",
        "srv",
        "server",
        "api",
        "app",
        "rest",
        "http",
        "https",
        "com",
        "org",
        "net",
        "io",
        "local",
        "localhost",
        "cluster",
        "default",
        "prod",
        "www",
        "internal",
        "outbound",
        "inbound",
        "rpc",
        "grpc",
        "public",
    ];
    let all = words(name);
    let is_version = |word: &str| {
        let digits = word.strip_prefix('v').unwrap_or(word);
        !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit())
    };
    let told = |word: &&String| !is_version(word) && !NOISE.contains(&word.as_str());
    let found: Vec<String> = all.iter().filter(told).cloned().collect();
    if found.is_empty() { all } else { found }
}

/// A word without its ending: `orders`, `ordering` and `order` are one.
pub(super) fn stem(word: &str) -> &str {
    for ending in ["ing", "ied", "ies", "ed", "es", "s", "e", "y"] {
        if let Some(stem) = word.strip_suffix(ending)
            && stem.len() >= 3
        {
            return stem;
        }
    }
    word
}

fn stems<'w>(words: impl IntoIterator<Item = &'w String>) -> BTreeSet<String> {
    words.into_iter().map(|it| stem(it).to_owned()).collect()
}

/// How much a name outside looks like a name of the model, in hundredths; 0 is not at all.
pub(super) fn likeness(own: &str, outside: &str) -> u32 {
    let (own, outside) = (words(own), telling(outside));
    if own.is_empty() || outside.is_empty() {
        return 0;
    }
    if own == outside {
        return 100;
    }
    let ends = |long: &[String], short: &[String]| long.ends_with(short);
    if ends(&outside, &own) {
        return 95;
    }
    if own.concat() == outside.concat() || outside.last() == Some(&own.concat()) {
        return 90;
    }
    let (own_stems, outside_stems) = (stems(&own), stems(&outside));
    let shared = own_stems.intersection(&outside_stems).count();
    if shared == 0 {
        return 0;
    }
    let recall = shared * 60 / own_stems.len();
    let precision = shared * 25 / outside_stems.len();
    // `Reserved` is not `Reserve`, where both are there.
    (recall + precision) as u32
}

/// How much a request looks like a name of the model, in hundredths.
pub(super) fn request_likeness(own: &str, method: Option<&str>, path: &str) -> u32 {
    let fixed: Vec<&str> = path
        .split('/')
        .filter(|it| !it.is_empty() && !it.starts_with('{'))
        .collect();
    let said = telling(&fixed.join("/"));
    let own = words(own);
    let last = said.last().cloned().into_iter().collect::<Vec<_>>();
    if own == said {
        return 100;
    }
    if own == last || own.concat() == last.concat() {
        return 95;
    }
    let verbs: &[&str] = match method {
        Some("POST") => &[
            "create", "place", "add", "new", "submit", "post", "make", "open", "start", "request",
            "send", "register",
        ],
        Some("GET") => &[
            "get", "read", "fetch", "list", "query", "find", "ask", "look",
        ],
        Some("DELETE") => &["delete", "remove", "cancel", "drop", "close"],
        Some("PUT" | "PATCH") => &["update", "set", "change", "put", "replace", "confirm"],
        _ => &[],
    };
    let stems_said = stems(&said);
    let mut points = 0;
    for word in &own {
        if stems_said.contains(stem(word)) {
            points += 80;
        } else if verbs.contains(&word.as_str()) {
            points += 60;
        }
    }
    let shared = own.iter().any(|word| stems_said.contains(stem(word)));
    if shared { points / own.len() as u32 } else { 0 }
}

/// Whether one label is short for another: `qty` for `quantity`.
pub(super) fn is_short_for(short: &str, long: &str) -> bool {
    if short.len() < 3 || short.len() >= long.len() || !short.is_ascii() {
        return false;
    }
    let ends_alike =
        short.chars().next() == long.chars().next() && short.chars().last() == long.chars().last();
    let mut rest = long.chars();
    ends_alike && short.chars().all(|letter| rest.any(|it| it == letter))
}

/// Whether an answer with this name and a status are both of success, or both of failure.
pub(super) fn agrees(answer: &str, status: u16) -> bool {
    const BAD: [&str; 20] = [
        "reject",
        "declin",
        "cancel",
        "fail",
        "error",
        "den",
        "refus",
        "invalid",
        "not",
        "out",
        "unavailabl",
        "conflict",
        "bad",
        "no",
        "abort",
        "miss",
        "unknown",
        "expir",
        "forbidden",
        "insufficient",
    ];
    let is_bad = words(answer).iter().any(|word| BAD.contains(&stem(word)));
    is_bad == (status >= 400)
}

/// Whether an answer with this name often has this status: the likelier one is shown first where one must be chosen.
pub(super) fn is_usual(answer: &str, status: u16) -> bool {
    let words = words(answer);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&stem(word)));
    match status {
        402 => has(&["declin", "pay", "cancel"]),
        404 => has(&["not", "unknown", "miss"]),
        409 => has(&["conflict", "out", "reject", "stock"]),
        400 | 422 => has(&["invalid", "reject", "bad"]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{agrees, is_short_for, is_usual, likeness, request_likeness, telling, words};

    #[test]
    fn words_of_names() {
        assert_eq!(words("PlaceOrder"), ["place", "order"]);
        assert_eq!(
            words("HTTPServer_v2.orderId"),
            ["http", "server", "v2", "order", "id"]
        );
        assert_eq!(
            telling("com.acme.shop.PlaceOrder.v1"),
            ["acme", "shop", "place", "order"]
        );
        assert_eq!(telling("order-svc:8080"), ["order"]);
        assert_eq!(telling("/services/order"), ["order"]);
        assert!(words("").is_empty() && words("—…").is_empty());
    }

    #[test]
    fn the_likest_name_wins() {
        assert!(likeness("PlaceOrder", "com.acme.shop.PlaceOrder.v1") > 90);
        assert!(likeness("Reserved", "Reserved") > likeness("Reserve", "Reserved"));
        assert!(likeness("PlaceOrder", "order.placed") > likeness("Charge", "order.placed"));
        assert_eq!(likeness("Charge", "release"), 0);
        assert!(request_likeness("PlaceOrder", Some("POST"), "/v1/orders") > 60);
        assert!(request_likeness("Release", Some("POST"), "/release/{id}") > 90);
        assert_eq!(request_likeness("Charge", Some("POST"), "/orders"), 0);
        assert!(is_short_for("qty", "quantity") && !is_short_for("id", "identity"));
        assert!(agrees("OutOfStock", 409) && !agrees("Reserved", 409));
        assert!(agrees("Confirmed", 201) && !agrees("Rejected", 201));
        assert!(is_usual("Declined", 402) && !is_usual("Rejected", 402));
    }
}
