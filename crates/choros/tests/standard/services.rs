//! Services written from processes by hand, each right and with one mistake.
//!
//! The name is that of the row; the mistake is what `is_wrong` does instead.

use crate::instance::Behaviour;

pub(crate) struct Service {
    /// The row with its process.
    pub(crate) row: &'static str,
    /// The operation that creates an instance.
    pub(crate) start: &'static str,
    pub(crate) behaviour: Behaviour,
}

const fn started_by_a(row: &'static str, behaviour: Behaviour) -> Service {
    Service {
        row,
        start: "a",
        behaviour,
    }
}

const fn started_by_o(row: &'static str, behaviour: Behaviour) -> Service {
    Service {
        row,
        start: "o",
        behaviour,
    }
}

pub(crate) const SERVICES: &[Service] = &[
    started_by_a("instance", |p, is_wrong| {
        p.receive("a")?;
        p.call(if is_wrong { "B" } else { "A" });
        Some(())
    }),
    started_by_a("hidden-variable", |p, is_wrong| {
        let x = p.receive("a")?;
        p.tell(9);
        p.tell(if is_wrong { 9 } else { x });
        Some(())
    }),
    started_by_a("validate-good-and-bad", |p, is_wrong| {
        let v = p.receive("a")?;
        let last = if is_wrong { 11 } else { 10 };
        p.call(if (1..=last).contains(&v) { "A" } else { "H" });
        Some(())
    }),
    started_by_a("and-or-not", |p, is_wrong| {
        let x = p.receive("a")?;
        let holds = x > 3 && (is_wrong || x != 5) || x == 1;
        p.call(if holds { "A" } else { "B" });
        Some(())
    }),
    started_by_a("copies-in-order", |p, is_wrong| {
        // The mistake: both copies read what was there before the assignment.
        let x = p.receive("a")?;
        p.tell(if is_wrong { 2 } else { x + 1 });
        p.tell(x);
        Some(())
    }),
    started_by_a("one-element", |p, is_wrong| {
        let x = p.receive("a")?;
        p.tell(100 * x + if is_wrong { 0 } else { 78 });
        Some(())
    }),
    started_by_a("nothing-selected-ignored", |p, is_wrong| {
        // The mistake: the copy that is ignored undoes the one before it.
        p.receive("a")?;
        p.tell(if is_wrong { 0 } else { 1 });
        Some(())
    }),
    started_by_a("all-or-nothing", |p, is_wrong| {
        p.receive("a")?;
        p.call("H");
        p.tell(if is_wrong { 2 } else { 1 });
        Some(())
    }),
    started_by_a("correlation-in-a-request", |p, is_wrong| {
        let x = p.receive("a")?;
        p.tell(if is_wrong { x } else { x + 1 });
        p.receive("b")?;
        p.call("A");
        Some(())
    }),
    started_by_a("correlation-violated-by-sending", |p, is_wrong| {
        let x = p.receive("a")?;
        match x {
            8.. if is_wrong => p.tell(1),
            8.. => p.call("H"),
            _ => p.tell(x),
        }
        Some(())
    }),
    started_by_a("request-response", |p, is_wrong| {
        let x = p.receive("a")?;
        let y = p.work(x)?;
        p.tell(if is_wrong { y + 1 } else { y });
        Some(())
    }),
    started_by_a("to-and-from-parts", |p, is_wrong| {
        let x = p.receive("a")?;
        let w = p.work(if is_wrong { x } else { x + 1 })?;
        p.tell(2 * w);
        Some(())
    }),
    started_by_o("answer", |p, is_wrong| {
        let x = p.receive("o")?;
        p.reply("o", if is_wrong { x + 1 } else { 2 * x });
        p.call("A");
        Some(())
    }),
    started_by_o("answer-after-others", |p, is_wrong| {
        let x = p.receive("o")?;
        let y = p.receive("b")?;
        p.reply("o", if is_wrong { x + y + 1 } else { x + y });
        Some(())
    }),
    started_by_a("throw", |p, is_wrong| {
        p.receive("a")?;
        p.call("A");
        p.call(if is_wrong { "B" } else { "H" });
        Some(())
    }),
    started_by_a("wait-for", |p, is_wrong| {
        p.receive("a")?;
        p.call("A");
        std::thread::sleep(if is_wrong { p.tick / 4 } else { 2 * p.tick });
        p.call("B");
        Some(())
    }),
    started_by_a("exit", |p, is_wrong| {
        // The mistake: what has completed is undone.
        p.receive("a")?;
        if is_wrong {
            p.call("C");
        }
        p.call("A");
        Some(())
    }),
    started_by_a("rethrow", |p, is_wrong| {
        let x = p.receive("a")?;
        p.call("H");
        p.tell(if is_wrong { x + 1 } else { x });
        Some(())
    }),
    started_by_a("if-elseif-else", |p, is_wrong| {
        let x = p.receive("a")?;
        let second = if is_wrong { x >= 5 } else { x > 5 };
        p.call(match x {
            11.. => "A",
            _ if second => "B",
            1.. => "C",
            _ => "D",
        });
        Some(())
    }),
    started_by_a("pick-message", |p, is_wrong| {
        p.receive("a")?;
        let (operation, _) = p.receive_any(&["b", "c"])?;
        p.call(if operation == "b" || is_wrong {
            "B"
        } else {
            "C"
        });
        p.call("A");
        Some(())
    }),
    started_by_a("pick-with-an-answer", |p, is_wrong| {
        p.receive("a")?;
        match p.receive_any(&["o", "b"])? {
            (operation, y) if operation == "o" => p.reply("o", if is_wrong { y + 1 } else { y }),
            _ => p.call("B"),
        }
        Some(())
    }),
    started_by_a("flow", |p, is_wrong| {
        p.receive("a")?;
        // Calls may overtake each other on the way, so the order alone would be no mistake.
        let order = if is_wrong {
            ["B", "B", "C"]
        } else {
            ["B", "A", "C"]
        };
        order.iter().for_each(|it| p.call(it));
        Some(())
    }),
    started_by_a("flow-own-data", |p, is_wrong| {
        p.receive("a")?;
        p.tell(2);
        p.tell(if is_wrong { 2 } else { 1 });
        Some(())
    }),
    started_by_a("link", |p, is_wrong| {
        p.receive("a")?;
        let order = if is_wrong { ["B", "B"] } else { ["A", "B"] };
        order.iter().for_each(|it| p.call(it));
        Some(())
    }),
    started_by_a("transition-condition", |p, is_wrong| {
        let x = p.receive("a")?;
        p.call("A");
        if x > 3 || is_wrong && x == 3 {
            p.call("B");
        }
        p.call("C");
        Some(())
    }),
    started_by_a("join-condition", |p, is_wrong| {
        let x = p.receive("a")?;
        let (l, k) = (x > 3, x < 6);
        if l && (is_wrong || !k) {
            p.call("B");
        }
        p.call("C");
        Some(())
    }),
    started_by_a("dead-path", |p, is_wrong| {
        let x = p.receive("a")?;
        if x > 3 {
            p.call("A");
        }
        if x > 3 || is_wrong {
            p.call("B");
        }
        p.call("C");
        Some(())
    }),
    started_by_a("dead-branch-of-pick", |p, is_wrong| {
        p.receive("a")?;
        let (operation, _) = p.receive_any(&["b", "c"])?;
        let is_first = operation == "b";
        p.call(if is_first { "A" } else { "B" });
        if is_wrong && is_first {
            p.call("B");
        }
        p.call("D");
        Some(())
    }),
    started_by_a("for-each-one-by-one", |p, is_wrong| {
        p.receive("a")?;
        for k in 2..=if is_wrong { 3 } else { 4 } {
            p.tell(k);
        }
        p.call("A");
        Some(())
    }),
    started_by_a("for-each-parallel", |p, is_wrong| {
        p.receive("a")?;
        p.tell(2);
        p.tell(if is_wrong { 2 } else { 1 });
        p.call("A");
        Some(())
    }),
    started_by_a("for-each-enough", |p, is_wrong| {
        p.receive("a")?;
        for _ in 0..if is_wrong { 5 } else { 2 } {
            p.call("B");
        }
        p.call("A");
        Some(())
    }),
    started_by_a("for-each-successful-only", |p, is_wrong| {
        p.receive("a")?;
        p.call("H");
        if !is_wrong {
            p.call("B");
        }
        p.call("A");
        Some(())
    }),
    started_by_a("for-each-too-few", |p, is_wrong| {
        p.receive("a")?;
        p.call("H");
        p.call(if is_wrong { "B" } else { "F" });
        Some(())
    }),
    started_by_a("handled", |p, is_wrong| {
        p.receive("a")?;
        p.call("A");
        p.call(if is_wrong { "B" } else { "H" });
        p.call("C");
        Some(())
    }),
    started_by_a("name-and-data-first", |p, is_wrong| {
        p.receive("a")?;
        p.call(if is_wrong { "B" } else { "H" });
        Some(())
    }),
    started_by_a("compensate-in-reverse", |p, is_wrong| {
        p.receive("a")?;
        let undone = if is_wrong { ["D", "D"] } else { ["D", "C"] };
        let all = ["A", "B", "H"].into_iter().chain(undone);
        all.for_each(|it| p.call(it));
        Some(())
    }),
    started_by_a("compensate-with-old-data", |p, is_wrong| {
        p.receive("a")?;
        p.tell(if is_wrong { 9 } else { 3 });
        Some(())
    }),
    started_by_a("default-fault-handler", |p, is_wrong| {
        p.receive("a")?;
        p.call("A");
        if !is_wrong {
            p.call("C");
        }
        p.call("H");
        Some(())
    }),
    started_by_a("uninitializedVariable", |p, is_wrong| {
        p.receive("a")?;
        p.call(if is_wrong { "A" } else { "H" });
        Some(())
    }),
    started_by_a("compensate-rounds-with-their-data", |p, is_wrong| {
        // The mistake: each round is undone with the data of the last one.
        p.receive("a")?;
        p.tell(2);
        p.tell(if is_wrong { 2 } else { 1 });
        Some(())
    }),
    started_by_a("compensate-by-links", |p, is_wrong| {
        p.receive("a")?;
        let undone = if is_wrong { ["D", "D"] } else { ["D", "C"] };
        ["A", "B"]
            .into_iter()
            .chain(undone)
            .for_each(|it| p.call(it));
        Some(())
    }),
    started_by_a("parallel-rounds-with-their-data", |p, is_wrong| {
        // The first round may be undone first.
        p.receive("a")?;
        p.tell(1);
        p.tell(if is_wrong { 1 } else { 2 });
        Some(())
    }),
    started_by_a("compensate-in-a-scope-of-a-handler", |p, is_wrong| {
        p.receive("a")?;
        let last = if is_wrong { ["H", "H"] } else { ["H", "C"] };
        ["A"].into_iter().chain(last).for_each(|it| p.call(it));
        Some(())
    }),
    started_by_a("isolated-sum", |p, is_wrong| {
        // The mistake: the second scope reads before the first has written.
        let x = p.receive("a")?;
        p.tell(x + if is_wrong { 1 } else { 2 });
        Some(())
    }),
    started_by_a("wait-for-a-number", |p, is_wrong| {
        p.receive("a")?;
        p.call(if is_wrong { "A" } else { "H" });
        Some(())
    }),
    started_by_a("other-part-read", |p, is_wrong| {
        p.receive("a")?;
        p.tell(4);
        if is_wrong {
            p.tell(0);
        } else {
            p.call("H");
        }
        Some(())
    }),
];
