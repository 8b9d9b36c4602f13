//! Input that no one meant: always findings or a model, never a panic, an overflow or a hang.

mod support;

use choros_base::{Budget, has_errors};
use support::Script;

fn in_c(body: &str) -> String {
    format!("DECLARATIONS component c chorD {body} end component COMMANDS showSTG c")
}

#[test]
fn binary_garbage() {
    let bytes: Vec<u8> = (0..200_000u32)
        .map(|it| (it.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    let script = Script::new(&String::from_utf8_lossy(&bytes));
    assert!(has_errors(&script.diagnostics));
    assert!(script.diagnostics.len() < 1000);
}

#[test]
fn nothing_at_all() {
    assert_eq!(
        Script::new("").findings(),
        ["CH0001 expected `DECLARATIONS`, found the end of the text"]
    );
    assert_eq!(Script::new("DECLARATIONS").findings(), [""; 0]);
    assert!(has_errors(&Script::new("component").diagnostics));
    assert!(has_errors(
        &Script::new("DECLARATIONS component").diagnostics
    ));
    assert!(has_errors(
        &Script::new("DECLARATIONS component c").diagnostics
    ));
    assert!(has_errors(
        &Script::new("DECLARATIONS component c STG").diagnostics
    ));
}

#[test]
fn a_line_of_ten_megabytes() {
    for (part, megabytes) in [
        ("A[a,b] ; ", 10),
        ("a", 10),
        ("x ", 1),
        ("(", 1),
        (")", 1),
        ("component ", 1),
        ("[", 1),
        ("\"", 1),
    ] {
        let line = part.repeat(megabytes * 1_000_000 / part.len());
        for text in [in_c(&line), format!("DECLARATIONS COMMANDS {line}"), line] {
            let script = Script::new(&text);
            assert!(has_errors(&script.diagnostics), "{part}");
            assert!(script.diagnostics.len() < 1000, "{part}");
            for diagnostic in &script.diagnostics {
                assert!(diagnostic.message.len() < 1000, "{part}");
            }
        }
    }
}

#[test]
fn a_hundred_thousand_parentheses() {
    const DEPTH: usize = 100_000;
    let closed = format!("{}A[a,b]{}", "(".repeat(DEPTH), ")".repeat(DEPTH));
    assert_eq!(Script::new(&in_c(&closed)).codes(), ["CH0004"]);
    let open = format!("{}A[a,b]", "(".repeat(DEPTH));
    let script = Script::new(&in_c(&open));
    assert!(has_errors(&script.diagnostics));
    assert!(script.diagnostics.len() <= 3, "{:?}", script.findings());
    let guard = format!(
        "[{}x{} > 0] |> A[a,b]",
        "(".repeat(DEPTH),
        ")".repeat(DEPTH)
    );
    assert!(has_errors(&Script::new(&in_c(&guard)).diagnostics));
}

#[test]
fn long_chains_are_no_nesting() {
    const LENGTH: usize = 100_000;
    let budget = Budget::steps(300_000);
    let names: Vec<String> = (0..LENGTH)
        .map(|number| format!("m{number}[a,b]"))
        .collect();
    let mut script = Script::new(&in_c(&names.join(" ; ")));
    let stg = script.lower("c", &budget).map(|it| it.stg.counts());
    assert_eq!(stg.map(|it| it.transitions), Ok(LENGTH + 1));
    let mut script = Script::new(&in_c(&names.join(" + ")));
    let stg = script.lower("c", &budget).map(|it| it.stg.counts());
    assert_eq!(stg, Ok(support::counts(LENGTH + 1, 3, LENGTH)));
    const SHORTER: usize = 20_000;
    let names = &names[..SHORTER];
    for text in [
        names.join(" | "),
        names.join(" [> "),
        format!("{}A[a,b]", "[x > 0] |> ".repeat(SHORTER)),
        format!("{}A[a,b]", "[x > 0] * ".repeat(SHORTER)),
        format!("{}A[a,b]", "[x > 0] * [x > 1] |> ".repeat(SHORTER)),
        format!("skip{}", " ; skip".repeat(SHORTER)),
        format!("{}skip", "[x > 0] |> skip ; ".repeat(SHORTER)),
        (0..SHORTER)
            .map(|number| format!("[x > {number}] |> skip"))
            .collect::<Vec<_>>()
            .join(" ; "),
        format!("(skip + A[a,b]){}", " ; (skip + A[a,b])".repeat(SHORTER)),
        format!("(skip + A[a,b]){}", " | (skip + A[a,b])".repeat(SHORTER)),
    ] {
        let mut script = Script::new(&in_c(&text));
        // A graph or the budget: both are answers.
        let budget = Budget::steps(20_000);
        let _ = script.lower("c", &budget);
        assert!(!has_errors(&script.diagnostics), "{:?}", script.findings());
    }
}

#[test]
fn many_components() {
    const COUNT: usize = 5_000;
    let mut text = String::from("DECLARATIONS\n");
    for number in 0..COUNT {
        text += &format!("component c{number} chorD A[a,b] end component\n");
    }
    // Each composition contains the one before.
    text += "component k0 chorD c0 || c1 end component\n";
    for number in 1..COUNT {
        text += &format!(
            "component k{number} chorD k{} || c1 end component\n",
            number - 1
        );
    }
    text += "COMMANDS showStat";
    for number in 0..COUNT {
        text += &format!(" x{number}");
    }
    let script = Script::new(&text);
    assert!(script.codes().contains(&"CH0101"));
    assert!(script.diagnostics.len() <= 300);
    let last = script.model.find(&format!("k{}", COUNT - 1), &script.terms);
    let parts = last.and_then(|id| script.model.parts(id));
    assert_eq!(parts.map(|it| it.len()), Some(2));
}

#[test]
fn windows_line_ends_and_a_byte_order_mark() {
    let unix = "DECLARATIONS\n// comment\ncomponent c chorD\n  A[a,b] ;\n  B[b,a]?\nend component\nCOMMANDS\nshowSTG c\n";
    let windows = format!("\u{feff}{}", unix.replace('\n', "\r\n"));
    let mut script = Script::new(&windows);
    assert_eq!(script.codes(), ["CH0110"]);
    assert_eq!(script.counts("c"), Script::new(unix).counts("c"));
    assert_eq!(script.model.commands()[0].text, "showSTG c");
}

#[test]
fn unknown_words() {
    let script =
        Script::new("DECLARTIONS component c chord A[a,b] end component COMANDS showSTG c");
    assert_eq!(
        script.findings(),
        [
            "CH0001 expected `DECLARATIONS`, found `DECLARTIONS`",
            "CH0001 expected `chorD` or `STG`, found `chord`",
            "CH0001 expected `COMMANDS`, found `COMANDS`",
        ]
    );
}

#[test]
fn unclosed_text_and_comments() {
    let script = Script::new(
        "DECLARATIONS component c STG 0; 1; 0 -> 1 [label=\"A[a,b]\n]; end component COMMANDS showSTG c",
    );
    assert_eq!(script.codes(), ["CH0006"]);
    let script = Script::new("DECLARATIONS component c chorD A[a,b] end component /* COMMANDS");
    assert_eq!(script.codes(), ["CH0006"]);
}
