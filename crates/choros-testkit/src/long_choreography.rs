//! Long texts for measurements.

/// A file of choreographies of about this many lines, with data and choices.
pub fn long_choreography(lines: usize) -> String {
    let mut text = String::new();
    let mut written = 0;
    let mut number = 0;
    while written < lines {
        text.push_str(&format!(
            "choreography C{number}[a{number}, b{number}, c{number}] {{\n"
        ));
        for part in 0..12 {
            text.push_str(&format!(
                "    a{number} -> b{number}: Ask{part}(x{part}: Int, y{part}: String)\n    if x{part} > {part} {{\n        b{number} -> c{number}: Tell{part}(x{part})\n        c{number} -> b{number}: Told{part}\n    }}\n    b{number} -> a{number}: Done{part}(x{part}, y{part})\n\n"
            ));
        }
        text.push_str("}\n\n");
        written = text.lines().count();
        number += 1;
    }
    text
}
