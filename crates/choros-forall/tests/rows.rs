//! Graphs and formulas whose answers were derived by hand.

mod support;

use support::check;

/// Counts up, and may stop once the counter has reached `n`.
const STOP: &str = "stg stop explicit\ninitial 0\n0 -> 1: tau / x := 0\n1 -> 1: Up[a,b] / x := x + 1\n\
                    1 -> 2: [x >= n] Stop[a,b]\n2: end\n";

/// Counts from 0 until the counter is `n`.
const COUNT: &str = "stg count explicit\ninitial 0\n0 -> 1: tau / x := 0\n\
                     1 -> 1: [x != n] Up[a,b] / x := x + 1\n1 -> 2: [x == n] Done[a,b]\n2: end\n";

/// Asks, tries again while `k < n`, and answers.
const RETRY: &str = "stg retry explicit\ninitial 0\n0 -> 1: Request[c,s].<v> / k := 0\n\
                     1 -> 1: [k < n] Retry[s,c] / k := k + m\n1 -> 0: [k >= n] Response[s,c].v\n";

/// Goes away with any `x`, steps back by `n`, and may be pushed up at any time.
const AWAY: &str = "stg away explicit\ninitial 0\n0 -> 1: Away[a,b].<x>\n1 -> 1: [x > 0] Back[a,b] / x := x - n\n\
                    1 -> 1: Push[a,b] / x := x + 1\n1 -> 0: [x <= 0] Home[a,b]\n";

/// Below 10 it counts down to the end, from 10 on it counts up.
const TEN: &str = "stg ten explicit\ninitial 0\n0 -> 0: [0 < x && x < 10] Down[a,b] / x := x - 1\n\
                   0 -> 0: [x >= 10] Up[a,b] / x := x + 1\n0 -> 1: [x <= 0] End[a,b]\n1: end\n";

/// Two loops, the inner bound new in each round.
const NESTED: &str = "stg nested explicit\ninitial 0\n0 -> 1: [i > 0] Round[a,b].<j>\n\
                      1 -> 1: [j > 0] Inner[a,b] / j := j - 1\n1 -> 0: [j <= 0] Next[a,b] / i := i - 1\n\
                      0 -> 2: [i <= 0] Done[a,b]\n2: end\n";

/// Two new values, and `p` if they are equal.
const TWO: &str = "stg two explicit\ninitial 0\n0 -> 1: X[a,b].<x>\n1 -> 2: Y[a,b].<y>\n\
                   2 -> 3: [x == y] P[a,b]\n2: end\n3: end\n";

/// An account: deposits add, withdrawals of at most the balance subtract.
const ACCOUNT: &str = "stg account explicit\ninitial 0\n0 -> 1: Deposit[c,b].<a>\n1 -> 0: [a > 0] Ok[b,c] / b := b + a\n\
                       0 -> 2: Withdraw[c,b].<a>\n2 -> 0: [0 < a && a <= b] Paid[b,c] / b := b - a\n\
                       1 -> 0: [a <= 0] No[b,c]\n2 -> 0: [a <= 0 || a > b] No[b,c]\n";
/// The same without looking at the balance.
const CREDIT: &str = "stg credit explicit\ninitial 0\n0 -> 2: Withdraw[c,b].<a>\n2 -> 0: [0 < a] Paid[b,c] / b := b - a\n\
                      2 -> 0: [a <= 0] No[b,c]\n";
/// Withdrawals only while the balance stays above `-n`, from 0 on.
const LIMIT: &str = "stg limit explicit\ninitial 0\n0 -> 1: tau / b := 0\n1 -> 2: Withdraw[c,b].<a>\n\
                     2 -> 1: [0 < a && b - a >= 0 - n] Paid[b,c] / b := b - a\n2 -> 1: [a <= 0 || b - a < 0 - n] No[b,c]\n";
/// One resource.
const GRANT: &str = "stg grant explicit\ninitial 0\n0 -> 1: Grant[s,c].<x>\n1 -> 2: Ask[c,s].<y>\n\
                     2 -> 1: [y != x] Wait[s,c]\n1 -> 0: Release[c,s].x\n2 -> 1: [y == x] Have[s,c]\n";
/// Grants again to who has it.
const AGAIN: &str = "stg again explicit\ninitial 0\n0 -> 1: Grant[s,c].<x>\n1 -> 2: Ask[c,s].<y>\n\
                     2 -> 1: [y != x] Wait[s,c]\n1 -> 0: Release[c,s].x\n2 -> 1: [y == x] Grant[s,c].y\n";
/// Two counters up together, then down together.
const BOTH: &str = "stg both explicit\ninitial 0\n0 -> 1: tau / x := 0; y := 0\n1 -> 1: Up[a,b] / x := x + 1; y := y + 1\n\
                    1 -> 2: Turn[a,b]\n2 -> 2: [x > 0] Down[a,b] / x := x - 1; y := y - 1\n2 -> 3: [x == 0] Last[a,b]\n3: end\n";
/// Counts down from 8; a side branch for `lim > 5` resets the counter only if `lim <= 5`.
const SIDE: &str = "stg side explicit\ninitial 0\n0 -> 1: tau / k := 8\n1 -> 1: [k > 0] Down[a,b] / k := k - 1\n\
                    1 -> 3: [k > 0 && lim > 5] Side[a,b]\n3 -> 1: [lim <= 5] Reset[a,b] / k := 8\n\
                    3 -> 1: [lim > 5] Back[a,b] / k := k - 1\n1 -> 2: [k <= 0] Over[a,b]\n2: end\n";

#[test]
fn rows_with_state_formulas() {
    check(&[
        (ACCOUNT, "AG b >= 0", "if b >= 0"),
        (CREDIT, "AG b >= 0", "fails"),
        (LIMIT, "AG (at 0 or b >= -5)", "if n <= 5"),
        (
            GRANT,
            "AG [Grant($v)] A[true {not Grant($v)} W {Release($v)} true]",
            "holds",
        ),
        (
            AGAIN,
            "AG [Grant($v)] A[true {not Grant($v)} W {Release($v)} true]",
            "fails",
        ),
        (BOTH, "AG (at 3 implies y == 0)", "holds"),
        (SIDE, "AF {Over} true", "holds"),
        (
            ACCOUNT,
            "AG [Withdraw($a) where $a > b] AX {No} true",
            "holds",
        ),
        (
            ACCOUNT,
            "AG [Withdraw($a) where $a >= b] AX {No} true",
            "fails",
        ),
    ]);
}

#[test]
fn rows_without_state_formulas() {
    check(&[
        (STOP, "AF {Stop} true", "fails"),
        (STOP, "EF {Stop} true", "holds"),
        (COUNT, "AF {Done} true", "if n >= 0"),
        (TEN, "AF {End} true", "if x <= 9"),
        (NESTED, "AF {Done} true", "holds"),
        (TWO, "EX {X} AX {Y} EF {P} true", "fails"),
        (TWO, "AX {X} EX {Y} EF {P} true", "holds"),
        (AWAY, "AG EF {Home} true", "if n >= 1"),
        (
            RETRY,
            "AG [Request($v)] AF {Response($v)} true",
            "if m >= 1 or n <= 0",
        ),
    ]);
}

/// Goes away with any real `x`, and steps back by `n`.
const AWAY_REAL: &str = "stg away explicit\ninitial 0\n0 -> 1: Away[a,b].<x>\n\
                         1 -> 1: [x > 0.0] Back[a,b] / x := x - n\n1 -> 1: Push[a,b] / x := x + 1.0\n\
                         1 -> 0: [x <= 0.0] Home[a,b]\n";
/// Tries again with steps of `m`.
const RETRY_REAL: &str = "stg retry explicit\ninitial 0\n0 -> 1: Request[c,s].<v> / k := 0.0\n\
                          1 -> 1: [k < n] Retry[s,c] / k := k + m\n1 -> 0: [k >= n] Response[s,c].v\n";
/// Tries again without looking.
const ENDLESS_REAL: &str = "stg endless explicit\ninitial 0\n0 -> 1: Request[c,s].<v> / k := 0.0\n\
                            1 -> 1: Retry[s,c] / k := k + 1.0\n1 -> 0: [k >= n] Response[s,c].v\n";
/// Steps of a half and of a quarter.
const HALVES: &str = "stg halves explicit\ninitial 0\n0 -> 0: [x > 0.0] Half[a,b] / x := x - 0.5\n\
                      0 -> 0: [x > 0.0] Quarter[a,b] / x := x - 0.25\n0 -> 1: [x <= 0.0] End[a,b]\n1: end\n";
/// Half of what is left: it never comes to 0.
const ZENO: &str = "stg zeno explicit\ninitial 0\n0 -> 0: [x > 0.0] Half[a,b] / x := 0.5 * x\n\
                    0 -> 1: [x <= 0.0] End[a,b]\n1: end\n";
/// The step shrinks, too.
const SHRINKS: &str = "stg shrinks explicit\ninitial 0\n0 -> 0: [x > 0.0 && d > 0.0] Back[a,b] / x := x - d; d := 0.5 * d\n\
                       0 -> 1: [x <= 0.0 || d <= 0.0] End[a,b]\n1: end\n";
/// Two loops with real numbers.
const NESTED_REAL: &str = "stg nested explicit\ninitial 0\n0 -> 1: [i > 0.0] Round[a,b].<j>\n\
                           1 -> 1: [j > 0.0] Inner[a,b] / j := j - 1.0\n1 -> 0: [j <= 0.0] Next[a,b] / i := i - 1.0\n\
                           0 -> 2: [i <= 0.0] Done[a,b]\n2: end\n";
/// A side branch for `lim > 5.0` resets the counter only if `lim <= 5.0`.
const SIDE_REAL: &str = "stg side explicit\ninitial 0\n0 -> 1: tau / k := 8.0\n1 -> 1: [k > 0.0] Down[a,b] / k := k - 1.0\n\
                         1 -> 3: [k > 0.0 && lim > 5.0] Side[a,b]\n3 -> 1: [lim <= 5.0] Reset[a,b] / k := 8.0\n\
                         3 -> 1: [lim > 5.0] Back[a,b] / k := k - 1.0\n1 -> 2: [k <= 0.0] Over[a,b]\n2: end\n";

#[test]
fn rows_with_real_numbers() {
    check(&[
        // Any positive step comes home.
        (AWAY_REAL, "AG EF {Home} true", "if n > 0.0"),
        (
            RETRY_REAL,
            "AG [Request($v)] AF {Response($v)} true",
            "if n <= 0.0 or m > 0.0",
        ),
        (
            ENDLESS_REAL,
            "AG [Request($v)] AF {Response($v)} true",
            "fails",
        ),
        (HALVES, "AF {End} true", "holds"),
        (ZENO, "AF {End} true", "if x <= 0.0"),
        (NESTED_REAL, "AF {Done} true", "holds"),
        (SIDE_REAL, "AF {Over} true", "holds"),
    ]);
}

/// A step that itself falls is not one that ends: from 3.0 by 1.0, 0.5, … it never comes to 1.0.
#[test]
fn a_step_that_changes_is_no_rank() {
    let found = support::asked(SHRINKS, "AF {End} true");
    assert_ne!(found, "holds");
}
