//! Small programs over integers with branching-time questions, answered by hand.
//!
//! Each is a loop with assumptions as guards and free choices as messages; a comment says why the answer is so.

mod support;

use support::check;

/// While `x > 0`, one less.
const DOWN: &str = "stg down explicit\ninitial 0\n0 -> 0: [x > 0] Step[a,b] / x := x - 1\n0 -> 1: [x <= 0] End[a,b]\n1 -> 1: Idle[a,b]\n";
/// While `x > 0`, one more.
const UP: &str = "stg up explicit\ninitial 0\n0 -> 0: [x > 0] Step[a,b] / x := x + 1\n0 -> 1: [x <= 0] End[a,b]\n1 -> 1: Idle[a,b]\n";
/// While `x > 0`, less by any `d >= 1`, or by one.
const ANY: &str = "stg any explicit\ninitial 0\n0 -> 1: [x > 0] Pick[a,b].<d>\n1 -> 0: [d >= 1] Big[a,b] / x := x - d\n\
                   1 -> 0: [d < 1] Small[a,b] / x := x - 1\n0 -> 2: [x <= 0] End[a,b]\n2: end\n";
/// While `x > 0`, less by any `d >= 1`, or not at all.
const LAZY: &str = "stg lazy explicit\ninitial 0\n0 -> 1: [x > 0] Pick[a,b].<d>\n1 -> 0: [d >= 1] Big[a,b] / x := x - d\n\
                    1 -> 0: [d < 1] Small[a,b]\n0 -> 2: [x <= 0] End[a,b]\n2: end\n";
/// While `x < y`, one more.
const REACH: &str = "stg reach explicit\ninitial 0\n0 -> 0: [x < y] Step[a,b] / x := x + 1\n0 -> 1: [x >= y] End[a,b]\n1: end\n";
/// While `x < y`, either one grows.
const RACE: &str = "stg race explicit\ninitial 0\n0 -> 0: [x < y] Near[a,b] / x := x + 1\n0 -> 0: [x < y] Far[a,b] / y := y + 1\n\
                    0 -> 1: [x >= y] End[a,b]\n1: end\n";
/// While `x != y`, one more.
const MEET: &str = "stg meet explicit\ninitial 0\n0 -> 0: [x != y] Step[a,b] / x := x + 1\n0 -> 1: [x == y] End[a,b]\n1: end\n";
/// One more forever.
const CLOCK: &str = "stg clock explicit\ninitial 0\n0 -> 0: Tock[a,b] / x := x + 1\n";
/// One less forever.
const FALL: &str = "stg fall explicit\ninitial 0\n0 -> 0: Fall[a,b] / x := x - 1\n";
/// Any number, and back to 0 by steps of one.
const SPRING: &str = "stg spring explicit\ninitial 0\n0 -> 1: tau / x := 0\n1 -> 1: [x == 0] Set[a,b].<x>\n\
                      1 -> 1: [x > 0] Less[a,b] / x := x - 1\n1 -> 1: [x < 0] More[a,b] / x := x + 1\n";

#[test]
fn what_is_inevitable() {
    check(&[
        // The rank is x.
        (DOWN, "AF {End} true", "holds"),
        // A positive x grows forever.
        (UP, "AF {End} true", "if x <= 0"),
        (ANY, "AF {End} true", "holds"),
        // A d below 1 changes nothing, again and again.
        (LAZY, "AF {End} true", "if x <= 0"),
        // The rank is y - x.
        (REACH, "AF {End} true", "holds"),
        // Both may grow in turn.
        (RACE, "AF {End} true", "if x >= y"),
        // From above y it never comes back.
        (MEET, "AF {End} true", "if x <= y"),
        // After the loop only Idle follows.
        (DOWN, "AF AG at 1", "holds"),
        (DOWN, "AG (x > 5 implies AF x <= 5)", "holds"),
        // Above 0 the rank is x, below it -x.
        (SPRING, "AG (at 0 or AF x == 0)", "holds"),
    ]);
}

#[test]
fn what_is_possible() {
    check(&[
        (LAZY, "EF {End} true", "holds"),
        // After the end it does not end again.
        (LAZY, "AG EF {End} true", "fails"),
        (LAZY, "AG (at 2 or not EX true or EF {End} true)", "holds"),
        // It stays above 0 by being lazy.
        (LAZY, "EG x > 0", "if x >= 1"),
        (RACE, "EF {End} true", "holds"),
        // It ends with 0 if it comes from above, and with x itself otherwise.
        (DOWN, "EF AG x == 0", "if x >= 0"),
        // What is above 5 stays there; what is above 0 gets there.
        (UP, "AG (x > 5 implies EF x <= 5)", "if x <= 0"),
        (CLOCK, "E[x < 10 U x == 10]", "if x <= 10"),
    ]);
}

#[test]
fn what_stays_so() {
    check(&[
        (DOWN, "AG x >= 0", "if x >= 0"),
        (DOWN, "A[x > 0 U x == 0]", "if x >= 0"),
        // From 7 on it meets 7 on its way down; from below it falls below 0 first.
        (FALL, "A[x >= 0 W x == 7]", "if x >= 7"),
        (CLOCK, "AX AX x >= 2", "if x >= 0"),
        (FALL, "EF x == 3", "if x >= 3"),
        (FALL, "AG EF x == 3", "fails"),
    ]);
}
