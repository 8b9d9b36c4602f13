//! Small programs under assumptions of fairness, answered by hand; a comment says why the answer is so.

mod support;

use support::asked_fairly;

/// Counts up, may give up from n on, and may be acknowledged at any time.
const COUNT: &str = "stg count explicit\ninitial 0\n0 -> 1: tau / x := 0\n1 -> 1: Retry[a,b] / x := x + 1\n\
                     1 -> 2: Ack[a,b].x\n1 -> 3: [x >= n] Give[a,b]\n2: end\n3: end\n";
/// Works down to 0, may be idle at any time, and then stops.
const WORK: &str = "stg work explicit\ninitial 0\n0 -> 0: [x > 0] Work[a,b] / x := x - 1\n0 -> 0: Idle[a,b]\n\
                    0 -> 1: [x <= 0] Stop[a,b]\n1 -> 1: Rest[a,b]\n";
/// Up by one to n, may be idle.
const MEET: &str = "stg meet explicit\ninitial 0\n0 -> 1: tau / x := 0\n1 -> 1: [x != n] Work[a,b] / x := x + 1\n\
                    1 -> 1: Idle[a,b]\n1 -> 2: [x == n] Stop[a,b]\n2: end\n";
/// A request and its answer; the server may be busy with others in between.
const SERVE: &str = "stg serve explicit\ninitial 0\n0 -> 1: Ask[c,s].<v>\n1 -> 1: Other[s,s2]\n\
                     1 -> 0: Answer[s,c].v\n0 -> 0: Other[s,s2]\n";
/// Takes turns: the left one is possible only after the right one.
const TURNS: &str = "stg turns explicit\ninitial 0\n0 -> 1: Left[a,b]\n1 -> 0: Right[a,b]\n0 -> 0: Idle[a,b]\n1 -> 1: Idle[a,b]\n";
/// The way out is possible again and again, but not always.
const BLINK: &str = "stg blink explicit\ninitial 0\n0 -> 1: Shut[a,b]\n1 -> 0: Open[a,b]\n0 -> 2: Out[a,b]\n2 -> 2: Rest[a,b]\n";
/// Two loops, each with someone idle.
const NESTED: &str = "stg nested explicit\ninitial 0\n0 -> 1: [i > 0] Round[a,b].<j>\n0 -> 0: Idle[a,b]\n\
                      1 -> 1: [j > 0] Inner[a,b] / j := j - 1\n1 -> 1: Idle[a,b]\n\
                      1 -> 0: [j <= 0] Next[a,b] / i := i - 1\n0 -> 2: [i <= 0] Done[a,b]\n2 -> 2: Idle[a,b]\n";
/// A sender repeats its message; it is lost or comes through.
const LOSSY: &str = "stg lossy explicit\ninitial 0\n0 -> 1: Send[a,b].<m>\n1 -> 1: Lost[a,b]\n1 -> 2: Through[a,b].m\n\
                     2 -> 2: Again[b,a]\n2 -> 0: Ack[b,a].m\n";
/// Both parts of a pair can go on; the second one brings any number.
const PAIR: &str = "stg pair explicit\ninitial 0\n0 -> 0: Up[a,b] / x := x + 1\n0 -> 0: Any[a,b].<y>\n\
                    0 -> 1: [y > x] Off[a,b]\n1 -> 1: Rest[a,b]\n";

fn check(rows: &[(&str, &str, &[&str], &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(stg, formula, fair, expected)| {
            let found = asked_fairly(stg, formula, fair);
            let text = format!("{formula} with {fair:?}\n  expected {expected}\n  found {found}");
            (found != *expected).then_some(text)
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_always_possible_is_done() {
    check(&[
        // Acknowledging is possible until it is done.
        (COUNT, "AF {Ack or Give} true", &["Ack"], "holds"),
        // It may give up, whatever n is.
        (COUNT, "AF {Ack} true", &["Ack"], "fails"),
        // It retries forever if nothing is fair to acknowledging.
        (COUNT, "AF {Ack or Give} true", &["Retry"], "fails"),
        // Retrying is always possible; it reaches n, and giving up is always possible from then on.
        (COUNT, "AF {Ack or Give} true", &["Give"], "holds"),
        // It may be acknowledged.
        (COUNT, "EG not at 3", &["Give"], "holds"),
        (COUNT, "EG at 1", &["Give"], "fails"),
    ]);
}

#[test]
fn work_that_is_possible_goes_on() {
    check(&[
        // The rank is x; work is possible as long as it is positive, then stopping is.
        (WORK, "AF {Stop} true", &["Work", "Stop"], "holds"),
        (WORK, "AF {Stop} true", &["Work or Stop"], "holds"),
        // Without work it stays above 0.
        (WORK, "AF {Stop} true", &["Stop"], "if x <= 0"),
        (WORK, "AF {Stop} true", &["Work"], "fails"),
        (WORK, "AF x <= 0", &["Work"], "holds"),
        (WORK, "EG x > 0", &["Work"], "fails"),
        (WORK, "EG x > 0", &["Idle"], "if x >= 1"),
        (WORK, "AG AF at 1", &["Work or Stop"], "holds"),
        // From above n it never comes back.
        (MEET, "AF {Stop} true", &["Work", "Stop"], "if n >= 0"),
        (MEET, "AF {Stop} true", &["Idle"], "fails"),
    ]);
}

#[test]
fn requests_are_answered() {
    check(&[
        (
            SERVE,
            "AG [Ask($v)] AF {Answer($v)} true",
            &["Answer"],
            "holds",
        ),
        (SERVE, "AG [Ask($v)] AF {Answer($v)} true", &[], "fails"),
        (
            SERVE,
            "AG [Ask($v)] AF {Answer($v)} true",
            &["Other"],
            "fails",
        ),
        (
            LOSSY,
            "AG [Send($m)] AF {Ack($m)} true",
            &["Through", "Ack"],
            "holds",
        ),
        (
            LOSSY,
            "AG [Send($m)] AF {Ack($m)} true",
            &["Through"],
            "fails",
        ),
        (
            LOSSY,
            "AG [Send($m)] AF {Ack($m)} true",
            &["Through or Ack"],
            "holds",
        ),
    ]);
}

#[test]
fn turns_are_taken() {
    check(&[
        (TURNS, "AG AF {Left} true", &["Left", "Right"], "holds"),
        (TURNS, "AG AF {Left} true", &["Left"], "fails"),
        // Weak: the way out is shut again and again.
        (BLINK, "AF {Out} true", &["Out"], "fails"),
        (BLINK, "AF {Out} true", &["Out", "Open"], "fails"),
    ]);
}

#[test]
fn loops_with_idle_ones() {
    check(&[
        (
            NESTED,
            "AF {Done} true",
            &["Round", "Inner", "Next", "Done"],
            "holds",
        ),
        (NESTED, "AF {Done} true", &["not Idle"], "holds"),
        // Any may always bring something below x.
        (PAIR, "AF {Off} true", &["Up", "Any", "Off"], "fails"),
        (PAIR, "EG at 0", &["Up", "Any", "Off"], "holds"),
    ]);
}
