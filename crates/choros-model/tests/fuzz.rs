//! No text makes a reader panic, hang, or fall silent about what it left out.

mod support;

use choros_base::{Diagnostic, FileId, SourceMap, has_errors};
use choros_data::Terms;
use choros_model::cfsm::{read_fsa, write_fsa};
use choros_model::lts::{read_aut, write_aut};
use choros_model::stg::{DotMarks, read_dot, read_stg, write_dot, write_stg};
use choros_testkit::{fuzz, seed_from_env};
use support::random::{Random, graph};

const STG: &str = "\
stg shop explicit
sort Status = Fine | Late
sort Colour
constant RED: Colour
variables x: Int, y: Status, r: {weight: Int, tag: Colour}, l: List(Int)
initial 0
node 2 \"done\"
0 -> 1: Request[b,v].<x>
1 -> 2: [x < 5 and r.tag == RED or x in l] Confirm[v,b]! / y := Fine; x := x div 2 + l[0]
1 -> 2: [not (x >= 5) => true] Abort[v,b]#tooDear?(price = -x, when = <y>)
2 -> 0: tau
2 -> 2: tick
2 -> 1: raise late
2: end [if y == Late then x == 1 else x mod 3 == 2]
1: stuck
";

const DOT: &str = r#"
digraph "shop" {
  rankdir=LR; node [shape=circle];
  comment="explicit";
  0 [label="0\n{x}"]; 1; 2 [ label="end"];
  start [shape="point"]; start -> 0;
  0 -> 1 [label="Request[b,v].<x>"];
  1 -> 2 -> 0 [label="[x < 5] Confirm[v,b]?z / y := \"a\\\"b\""];
  2 -> end [label="[x == 1] √"]; end [label="√"];
}
"#;

const AUT: &str =
    "des (0, 4, 3)\n(0, \"a \"b\", (c)\", 1)\r\n(1,coin[x,y],2)\n(2, *, 0)\n(2, i, 2)\n";

const FSA: &str = "\
.outputs Client
.state graph
0 1 ! number 2
2 1 ? Yes 1
q2 Server ? No 1
.marking {0}
.end

-- the other
.outputs Server
.state graph
0 0 ? number 2
2 0 ! Yes 1
2 0 ! No 1
.marking 0
.end
";

/// Pieces that are put where they do not belong.
const PIECES: [&str; 24] = [
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "<",
    ">",
    "\"",
    "\\",
    "/*",
    "*/",
    "//",
    "->",
    ":=",
    ";",
    ",",
    "\n",
    "\r\n",
    "\u{0}",
    "√",
    "é\u{301}",
    "99999999999999999999",
    "-",
];

fn mutate(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + random.below(8) {
        let at = random.below(bytes.len() + 1);
        let length = random.below(12).min(bytes.len() - at);
        match random.below(5) {
            0 => {
                bytes.drain(at..at + length);
            }
            1 => {
                let piece = random.pick(&PIECES);
                bytes.splice(at..at, piece.bytes());
            }
            2 => {
                let copy: Vec<u8> = bytes[at..at + length].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            3 => {
                if at < bytes.len() {
                    bytes[at] = random.below(256) as u8;
                }
            }
            _ => bytes.truncate(at.max(1)),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn garbage(random: &mut Random) -> String {
    let bytes: Vec<u8> = (0..random.below(300))
        .map(|_| match random.below(3) {
            0 => random.below(256) as u8,
            _ => b"0123 ->:[]()<>\"xyab,.;=\n!?/{}"[random.below(29)],
        })
        .collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A reader, and writing what it read.
type ReadAndWrite = fn(FileId, &str) -> Vec<Diagnostic>;

fn stg(file: FileId, text: &str) -> Vec<Diagnostic> {
    let mut terms = Terms::new();
    let (stg, diagnostics) = read_stg(file, text, &mut terms);
    let written = write_stg(&stg, &terms);
    // What was read is a graph: it can be written, and read again without complaint.
    let mut map = SourceMap::new();
    let again = map.add("again", written.as_str());
    let mut other = Terms::new();
    let (stg, findings) = read_stg(again, &written, &mut other);
    assert!(
        !has_errors(&findings) || has_errors(&diagnostics),
        "{text}\n{written}\n{findings:?}"
    );
    if !has_errors(&diagnostics) {
        assert_eq!(write_stg(&stg, &other), written, "{text}");
    }
    diagnostics
}

fn dot(file: FileId, text: &str) -> Vec<Diagnostic> {
    let mut terms = Terms::new();
    let (stg, diagnostics) = read_dot(file, text, &mut terms);
    assert!(write_dot(&stg, &DotMarks::default(), &terms).starts_with("digraph"));
    diagnostics
}

fn aut(file: FileId, text: &str) -> Vec<Diagnostic> {
    let (lts, diagnostics) = read_aut(file, text);
    // Numbers may be large without transitions; what is written is as long as the transitions.
    assert!(write_aut(&lts).len() <= 2 * text.len() + 100);
    diagnostics
}

fn fsa(file: FileId, text: &str) -> Vec<Diagnostic> {
    let mut terms = Terms::new();
    let (machines, diagnostics) = read_fsa(file, text, &mut terms.names);
    if !has_errors(&diagnostics) {
        let written = write_fsa(&machines, &terms.names);
        let mut map = SourceMap::new();
        let again = map.add("again", written.as_str());
        let mut other = Terms::new();
        let (machines, findings) = read_fsa(again, &written, &mut other.names);
        assert!(!has_errors(&findings), "{text}\n{written}\n{findings:?}");
        assert_eq!(write_fsa(&machines, &other.names), written, "{text}");
    }
    diagnostics
}

fn run(read: ReadAndWrite, seed_text: &str) {
    for seed in 0..4_000 {
        let mut random = Random(seed);
        let text = match seed % 4 {
            0 => garbage(&mut random),
            _ => mutate(seed_text, &mut random),
        };
        check(read, &text);
    }
    fuzz(seed_from_env(), 400, &[seed_text], |text| check(read, text));
}

fn check(read: ReadAndWrite, text: &str) {
    let mut map = SourceMap::new();
    let file = map.add("fuzz", text);
    for finding in read(file, text) {
        assert!(!finding.message.is_empty());
        for label in &finding.labels {
            let end = label.span.range().end;
            assert!(end <= text.len(), "{finding:?} ends after\n{text}");
        }
    }
}

#[test]
fn stg_reader() {
    check(stg, STG);
    run(stg, STG);
    for seed in 0..200 {
        let mut terms = Terms::new();
        let text = write_stg(&graph(seed, &mut terms), &terms);
        check(stg, &mutate(&text, &mut Random(seed)));
    }
}

#[test]
fn dot_reader() {
    check(dot, DOT);
    run(dot, DOT);
}

#[test]
fn aut_reader() {
    check(aut, AUT);
    run(aut, AUT);
}

#[test]
fn fsa_reader() {
    check(fsa, FSA);
    run(fsa, FSA);
}

/// CHOROS_SEED=61859584166482659: a list whose elements are numbers in the guard and symbols in the update.
#[test]
fn what_fuzzing_found() {
    for text in [
        "1->2:[x<5and g or x in l]m[v,b]/y:=D in l",
        "1 -> 2: [x < 5 and r.a == x] m[v,b] / y := (r == {a: D})",
    ] {
        check(stg, text);
    }
}

/// CHOROS_SEED=61190281039185583: signs nest as deep as brackets may, and were written with brackets.
#[test]
fn many_signs_are_written_so_that_they_can_be_read() {
    for count in [2, 3, 198, 5_000] {
        check(stg, &format!("1 -> 2: m[v,b]!({}x)", "-".repeat(count)));
    }
}

/// CHOROS_SEED=30807724157361229: states that are named in another order than that of their lines.
#[test]
fn machines_are_written_the_same_again() {
    check(
        fsa,
        ".outputs\n0 1 ! r 2\n.marking 0\n.end\n.outputs Server\n.state\n0 0 ? s 1\nq Server ? g ,\n0 0 ? r 2\n2 0 ! e 1\n.marking 0",
    );
    check(fsa, FSA);
}

#[test]
fn absurd_texts() {
    let parentheses = |text: &str| format!("{text}[{}x", "(".repeat(100_000));
    let long = "x".repeat(10_000_000);
    let readers: [(ReadAndWrite, &str); 4] = [
        (stg, "stg g explicit\ninitial 0\n0 -> 0: "),
        (dot, "digraph g { 0 -> 0 [label=\""),
        (aut, "des (0, 1, 1)\n(0, "),
        (fsa, ".outputs A\n0 1 ! "),
    ];
    for (read, start) in readers {
        check(read, &parentheses(start));
        check(read, &format!("{start}{long}"));
        check(read, &format!("{start}{}", "- ".repeat(200_000)));
        check(read, &format!("{start}{}", "not ".repeat(100_000)));
        check(read, &"{".repeat(100_000));
        check(read, &"\u{0}\u{1}\u{fffd}".repeat(100_000));
        check(read, &"bad line\n".repeat(100_000));
        check(read, &"0 -> \n".repeat(50_000));
    }
}
