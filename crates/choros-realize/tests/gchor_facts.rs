//! The counted facts about g-choreographies, from the text to pomsets, machines and runs.

use choros_base::{Budget, Names, SourceMap};
use choros_data::Terms;
use choros_model::cfsm::{Cfsm, Discipline, System, survey};
use choros_model::gchor::{Gchor, LoopUnfolding, unfold};
use choros_realize::gchor::{
    GchorLanguage, Reduction, Strictness, WellFormedness, pomsets, project_all, project_gchor,
    realises, resolutions, system_words, well_formedness,
};

const TWICE: &str = "A -> B : x ; A -> B : y";
const SIMPLE: &str = "C -> A : withdraw ; A -> B : authW ;
    { B -> A : deny ; A -> C : bye + B -> A : allow ; A -> C : money }";
const BESIDE: &str = "C -> A : withdraw ; A -> B : authW ;
    { B -> A : deny ; A -> C : bye | B -> A : allow ; A -> C : money }";
const ATM: &str = "C -> A : auth ; A -> B : authReq ;
    sel B {
        B -> A : denied ; A -> C : authFail
      + B -> A : granted ; A -> C : granted ;
        sel C {
            C -> A : withdraw ; A -> B : authWithdrawal ;
            sel B { B -> A : allow ; A -> C : money + B -> A : deny ; A -> C : bye }
          + C -> A : checkBalance ; A -> B : getBalance ; B -> A : balance ; A -> C : balance
          + C -> A : quit ; A -> B : quit
        }
    }";
const REQUEST_REPLY: &str = "A -> B : m ; B -> A : n";
const IS_EVEN: &str =
    "Client -> Server : number ; sel Server { Server -> Client : No + Server -> Client : Yes }";
const G1: &str = "A -> B : m + A -> C : m ; A -> B : m";
const G2: &str = "A -> C : m + B -> C : m";

fn read(text: &str, names: &mut Names) -> Gchor {
    let mut map = SourceMap::new();
    let file = map.add("test.gc", text);
    let (gchor, diagnostics) = choros_lang::gchor::read(file, text, names);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    gchor
}

fn unlimited() -> Budget {
    Budget::unlimited()
}

/// Events of each pomset, linearisations, prefixes.
fn counts(text: &str) -> (Vec<usize>, u64, u64) {
    let gchor = read(text, &mut Names::new());
    let pomsets = pomsets(&gchor, &unlimited()).unwrap();
    let counts = GchorLanguage::new(&gchor).counts(&unlimited()).unwrap();
    let mut sizes: Vec<usize> = pomsets.iter().map(|it| it.len()).collect();
    sizes.sort_unstable();
    (
        sizes,
        counts.linearisations.try_into().unwrap(),
        counts.prefixes.try_into().unwrap(),
    )
}

#[test]
fn f01_nothing_has_one_pomset_and_it_is_empty() {
    assert_eq!(counts("(o)"), (vec![0], 1, 1));
    assert_eq!(counts("A -> B : m ; (o)"), counts("A -> B : m"));
    assert_eq!(counts("A -> B : m"), (vec![2], 1, 3));
}

#[test]
fn f03_to_f06_pomsets_and_words() {
    assert_eq!(counts(TWICE), (vec![4], 2, 8));
    assert_eq!(counts(SIMPLE), (vec![8, 8], 2, 13));
    assert_eq!(counts(BESIDE), (vec![12], 70, 255));
    assert_eq!(counts(ATM), (vec![8, 12, 16, 16, 16], 5, 37));
}

/// In example 2.1 there is no order between `AB?x` and `AB!y`, and the order is that of the thesis.
#[test]
fn f03_the_order_of_example_2_1() {
    let mut names = Names::new();
    let gchor = read(TWICE, &mut names);
    let pomsets = pomsets(&gchor, &unlimited()).unwrap();
    let text = |event: u32| pomsets[0].events()[event as usize].text(&names);
    let steps: Vec<String> = pomsets[0]
        .steps()
        .into_iter()
        .map(|(one, other)| format!("{} {}", text(one), text(other)))
        .collect();
    assert_eq!(steps, ["AB!x AB?x", "AB!x AB!y", "AB?x AB?y", "AB!y AB?y"]);
}

fn form(text: &str) -> (WellFormedness, Names) {
    let mut names = Names::new();
    let gchor = read(text, &mut names);
    let found = well_formedness(&gchor, Strictness::default(), &unlimited()).unwrap();
    (found, names)
}

fn deciders(text: &str) -> Vec<String> {
    let (found, names) = form(text);
    assert!(found.holds(), "{text}: {:?}", found.violations);
    found
        .decisions
        .iter()
        .map(|(_, decider)| decider.map_or("nobody", |it| names.text(it)).to_owned())
        .collect()
}

#[test]
fn f07_who_decides() {
    assert_eq!(deciders(SIMPLE), ["B"]);
    assert_eq!(deciders(ATM), ["B", "C", "B"]);
}

/// The participants of all violations, without repetitions.
fn offenders(text: &str) -> Vec<String> {
    let (found, names) = form(text);
    assert!(!found.holds(), "{text}");
    let mut roles: Vec<String> = found
        .violations
        .iter()
        .flat_map(|it| it.roles())
        .map(|it| names.text(it).to_owned())
        .collect();
    roles.sort();
    roles.dedup();
    roles
}

#[test]
fn f08_f09_who_is_not_told() {
    assert_eq!(offenders(G1), ["B", "C"]);
    assert_eq!(offenders(G2), ["A", "B"]);
    // C receives in one branch and does nothing in the other; B can tell them apart.
    assert_eq!(offenders("A -> B : l + A -> B : r ; A -> C : m"), ["C"]);
}

fn sizes(machine: &Cfsm) -> (usize, usize) {
    (machine.state_count(), machine.transition_count())
}

fn projections(text: &str, reduction: Reduction) -> Vec<(String, (usize, usize))> {
    let mut names = Names::new();
    let gchor = read(text, &mut names);
    let mut found: Vec<(String, (usize, usize))> = gchor
        .roles()
        .names()
        .iter()
        .map(|&role| {
            let machine = project_gchor(&gchor, role, reduction, &unlimited()).unwrap();
            (names.text(role).to_owned(), sizes(&machine))
        })
        .collect();
    found.sort();
    found
}

fn named(sizes: &[(&str, (usize, usize))]) -> Vec<(String, (usize, usize))> {
    sizes
        .iter()
        .map(|&(name, it)| (name.to_owned(), it))
        .collect()
}

#[test]
fn f11_to_f13_sizes_of_machines() {
    let (minimal, only_deterministic) = (Reduction::Minimal, Reduction::Deterministic);
    assert_eq!(
        projections("C -> A : withdraw ; A -> B : authW", minimal),
        named(&[("A", (3, 2)), ("B", (2, 1)), ("C", (2, 1))])
    );
    assert_eq!(
        projections(SIMPLE, minimal),
        named(&[("A", (6, 6)), ("B", (3, 3)), ("C", (3, 3))])
    );
    let bank = &projections(SIMPLE, only_deterministic)[1];
    assert_eq!(*bank, ("B".to_owned(), (4, 3)));
    assert_eq!(
        projections(ATM, minimal),
        named(&[("A", (15, 18)), ("B", (6, 9)), ("C", (6, 9))])
    );
    assert_eq!(
        projections(ATM, only_deterministic),
        named(&[("A", (15, 18)), ("B", (10, 9)), ("C", (7, 9))])
    );
}

#[test]
fn f14_who_takes_no_part_has_one_state() {
    let mut names = Names::new();
    let gchor = read(TWICE, &mut names);
    let stranger = names.intern("D");
    let machine = project_gchor(&gchor, stranger, Reduction::Minimal, &unlimited()).unwrap();
    assert_eq!(sizes(&machine), (1, 0));
}

#[test]
fn f15_threads_give_mixed_states() {
    let mut names = Names::new();
    let gchor = read("A -> B : a | B -> A : b", &mut names);
    for machine in project_all(&gchor, &unlimited()).unwrap() {
        assert_eq!(sizes(&machine), (4, 4));
        assert!(machine.is_mixed(machine.initial()));
    }
}

#[test]
fn f16_branches_keep_their_states_apart() {
    let mut names = Names::new();
    let gchor = read(
        "sel { P -> Q : finished + P -> Q : bye ; Q -> P : bye }",
        &mut names,
    );
    for machine in project_all(&gchor, &unlimited()).unwrap() {
        let targets: Vec<usize> = machine
            .outgoing(machine.initial())
            .iter()
            .map(|step| machine.outgoing(step.target).len())
            .collect();
        // Nothing follows `finished`, one answer follows `bye`.
        assert_eq!(targets, [0, 1]);
    }
}

/// Realises, equal, maximal words, prefixes, configurations, transitions.
fn runs(text: &str, discipline: Discipline) -> (Option<bool>, bool, u64, u64, usize, usize) {
    let mut terms = Terms::new();
    let gchor = read(text, &mut terms.names);
    let machines = project_all(&gchor, &unlimited()).unwrap();
    let mut system = System::new(&machines, discipline, &terms);
    let found = realises(&gchor, &mut system, &unlimited());
    let words = system_words(&mut system, &unlimited()).unwrap().unwrap();
    let all = survey(&mut system, &unlimited());
    (
        found.answer(),
        found.missing.is_none(),
        words.linearisations.try_into().unwrap(),
        words.prefixes.try_into().unwrap(),
        all.states,
        all.transitions,
    )
}

#[test]
fn f17_languages_of_machines_and_choreographies() {
    for discipline in [Discipline::fifo(20), Discipline::bag(20)] {
        for text in [TWICE, SIMPLE, ATM, REQUEST_REPLY, IS_EVEN] {
            let (answer, is_equal, ..) = runs(text, discipline);
            assert_eq!((answer, is_equal), (Some(true), true), "{text}");
        }
    }
    assert_eq!(
        runs(BESIDE, Discipline::bag(20)),
        (Some(true), true, 70, 255, 29, 44)
    );
    assert_eq!(
        runs(BESIDE, Discipline::fifo(20)),
        (Some(true), false, 36, 159, 31, 44)
    );
    assert_eq!(runs(ATM, Discipline::fifo(20)).4, 33);
    assert_eq!(runs(IS_EVEN, Discipline::fifo(20)).4, 6);
}

#[test]
fn f10_what_is_not_well_branched_gets_stuck() {
    for (text, expected) in [(G1, (9, 10, 1)), (G2, (8, 10, 2))] {
        let mut terms = Terms::new();
        let gchor = read(text, &mut terms.names);
        let machines = project_all(&gchor, &unlimited()).unwrap();
        let mut system = System::new(&machines, Discipline::fifo(5), &terms);
        let found = realises(&gchor, &mut system, &unlimited());
        assert_eq!(found.answer(), Some(false));
        assert!(found.stuck.is_some());
        let all = survey(&mut system, &unlimited());
        assert_eq!(
            (all.states, all.transitions, all.unsafe_count()),
            expected,
            "{text}"
        );
    }
}

#[test]
fn f38_unfolding_writes_loops_out() {
    let mut names = Names::new();
    let smtp = "repeat C { C -> S : EHLO ; C -> S : Message } ; C -> S : QUIT";
    let gchor = read(smtp, &mut names);
    let three = unfold(&gchor, LoopUnfolding::Exactly(3), &unlimited()).unwrap();
    assert!(!three.has_loops());
    let found = pomsets(&three, &unlimited()).unwrap();
    assert_eq!(found.iter().map(|it| it.len()).collect::<Vec<_>>(), [14]);
    // None to three times: the decision to leave is kept, and the choices are well-branched.
    let up_to = unfold(&gchor, LoopUnfolding::UpTo(3), &unlimited()).unwrap();
    let mut found: Vec<usize> = pomsets(&up_to, &unlimited())
        .unwrap()
        .iter()
        .map(|it| it.len())
        .collect();
    found.sort_unstable();
    assert_eq!(found, [2, 6, 10, 14]);
    assert_eq!(resolutions(&up_to), 4_u8.into());
    let form = well_formedness(&up_to, Strictness::default(), &unlimited()).unwrap();
    assert!(form.holds(), "{:?}", form.violations);
    assert_eq!(form.decisions.len(), 3);
}

#[test]
fn well_branched_is_not_enough() {
    // C may take x in the first branch for the beginning of the second; the sequences are not well-sequenced.
    let text =
        "sel A { A -> C : l ; A -> D : l ; D -> C : x + A -> D : r ; D -> C : x ; A -> C : r }";
    let (found, _) = form(text);
    assert!(found.holds());
    assert!(!found.unsequenced.is_empty());
    let (answer, ..) = runs(text, Discipline::fifo(5));
    assert_eq!(answer, Some(false));
}

#[test]
fn many_threads_are_counted_without_listing_them() {
    // Twelve pairs of question and answer beside each other: 48! / 4!^12 words.
    let threads: Vec<String> = (0..12)
        .map(|number| format!("A{number} -> B{number} : q ; B{number} -> A{number} : a"))
        .collect();
    let gchor = read(&threads.join(" | "), &mut Names::new());
    let counts = GchorLanguage::new(&gchor)
        .counts(&Budget::steps(1_000))
        .unwrap();
    let factorial = |n: u32| {
        (1..=n)
            .map(num_bigint::BigUint::from)
            .product::<num_bigint::BigUint>()
    };
    assert_eq!(counts.linearisations, factorial(48) / factorial(4).pow(12));
}
