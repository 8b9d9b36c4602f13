//! Pieces of a line: names, expressions, data of messages.

use choros_base::Names;
use choros_data::syntax::{Expression, SortExprId};

use crate::ast::Reference;
use crate::chor::ast::{BoundVariable, Call, Field, FieldValue, MessageStatement, Program};

/// Writes pieces of a program.
#[derive(Clone, Copy)]
pub(in crate::chor) struct Phrases<'a> {
    pub(in crate::chor) program: &'a Program,
    pub(in crate::chor) names: &'a Names,
}

impl<'a> Phrases<'a> {
    /// `Charge(card, sum = 2 * amount)`.
    pub(in crate::chor) fn message_with_data(&self, message: &MessageStatement) -> String {
        let operation = self.name(message.operation);
        if message.fields.is_empty() {
            return operation.to_owned();
        }
        let identity = self.identity(message);
        format!("{operation}({}){identity}", self.fields(message).join(", "))
    }

    /// ` once by id`, or nothing.
    pub(super) fn identity(&self, message: &MessageStatement) -> String {
        match &message.once[..] {
            [] => String::new(),
            fields => format!(" once by {}", self.names_of(fields).join(", ")),
        }
    }

    /// The data of a message.
    pub(super) fn fields(&self, message: &MessageStatement) -> Vec<String> {
        message.fields.iter().map(|it| self.field(it)).collect()
    }

    fn field(&self, field: &Field) -> String {
        let value = match &field.value {
            FieldValue::Bind(binding) => self.binding(binding),
            FieldValue::Free(value) => self.expression(*value),
        };
        match field.label {
            Some(label) => format!("{} = {value}", self.name(label)),
            None => value,
        }
    }

    /// `new x: Int`.
    pub(in crate::chor) fn binding(&self, binding: &BoundVariable) -> String {
        let again = if binding.again { "new " } else { "" };
        let name = self.name(binding.variable);
        match binding.sort {
            Some(sort) => format!("{again}{name}: {}", self.sort(sort)),
            None => format!("{again}{name}"),
        }
    }

    /// `do Pay[vendor, bank](card)`.
    pub(in crate::chor) fn call(&self, call: &Call) -> String {
        let (start, arguments) = self.call_parts(call);
        if arguments.is_empty() {
            start
        } else {
            format!("{start}({})", arguments.join(", "))
        }
    }

    /// `do Pay[vendor, bank]` and its arguments.
    pub(super) fn call_parts(&self, call: &Call) -> (String, Vec<String>) {
        let roles = self.names_of(&call.roles).join(", ");
        let start = format!("do {}[{roles}]", self.name(call.target));
        let arguments = call.arguments.iter().map(|&it| self.expression(it));
        (start, arguments.collect())
    }

    pub(in crate::chor) fn name(&self, reference: Reference) -> &'a str {
        self.names.text(reference.name)
    }

    pub(in crate::chor) fn names_of(&self, references: &[Reference]) -> Vec<String> {
        let names = references.iter().map(|&it| self.name(it).to_owned());
        names.collect()
    }

    pub(in crate::chor) fn expression(&self, expression: Expression) -> String {
        self.program.exprs.print(self.names, expression)
    }

    pub(super) fn sort(&self, sort: SortExprId) -> String {
        self.program.exprs.print_sort(self.names, sort)
    }
}
