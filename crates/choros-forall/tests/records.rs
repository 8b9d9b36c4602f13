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

/// An order; what is charged is its amount, or more.
const CHARGE: &str = "stg charge explicit\nvariables o: {id: Int, amount: Int}, i: Int, k: Int\ninitial 0\n\
                      0 -> 1: Order[a,b].<o>\n1 -> 2: Charge[b,c].(o.id,o.amount)\n\
                      1 -> 2: [o.amount > 100] Charge[b,c].(o.id,o.amount + 1)\n\
                      2 -> 3: Ship[b,a].<i>\n3 -> 0: Next[b,a]\n3: end\n";

#[test]
fn fields_of_what_was_bound_are_used_later() {
    check(&[
        // Both edges charge the id of the order.
        (CHARGE, "AG [Order($o)] AX {Charge($o.id)} true", "holds"),
        // Above 100 one of them charges more.
        (CHARGE, "AG [Order($o)] AX {Charge($o.id,$o.amount)} true", "fails"),
        (CHARGE, "AG [Order($o)] EX {Charge($o.id,$o.amount)} true", "holds"),
        (
            CHARGE,
            "AG [Order($o) where $o.amount <= 100] AX {Charge($o.id,$o.amount)} true",
            "holds",
        ),
        // As a comparison with what a later message brings.
        (
            CHARGE,
            "AG [Order($o)] AG [Charge($i,$n) where $i == $o.id] $n >= $o.amount",
            // Later orders may have the same id and a smaller amount.
            "fails",
        ),
        (
            CHARGE,
            "AG [Order($o)] AX {Charge($i,$n) where $i == $o.id and $n >= $o.amount and $n <= $o.amount + 1} true",
            "holds",
        ),
        // What is shipped is new; it may be the id of the order.
        (CHARGE, "AG [Order($o)] AX AX {Ship($o.id)} true", "fails"),
        (CHARGE, "AG [Order($o)] AX EX {Ship($o.id)} true", "holds"),
        // In steps on the way and in propositions.
        (
            CHARGE,
            "AG [Order($o)] A[true {Charge($o.id)} U {Ship} true]",
            "holds",
        ),
        (CHARGE, "AG [Order($o)] (o.id == $o.id)", "holds"),
        (
            CHARGE,
            "AG [Order($o)] AX {Charge($o.key)} true",
            "unknown: the formula reads the field `key` of what has no such field; raising a bound does not help",
        ),
    ]);
}
