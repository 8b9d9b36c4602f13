//! Aligned columns.

use unicode_width::UnicodeWidthStr;

/// Rows with aligned columns, two blanks apart; columns of numbers are aligned to the right.
///
/// The first row is the heading; no line ends with blanks.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut widths = vec![0; columns];
    let mut numeric = vec![true; columns];
    for (number, row) in rows.iter().enumerate() {
        for (column, cell) in row.iter().enumerate() {
            widths[column] = widths[column].max(cell.width());
            if number > 0 && !cell.is_empty() {
                numeric[column] &= cell.bytes().all(|byte| byte.is_ascii_digit());
            }
        }
    }
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let padding = " ".repeat(widths[column] - cell.width());
            if column > 0 {
                line.push_str("  ");
            }
            if numeric[column] {
                line.push_str(&padding);
                line.push_str(cell);
            } else {
                line.push_str(cell);
                line.push_str(&padding);
            }
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::table;

    #[test]
    fn numbers_go_right_and_words_left() {
        let rows = [["name", "states"], ["shop", "4"], ["é", "12"]]
            .map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(table(&rows), "name  states\nshop       4\né         12\n");
    }
}
