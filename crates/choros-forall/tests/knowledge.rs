//! Who knows what: the answers agree with a graph that keeps account in variables of its own.

mod support;

use choros_testkit::{Random, rounds, seed_from_env};

use support::asked;

const ROLES: [&str; 3] = ["a", "b", "c"];

/// A graph, and the same with a variable for each role and variable that says whether the role knows it.
fn models(random: &mut Random) -> (String, String) {
    let head = "stg random explicit\ninitial 0\n";
    let known: Vec<String> = ROLES
        .iter()
        .flat_map(|role| ["x", "y"].map(|it| format!("k{role}{it} := true")))
        .collect();
    let (mut plain, mut ghost) = (head.to_owned(), head.to_owned());
    // All roles are there.
    for text in [&mut plain, &mut ghost] {
        text.push_str("1 -> 1: Hello[a,b]\n1 -> 1: Hello[b,c]\n");
    }
    plain.push_str("0 -> 1: tau / x := 0; y := 0\n");
    ghost.push_str(&format!(
        "0 -> 1: tau / x := 0; y := 0; {}\n",
        known.join("; ")
    ));
    for node in 1..=3 {
        for _ in 0..1 + random.below(3) {
            let target = 1 + random.below(3);
            let from = random.below(3);
            let to = (from + 1 + random.below(2)) % 3;
            let third = ROLES[3 - from - to];
            let (from, to) = (ROLES[from], ROLES[to]);
            let (event, updates, account) = match random.below(6) {
                0 => (
                    format!("In[{from},{to}].<x>"),
                    "",
                    format!("k{from}x := true; k{to}x := true; k{third}x := false"),
                ),
                1 => (
                    format!("Pass[{from},{to}].x"),
                    "",
                    format!("k{to}x := true"),
                ),
                2 => (
                    format!("Put[{from},{to}].<x>"),
                    "y := x",
                    format!(
                        "k{from}x := true; k{to}x := true; k{third}x := false; \
                         k{from}y := true; k{to}y := true; k{third}y := false"
                    ),
                ),
                3 => (
                    format!("Go[{from},{to}]"),
                    "y := x",
                    format!("k{from}y := k{from}x; k{to}y := k{to}x; k{third}y := false"),
                ),
                4 => (
                    "tau".to_owned(),
                    "x := y",
                    "kax := kay; kbx := kby; kcx := kcy".to_owned(),
                ),
                _ => (
                    format!("Set[{from},{to}]"),
                    "x := 1",
                    format!("k{from}x := true; k{to}x := true; k{third}x := false"),
                ),
            };
            let edge = format!("{node} -> {target}: {event}");
            let join = |parts: &[&str]| {
                let parts: Vec<&str> = parts.iter().copied().filter(|it| !it.is_empty()).collect();
                match parts[..] {
                    [] => String::new(),
                    _ => format!(" / {}", parts.join("; ")),
                }
            };
            plain.push_str(&format!("{edge}{}\n", join(&[updates])));
            ghost.push_str(&format!("{edge}{}\n", join(&[updates, &account])));
        }
    }
    (plain, ghost)
}

/// A question, and the same about the account.
fn both(random: &mut Random) -> (String, String) {
    let mut one = || {
        let role = *random.pick(&ROLES);
        let variable = *random.pick(&["x", "y"]);
        let known = format!("knows({role}, {variable})");
        (known, format!("k{role}{variable} == true"))
    };
    let (left, right) = (one(), one());
    let step = *random.pick(&["In", "Pass", "Put", "Go", "Set", "tt"]);
    let word = *random.pick(&["and", "or", "implies"]);
    let shape = match random.below(4) {
        0 => "AX AG (L)",
        1 => "AG [S] (L W R)",
        2 => "AX EF (L W not R)",
        _ => "AX AG EF (L)",
    };
    let write = |left: &str, right: &str| {
        let text = shape.replace('S', step).replace('W', word);
        text.replace('L', left).replace('R', right)
    };
    (write(&left.0, &right.0), write(&left.1, &right.1))
}

#[test]
fn knowledge_is_what_an_account_of_it_says() {
    let mut random = Random::new(seed_from_env());
    let mut words = [0usize; 2];
    for _ in 0..rounds(60) {
        let (plain, ghost) = models(&mut random);
        let (question, account) = both(&mut random);
        let found = asked(&plain, &question);
        let expected = asked(&ghost, &account);
        assert_eq!(found, expected, "{question}\n{account}\n{ghost}");
        words[usize::from(found == "holds")] += 1;
        assert!(
            !found.starts_with("unknown"),
            "{question}: {found}\n{plain}"
        );
    }
    assert!(words[0] > 5 && words[1] > 5, "{words:?}");
}
