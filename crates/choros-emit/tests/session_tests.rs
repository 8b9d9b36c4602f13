//! Executable tests of machines with any names: what comes from a model never becomes code.

use choros_base::{Budget, Names};
use choros_emit::FileSet;
use choros_emit::sessions::{Payloads, SessionTests, python, rust};
use choros_model::cfsm::{Cfsm, LocalAction, LocalState};
use choros_testgen::{Generation, Oracle, Splitting, generate};
use proptest::prelude::*;

/// Two machines that exchange messages with these names, one after the other, or any of them at first.
fn emitted(roles: [&str; 2], messages: &[String], choice: bool) -> (FileSet, FileSet) {
    let mut names = Names::new();
    let [client, server] = roles.map(|role| names.intern(role));
    let mut machines = vec![Cfsm::new(client), Cfsm::new(server)];
    for (at, message) in messages.iter().enumerate() {
        let message = names.intern(message);
        let (source, target) = if choice {
            (0, 1)
        } else {
            (at as u32, at as u32 + 1)
        };
        for (machine, partner) in machines.iter_mut().zip([server, client]) {
            machine.ensure_states(target as usize + 1);
            let action = if partner == server {
                LocalAction::output(partner, message)
            } else {
                LocalAction::input(partner, message)
            };
            machine.add(LocalState(source), action, LocalState(target), None);
        }
    }
    let generation = Generation {
        roles: Vec::new(),
        splitting: Splitting::Once,
        oracles: vec![Oracle::FinalStates],
    };
    let budget = Budget::steps(100_000);
    let suite = match generate(&machines, &generation, &mut names, &budget) {
        Ok(suite) => suite,
        Err(error) => panic!("{error:?}"),
    };
    let tests = SessionTests {
        name: messages.first().map_or("", String::as_str),
        suite: &suite,
        roles: &[client, server],
        payloads: &Payloads::new(),
        names: &names,
    };
    (python(&tests), rust(&tests))
}

/// Whether every line of a Python file begins as the emitted ones do, and holds printable ASCII only.
fn is_harmless(text: &str) -> bool {
    let mut in_documentation = false;
    text.lines().all(|line| {
        let marks = line.matches("\"\"\"").count();
        let was_inside = in_documentation;
        in_documentation ^= marks % 2 == 1;
        let begins = [
            "",
            "@",
            "class ",
            "from ",
            "import ",
            "async def ",
            "def ",
            "    ",
            ")",
            "#",
        ];
        was_inside
            || marks > 0
            || line.starts_with('#')
            || (line.chars().all(|it| (' '..='~').contains(&it))
                && (begins[1..].iter().any(|head| line.starts_with(head))
                    || line.is_empty()
                    || line.contains(" = ")))
    })
}

#[test]
fn an_attack_stays_a_name() {
    let names = ["\"\"\"\nimport os".to_owned(), "x\\\"); evil(".to_owned()];
    let (python, _) = emitted(["A\n", "class"], &names, false);
    for (path, text) in python.iter() {
        assert!(is_harmless(text), "{path}\n{text}");
        assert!(!text.contains("\nimport os"), "{path}\n{text}");
        assert!(
            !text.contains("; evil(") || text.contains("x\\\\\\\"); evil("),
            "{path}\n{text}"
        );
    }
}

#[test]
fn many_alternatives_are_nested_in_steps() {
    let messages: Vec<String> = (0..130).map(|number| format!("m{number:03}")).collect();
    let (python, _) = emitted(["A", "B"], &messages, true);
    let text = python.text("m000_session_types.py").unwrap_or_default();
    let deepest = text.lines().map(|line| line.matches('[').count()).max();
    assert_eq!(deepest, Some(20), "{text}");
    assert!(text.contains("Choose[B, m000, A1, "), "{text}");
}

proptest! {
    #[test]
    fn any_names_become_different_classes(
        roles in prop::array::uniform2(".{1,6}"),
        messages in prop::collection::vec(".{1,6}", 1..5),
        choice in any::<bool>(),
    ) {
        prop_assume!(roles[0] != roles[1]);
        let (python, rust) = emitted([&roles[0], &roles[1]], &messages, choice);
        prop_assert_eq!(python.len(), 5);
        prop_assert_eq!(rust.len(), 8);
        for (path, text) in python.iter() {
            prop_assert!(is_harmless(text), "{}\n{}", path, text);
        }
        let (_, types) = python.iter().find(|(path, _)| path.ends_with("_types.py") && !path.contains("session"))
            .ok_or_else(|| TestCaseError::fail("no file of types"))?;
        let mut classes: Vec<&str> = types
            .lines()
            .filter_map(|line| line.strip_prefix("class "))
            .filter_map(|line| line.split('(').next())
            .collect();
        let mut distinct = messages.clone();
        distinct.sort();
        distinct.dedup();
        prop_assert_eq!(classes.len(), 2 + distinct.len());
        classes.sort_unstable();
        classes.dedup();
        prop_assert_eq!(classes.len(), 2 + distinct.len());
    }
}
