//! Copies: expressions, queries and literals.

use choros_xml::document::{Element, ElementId};

use super::{Translator, Work, is_older};

impl<'d> Translator<'d> {
    pub(super) fn copy(&mut self, parent: Option<ElementId>, element: Element<'d>) -> Work<'d> {
        let new = self.like(element, "copy");
        let id = self.result.add(parent, element, new);
        let mut work = Vec::new();
        for side in element.children() {
            if is_older(side) && matches!(side.local(), "from" | "to") {
                work.extend(self.side(id, side));
            } else {
                work.push((Some(id), side));
            }
        }
        work
    }

    /// One side of a copy; the contents of a literal are still to be copied.
    fn side(&mut self, parent: ElementId, side: Element<'d>) -> Work<'d> {
        let mut new = self.like(side, side.local());
        let expression = new.take("expression");
        let query = new.take("query");
        let is_literal = ["variable", "partnerLink", "property", "opaque"]
            .iter()
            .all(|it| side.attribute(it).is_none())
            && expression.is_none()
            && side.local() == "from";
        if is_literal {
            let (text, text_span) = (new.text.clone(), new.text_span);
            new.text = "".into();
            new.text_span = side.span();
            let id = self.result.add(Some(parent), side, new);
            let mut literal = self.empty(side, "literal");
            literal.text = text;
            literal.text_span = text_span;
            let id = self.result.add(Some(id), side, literal);
            return self.inside(id, side);
        }
        if let Some(expression) = expression {
            new.text = super::structure::expression(&expression.value);
            new.text_span = expression.span;
        }
        let id = self.result.add(Some(parent), side, new);
        if let Some(query) = query {
            self.with_text(id, side, "query", &query);
        }
        Vec::new()
    }
}
