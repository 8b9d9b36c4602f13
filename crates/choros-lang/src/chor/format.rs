//! The one form of a file.

use choros_base::{Diagnostic, FileId, Names, NotFormatted};

use super::ast::Program;
use super::parse::parse;
use super::print::print;
use crate::faithful::{self, HasForm};

/// The file in its standard layout.
///
/// The result is read again and compared, comments included, before anyone gets it.
pub fn format(file: FileId, text: &str, names: &mut Names) -> Result<String, NotFormatted> {
    faithful::format::<Program>(file, text, names)
}

impl HasForm for Program {
    fn parse(file: FileId, text: &str, names: &mut Names) -> (Program, Vec<Diagnostic>) {
        parse(file, text, names)
    }

    fn print(&self, names: &Names, source: Option<&str>) -> String {
        print(self, names, source)
    }

    fn comments(&self) -> Vec<&str> {
        let comments = self.comments.iter();
        comments.map(|comment| comment.text.as_str()).collect()
    }
}
