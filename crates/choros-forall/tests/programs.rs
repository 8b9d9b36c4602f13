//! Small programs over integers with branching-time questions, as suites for such checkers have them: locations,
//! assumptions, assignments and free choices. Answered by hand; a comment says why the answer is so.

mod support;

use support::check;

/// Acquires, works for any time, releases; may leave between rounds.
const FRAG: &str = "stg frag explicit\ninitial 0\n0 -> 1: tau / a := 0; r := 0\n1 -> 2: Acquire[a,b] / a := 1\n\
    2 -> 3: Any[a,b].<n> / a := 0\n3 -> 3: [n > 0] Work[a,b] / n := n - 1\n\
    3 -> 4: [n <= 0] Release[a,b] / r := 1\n4 -> 1: Next[a,b] / r := 0\n1 -> 5: Leave[a,b]\n\
    5 -> 5: Idle[a,b]\n";

/// The same, but it may spin while it works.
const SPIN: &str = "stg spin explicit\ninitial 0\n0 -> 1: Acquire[a,b]\n1 -> 2: Any[a,b].<n>\n\
    2 -> 2: [n > 0] Work[a,b] / n := n - 1\n2 -> 2: Spin[a,b]\n2 -> 0: [n <= 0] Release[a,b]\n";

/// A flag is cleared by work and set by waking.
const WAKE: &str = "stg wake explicit\ninitial 0\n0 -> 1: tau / w := 1\n1 -> 2: [w == 1] Work[a,b] / w := 0\n\
    1 -> 2: [w != 1] Sleep[a,b]\n2 -> 3: Timer[a,b].<t>\n3 -> 3: [t > 0] Wait[a,b] / t := t - 1\n\
    3 -> 1: [t <= 0] Wake[a,b] / w := 1\n";

/// Counts up to m by k, then starts again.
const TURN: &str = "stg turn explicit\ninitial 0\n0 -> 1: tau / r := 0\n1 -> 1: [r < m] Up[a,b] / r := r + k\n\
    1 -> 1: [r >= m] Reset[a,b] / r := 0\n";

/// Counts up to 100, then starts again.
const ROUND: &str = "stg round explicit\ninitial 0\n0 -> 1: tau / r := 0\n1 -> 1: [r < 100] Up[a,b] / r := r + 1\n\
    1 -> 1: [r >= 100] Reset[a,b] / r := 0\n";

/// Serves c customers.
const SERVE: &str = "stg serve explicit\ninitial 0\n0 -> 1: tau / r := 0\n\
    1 -> 1: [c > 0] Serve[a,b] / c := c - 1; r := r + 1\n1 -> 2: [c <= 0] Closed[a,b]\n\
    2 -> 2: Idle[a,b]\n";

/// Up to n, then down to 0, in one place.
const PHASES: &str = "stg phases explicit\ninitial 0\n0 -> 1: tau / f := 0\n\
    1 -> 1: [f == 0 && x < n] Up[a,b] / x := x + 1\n\
    1 -> 1: [f == 0 && x >= n] Switch[a,b] / f := 1\n\
    1 -> 1: [f == 1 && x > 0] Down[a,b] / x := x - 1\n1 -> 2: [f == 1 && x <= 0] End[a,b]\n\
    2 -> 2: Idle[a,b]\n";

/// Three phases, each of a counter.
const THREE: &str = "stg three explicit\ninitial 0\n0 -> 0: [x > 0] X[a,b] / x := x - 1; y := y + 1\n\
    0 -> 1: [x <= 0] Two[a,b]\n1 -> 1: [y > 0] Y[a,b] / y := y - 1; z := z + 1\n\
    1 -> 2: [y <= 0] Three[a,b]\n2 -> 2: [z > 0] Z[a,b] / z := z - 1\n2 -> 3: [z <= 0] End[a,b]\n\
    3 -> 3: Idle[a,b]\n";

/// X or y falls, as it likes, while both are positive.
const EITHER: &str = "stg either explicit\ninitial 0\n0 -> 0: [x > 0 && y > 0] X[a,b] / x := x - 1\n\
    0 -> 0: [x > 0 && y > 0] Y[a,b] / y := y - 1\n0 -> 1: [x <= 0 || y <= 0] End[a,b]\n\
    1 -> 1: Idle[a,b]\n";

/// X falls and y takes any value, or y falls.
const SWAP: &str = "stg swap explicit\ninitial 0\n0 -> 0: [x > 0 && y > 0] Y[a,b] / y := y - 1\n\
    0 -> 1: [x > 0 && y > 0] X[a,b] / x := x - 1\n1 -> 0: Any[a,b].<y>\n\
    0 -> 2: [x <= 0 || y <= 0] End[a,b]\n2 -> 2: Idle[a,b]\n";

/// X falls if y is positive, otherwise y becomes x and x stays.
const UPDOWN: &str = "stg updown explicit\ninitial 0\n0 -> 0: [x > 0 && y > 0] X[a,b] / x := x - 1\n\
    0 -> 0: [x > 0 && y <= 0] Y[a,b] / y := x\n0 -> 1: [x <= 0] End[a,b]\n1 -> 1: Idle[a,b]\n";

/// Y runs after x, both grow.
const GAP: &str = "stg gap explicit\ninitial 0\n0 -> 0: [y < x] Step[a,b] / x := x + 1; y := y + 2\n\
    0 -> 1: [y >= x] End[a,b]\n1 -> 1: Idle[a,b]\n";

/// Three loops, the bounds of the inner ones new in each round.
const NEST: &str = "stg nest explicit\ninitial 0\n0 -> 1: [i > 0] A[a,b].<j>\n1 -> 2: [j > 0] B[a,b].<k>\n\
    1 -> 0: [j <= 0] Next[a,b] / i := i - 1\n2 -> 2: [k > 0] C[a,b] / k := k - 1\n\
    2 -> 1: [k <= 0] D[a,b] / j := j - 1\n0 -> 3: [i <= 0] Done[a,b]\n3 -> 3: Idle[a,b]\n";

/// Rows and cells.
const ROWS: &str = "stg rows explicit\ninitial 0\n0 -> 1: tau / i := 0\n1 -> 2: [i < n] Row[a,b] / j := i\n\
    2 -> 2: [j < n] Cell[a,b] / j := j + 1\n2 -> 1: [j >= n] Next[a,b] / i := i + 1\n\
    1 -> 3: [i >= n] Done[a,b]\n3 -> 3: Idle[a,b]\n";

/// X falls if the datum says so.
const CHOICE: &str = "stg choice explicit\ninitial 0\n0 -> 1: [x > 0] Go[a,b].<b>\n\
    1 -> 0: [b > 0] Less[a,b] / x := x - 1\n1 -> 0: [b <= 0] Stay[a,b]\n\
    0 -> 2: [x <= 0] Done[a,b]\n2 -> 2: Idle[a,b]\n";

/// Puts below its capacity and takes above 0.
const BUFFER: &str = "stg buffer explicit\ninitial 0\n0 -> 1: tau / q := 0\n1 -> 1: [q < cap] Put[a,b] / q := q + 1\n\
    1 -> 1: [q > 0] Take[a,b] / q := q - 1\n";

/// Takes tickets and serves them.
const TICKETS: &str = "stg tickets explicit\ninitial 0\n0 -> 0: Take[a,b] / t := t + 1\n\
    0 -> 0: [s < t] Serve[a,b] / s := s + 1\n";

#[test]
fn what_is_acquired_is_released() {
    check(&[
        // N falls to 0, and the next step releases.
        (FRAG, "AG (at 0 or (a == 1 implies AF r == 1))", "holds"),
        // The same by messages.
        (FRAG, "AG [Acquire] AF {Release} true", "holds"),
        // It may go round forever.
        (FRAG, "AF at 5", "fails"),
        // The same run.
        (FRAG, "EG not at 5", "holds"),
        // Any number falls to 0, and between rounds it may leave.
        (FRAG, "AG EF at 5", "holds"),
        // After leaving it idles.
        (FRAG, "AG (at 5 implies AG not at 2)", "holds"),
        // It may spin forever.
        (SPIN, "AG [Acquire] AF {Release} true", "fails"),
        // It need not.
        (SPIN, "AG [Acquire] EF {Release} true", "holds"),
        // The same run.
        (SPIN, "AG AF {Acquire} true", "fails"),
        // Every run that works.
        (SPIN, "EG EF {Acquire} true", "holds"),
    ]);
}

#[test]
fn what_is_reset_comes_again() {
    check(&[
        // The timer runs out.
        (WAKE, "AG (at 0 or AF w == 1)", "holds"),
        // After waking w is 1.
        (WAKE, "AG AF {Work} true", "holds"),
        // It never sleeps, because w is 1 at 1.
        (WAKE, "AF {Sleep} true", "fails"),
        // R must grow if it is below m.
        (TURN, "AG AF {Reset} true", "if k >= 1 or m <= 0"),
        // There is no choice.
        (TURN, "AG EF {Reset} true", "if k >= 1 or m <= 0"),
        // There is no choice.
        (TURN, "EF {Reset} true", "if m <= 0 or k >= 1"),
        // 0 is where it starts again.
        (ROUND, "AG (at 0 or AF r == 0)", "holds"),
        // It grows only below 100.
        (ROUND, "AG (at 0 or r <= 100)", "holds"),
        // It starts again.
        (ROUND, "AF AG r >= 50", "fails"),
    ]);
}

#[test]
fn what_is_asked_is_served() {
    check(&[
        // C + r does not change.
        (
            SERVE,
            "(at 0 and c > 5) implies AF (at 2 and r > 5)",
            "holds",
        ),
        // R does not fall.
        (SERVE, "AF (at 2 and r >= 0)", "holds"),
        // C falls to 0.
        (SERVE, "AF AG c <= 0", "holds"),
        // R ends as c was, if that is positive.
        (SERVE, "AF (at 2 and r == 3)", "if c == 3"),
        // It has served 4.
        (SERVE, "EF (at 1 and r >= 4)", "if c >= 4"),
    ]);
}

#[test]
fn one_phase_after_the_other() {
    check(&[
        // First n - x falls, then x.
        (PHASES, "AF {End} true", "holds"),
        // X falls.
        (PHASES, "AG ((at 1 and f == 1) implies AF at 2)", "holds"),
        // The end is for good.
        (PHASES, "AF AG at 2", "holds"),
        // X, then y, then z.
        (THREE, "AF at 3", "holds"),
        // Z falls.
        (THREE, "AG (at 2 implies AF z <= 0)", "holds"),
        // Y fell to 0 before, or was below.
        (THREE, "AG (at 2 implies y <= 0)", "holds"),
    ]);
}

#[test]
fn two_counters() {
    check(&[
        // X + y falls.
        (EITHER, "AF {End} true", "holds"),
        // Y falls alone.
        (EITHER, "EF (at 1 and x > 0)", "if x >= 1"),
        // X + y falls.
        (EITHER, "EG at 0", "fails"),
        // Lexicographic: x, then y.
        (SWAP, "AF {End} true", "holds"),
        // From 1 too.
        (SWAP, "AG AF at 2", "holds"),
        // Any y when x falls to 0.
        (
            SWAP,
            "EF (at 2 and y == 7)",
            "if x >= 1 and y >= 1 or y == 7",
        ),
        // Y is set at most once, as x > 0 then.
        (UPDOWN, "AF {End} true", "holds"),
        // X - y falls by one.
        (GAP, "AF {End} true", "holds"),
        // A gap above 0 falls by one to 0.
        (GAP, "AF (at 1 and y == x)", "if x >= y"),
    ]);
}

#[test]
fn loops_in_loops() {
    check(&[
        // Lexicographic: i, then j, then k.
        (NEST, "AF {Done} true", "holds"),
        // K falls.
        (NEST, "AG (at 2 implies AF at 1)", "holds"),
        // J and k fall.
        (NEST, "AG AF (at 0 or at 3)", "holds"),
        // N - i falls, then n - j.
        (ROWS, "AF at 3", "holds"),
        // J starts below n and grows only below n.
        (ROWS, "AG (at 2 implies j <= n)", "holds"),
        // The guard.
        (ROWS, "AG (at 3 implies i >= n)", "holds"),
    ]);
}

#[test]
fn free_choices() {
    check(&[
        // It may stay.
        (CHOICE, "AF {Done} true", "if x <= 0"),
        // It need not.
        (CHOICE, "EF {Done} true", "holds"),
        // From anywhere.
        (CHOICE, "AG (at 2 or EF {Done} true)", "holds"),
        // It stays.
        (CHOICE, "EG x > 0", "if x >= 1"),
    ]);
}

#[test]
fn a_bounded_buffer() {
    check(&[
        // It takes above 0 only.
        (BUFFER, "AG (at 0 or q >= 0)", "holds"),
        // It starts with 0 and puts below cap only.
        (BUFFER, "AG (at 0 or q <= cap)", "if cap >= 0"),
        // It can put, and then take.
        (BUFFER, "AG EF {Take} true", "if cap >= 1"),
        // Put and take in turn, or nothing at all.
        (BUFFER, "EG (at 0 or q <= 1)", "holds"),
        // It cannot put forever.
        (BUFFER, "AF {Take} true", "if cap >= 1"),
        // It puts five times.
        (BUFFER, "EF (at 1 and q == 5)", "if cap >= 5"),
    ]);
}

#[test]
fn tickets() {
    check(&[
        // It serves only below t.
        (TICKETS, "AG s <= t", "if s <= t"),
        // Above it takes, below it serves.
        (TICKETS, "AG EF s == t", "holds"),
        // From below it may take forever; from above it takes until they meet.
        (TICKETS, "AF s == t", "if s >= t"),
        // It takes forever.
        (TICKETS, "EG s < t", "if s < t"),
    ]);
}
