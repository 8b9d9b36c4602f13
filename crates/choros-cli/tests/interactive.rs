//! `choros explore --interactive` with choices typed on standard input.

use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn choices_are_read_from_standard_input() -> std::io::Result<()> {
    let example = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/bank-one-client.cows"
    );
    let mut child = Command::new(env!("CARGO_BIN_EXE_choros"))
        .args(["explore", "--interactive", example])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(b"1\n\nb\nnonsense\nq\n1\n")?;
    }
    let output = child.wait_with_output()?;
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let expected = "\
C1
  1  bank.charge<c,1234,100,id1> -> C2
C2
  1  bank.check<id1,1234,100> -> C3
C2
  1  bank.check<id1,1234,100> -> C3
C1
  1  bank.charge<c,1234,100,id1> -> C2
`nonsense` is not a choice: type a number from 1 to 1, or h for help
";
    assert_eq!(text, expected);
    Ok(())
}
