//! Every operator with every kind of undefined argument, in the programs that are written: one program in Python and
//! one in Rust has all rows of the table, and says which of them hold.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use choros_data::{Term, Terms, Value, Var};
use choros_emit::{FileSet, TargetLanguage, skeleton};
use choros_model::stg::{
    Direction, Edge, Ending, Event, Field, FieldValue, Message, NodeId, Operation, Role, Stg,
    StgBuilder, Update,
};
use choros_testkit::{OperatorCase, OperatorTable};

/// This many rows have a role of their own, to spare the compilers.
const ROWS: usize = 100;

fn message(operation: &str, from: Role, to: Role, number: Option<i64>, terms: &mut Terms) -> Event {
    let operation = Operation(terms.names.intern(operation));
    let fields = number.map(|number| Field {
        label: None,
        value: FieldValue::Free(terms.int(number)),
    });
    Event::Message(Message {
        operation,
        from,
        to,
        direction: Direction::Send,
        fault: None,
        fields: fields.into_iter().collect(),
    })
}

fn edge(source: NodeId, target: NodeId, guard: Term, event: Event, updates: Vec<Update>) -> Edge {
    Edge {
        source,
        target,
        guard,
        event,
        updates,
        origin: None,
    }
}

/// A role that gives the variables of the table their values and then says of each row whether it holds.
///
/// *No* may always be said; the service says *Yes* where it can, because that comes first.
fn speaker(
    role: Role,
    to: Role,
    rows: &[(i64, Term)],
    values: &[(Var, Value)],
    terms: &mut Terms,
) -> Stg {
    let mut builder = StgBuilder::new("speaker", Ending::Sinks);
    let mut node = builder.node("start");
    let initial = node;
    let mut updates: Vec<Update> = Vec::new();
    for (variable, value) in values {
        updates.push(Update {
            variable: *variable,
            value: terms.constant(value.clone()),
        });
    }
    let first = builder.node("first");
    let event = message("Start", role, to, None, terms);
    builder.edge(terms, edge(node, first, Term::TRUE, event, updates));
    node = first;
    for &(number, condition) in rows {
        let next = builder.node(format!("after {number}"));
        for (answer, guard) in [("Yes", condition), ("No", Term::TRUE)] {
            let event = message(answer, role, to, Some(number), terms);
            builder.edge(terms, edge(node, next, guard, event, Vec::new()));
        }
        node = next;
    }
    builder.finish(initial)
}

/// The program, its modules, and the rows by their numbers.
fn program(language: TargetLanguage) -> (FileSet, Vec<String>, Vec<OperatorCase>) {
    let mut terms = Terms::new();
    let table = OperatorTable::new(&mut terms);
    let values = table.values.iter().map(|(_, _, value)| value.clone());
    let values: Vec<(Var, Value)> = table
        .variables(&mut terms)
        .into_iter()
        .zip(values)
        .collect();
    let mut rows: Vec<(i64, Term)> = Vec::new();
    for (number, case) in table.cases.iter().enumerate() {
        rows.push((number as i64, table.read(case, &mut terms)));
    }
    let is_large = |row: &&(i64, Term)| table.cases[row.0 as usize].is_large;
    let small: Vec<(i64, Term)> = rows.iter().filter(|row| !is_large(row)).copied().collect();
    // A program may end at a large number, so that each such row is for itself.
    let large: Vec<(i64, Term)> = rows.iter().filter(is_large).copied().collect();
    let parts: Vec<&[(i64, Term)]> = small.chunks(ROWS).chain(large.chunks(1)).collect();
    let to = Role(terms.names.intern("listener"));
    let mut graphs: Vec<(Role, Stg)> = Vec::new();
    for (number, part) in parts.into_iter().enumerate() {
        let role = Role(terms.names.intern(&format!("speaker{number}")));
        graphs.push((role, speaker(role, to, part, &values, &mut terms)));
    }
    let modules = (0..graphs.len()).map(|number| format!("speaker{number}"));
    let modules = modules.collect();
    let mut silent = StgBuilder::new("listener", Ending::Sinks);
    let end = silent.node("end");
    let silent = silent.finish(end);
    let mut projections: Vec<(Role, &Stg)> =
        graphs.iter().map(|(role, stg)| (*role, stg)).collect();
    projections.push((to, &silent));
    let wanted = |role: Role| role != to;
    match skeleton("table", &projections, wanted, language, &[], &mut terms) {
        Ok(files) => (files, modules, table.cases),
        Err(reason) => panic!("{reason:?}"),
    }
}

fn write(files: &FileSet, folder: &Path) {
    for (path, text) in files.iter() {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        std::fs::write(path, text).expect("writable");
    }
}

fn run(command: &mut Command) -> String {
    let output = command.output().expect("it is installed");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}{complaint}");
    said
}

/// What the program said of each row: `YesFromSpeaker0ToListener { value: 3 }` or `No(value=3)`.
fn answers(said: &str) -> BTreeMap<usize, bool> {
    let lines = said.lines().filter(|line| line.starts_with(['Y', 'N']));
    lines
        .map(|line| {
            let number = line.split("value").nth(1).expect("a row");
            let digits: String = number.chars().filter(char::is_ascii_digit).collect();
            (digits.parse().expect("a row"), line.starts_with('Y'))
        })
        .collect()
}

#[test]
fn python_means_what_the_evaluator_means() {
    let (files, modules, cases) = program(TargetLanguage::Python);
    let folder = tempfile::tempdir().expect("a folder");
    write(&files, folder.path());
    let mut script = String::from(
        "class Recorder:\n    def send(self, message):\n        print(message.payload)\n",
    );
    for (number, module) in modules.iter().enumerate() {
        script.push_str(&format!(
            "from table_services import {module}, {module}_service\n{module}.run({module}_service.Speaker{number}Service(), Recorder())\n"
        ));
    }
    std::fs::write(folder.path().join("rows.py"), script).expect("writable");
    let mut command = Command::new("python3");
    command
        .args(["-W", "error", "rows.py"])
        .current_dir(folder.path());
    let answers = answers(&run(&mut command));
    assert_eq!(answers.len(), cases.len());
    for (number, case) in cases.iter().enumerate() {
        assert_eq!(answers[&number], case.holds, "{}", case.text);
    }
}

#[test]
fn rust_means_what_the_evaluator_means_or_refuses_a_large_number() {
    let (files, modules, cases) = program(TargetLanguage::Rust);
    let folder = tempfile::tempdir().expect("a folder");
    write(&files, folder.path());
    let mut main = String::from(
        "use table_services::messages::{Message, Role};\n\
         use table_services::network::{Failure, Network};\n\
         struct Recorder;\n\
         impl Network for Recorder {\n\
             fn send(&mut self, message: Message) -> Result<(), Failure> {\n\
                 println!(\"{:?}\", message.payload);\n\
                 Ok(())\n\
             }\n\
             fn receive(&mut self, _: &[Role]) -> Result<Option<Message>, Failure> { Ok(None) }\n\
         }\n\
         fn main() {\n",
    );
    for (number, module) in modules.iter().enumerate() {
        main.push_str(&format!(
            "    if let Err(failure) = table_services::{module}::run(&mut table_services::{module}_service::Speaker{number}Service::default(), &mut Recorder) {{ println!(\"refused: {{failure}}\"); }}\n"
        ));
    }
    main.push_str("}\n");
    std::fs::write(folder.path().join("src/main.rs"), main).expect("writable");
    let rustc = || {
        let mut command = Command::new("rustc");
        command
            .args(["--edition", "2021", "-D", "warnings", "-C", "debuginfo=0"])
            .current_dir(folder.path());
        command
    };
    run(rustc().args([
        "--crate-type",
        "lib",
        "--crate-name",
        "table_services",
        "src/lib.rs",
    ]));
    let library = "table_services=libtable_services.rlib";
    run(rustc().args(["--crate-name", "rows", "--extern", library, "src/main.rs"]));
    let said = run(&mut Command::new(folder.path().join("rows")));
    let answers = answers(&said);
    let refused = said
        .lines()
        .filter(|line| line.starts_with("refused: "))
        .count();
    assert_eq!(answers.len() + refused, cases.len());
    for (number, case) in cases.iter().enumerate() {
        match answers.get(&number) {
            Some(&holds) => assert_eq!(holds, case.holds, "{}", case.text),
            None => assert!(case.is_large, "{}", case.text),
        }
    }
    assert!(refused > 0, "no number was too large");
}
