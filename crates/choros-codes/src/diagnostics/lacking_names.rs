//! A file that was kept, and lacks what the model has now.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0961",
    name: "lacking-names",
    severity: Severity::Warning,
    documentation: "\
## What it checks
A file that stays because it was edited declares every message, participant and function that the generated one
declares.

## Why it matters
The files around it are generated from the current model and use them.

## Example
After `A -> B : hello` was added to the model, `atm_types.py` stays as it was edited, and the new
`atm_session_types.py` imports a class `hello` from it, which does not exist.

## Reference
Generate into an empty folder to see the new declarations, and copy them.
",
};

/// What there is to say about a file that stays, if it lacks names of the generated one.
pub fn lacking_names(path: &str, kept: &str, generated: &str) -> Option<Diagnostic> {
    let names = lacking(kept, generated);
    (!names.is_empty()).then(|| diagnostic(path, &names))
}

/// Declarations of a generated text that the one in its place does not have.
fn lacking(kept: &str, generated: &str) -> Vec<String> {
    let declared = declarations(kept);
    declarations(generated)
        .into_iter()
        .filter(|name| !declared.contains(name) && !mentions(kept, name))
        .collect()
}

fn diagnostic(path: &str, names: &[String]) -> Diagnostic {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    Diagnostic::without_place(
        &CODE,
        format!("`{path}` is kept, but does not have {}", names.join(", ")),
    )
    .note("add them, or generate into an empty folder and copy them")
}

/// Names of classes, functions and structs that begin at the margin.
fn declarations(text: &str) -> Vec<String> {
    const HEADS: [&str; 7] = [
        "class ",
        "async def ",
        "def ",
        "pub struct ",
        "pub enum ",
        "pub async fn ",
        "pub fn ",
    ];
    text.lines()
        .filter_map(|line| HEADS.iter().find_map(|head| line.strip_prefix(head)))
        .map(|rest| {
            let word = |character: &char| character.is_alphanumeric() || *character == '_';
            rest.chars().take_while(word).collect()
        })
        .collect()
}

/// Whether a name occurs as a word: an import or an assignment declares it as well.
fn mentions(text: &str, name: &str) -> bool {
    text.split(|character: char| !character.is_alphanumeric() && character != '_')
        .any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use super::lacking;

    #[test]
    fn what_is_declared_imported_or_assigned_is_there() {
        let generated = "class a(Message):\n    pass\n\nasync def play_A(s):\n    pass\nclass b:\n    def inner(self): pass\n";
        assert_eq!(
            lacking("from bank import play_A\nclass a: ...", generated),
            ["b"]
        );
        assert_eq!(
            lacking("class b: ...\na = 1\nplay_A = None", generated),
            Vec::<String>::new()
        );
        assert_eq!(lacking("", "pub struct X;\npub fn y() {}\n"), ["X", "y"]);
    }
}
