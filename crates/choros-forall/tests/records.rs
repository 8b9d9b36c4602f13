//! Records: what is asked about them is asked about their fields.

mod support;

use support::check;

/// Two records, and whether they have the same number.
const TWO: &str = "stg two explicit\nvariables r: {id: Int, n: Int}, s: {id: Int, n: Int}\ninitial 0\n\
                   0 -> 1: Ask[a,b].<r>\n1 -> 2: Select[a,b].<s>\n2 -> 3: [s.id == r.id] Ok[b,a].r\n\
                   2 -> 3: [s.id != r.id] Bad[b,a]\n3: end\n";

#[test]
fn fields_are_new_data_too() {
    check(&[
        // Another number may come.
        (TWO, "AG [Select] AF {Ok} true", "fails"),
        // Some record has the number, and some has another one.
        (TWO, "AX EX {Select} AF {Ok} true", "holds"),
        (TWO, "AX EX {Select} AF {Bad} true", "holds"),
        // One of the answers is possible.
        (TWO, "AX AX EF {end} true", "holds"),
        // The answer has the first record; not every second one has its number.
        (TWO, "AG [Ask($r)] AX EX {Ok($r)} true", "fails"),
        (TWO, "AG [Ask($r)] EX EX {Ok($r)} true", "holds"),
        // Fields can be compared.
        (
            TWO,
            "AG (at 2 implies (s.id == r.id or EX {Bad} true))",
            "holds",
        ),
        (TWO, "AX AX (s.id == r.id implies AX {Ok} true)", "holds"),
        (TWO, "AG [Select where s.n > 3] true", "holds"),
        (TWO, "AX AX s.id + r.id >= 0", "fails"),
        (
            TWO,
            "AX AX s.key == 1",
            "unknown: the formula reads `s.key`, but there is no `key`; raising a bound does not help",
        ),
    ]);
}
