//! Contracts of partners: formulas over what an operation is given and what it gives back.

use choros_base::{Diagnostic, Name, Span, nearest};
use choros_data::{Inference, Sort, Terms};
use choros_model::interface::{Contract, Interface, Side};
use choros_model::stg::{Operation, Role};

use super::diagnostics::{contract_operation, declared_twice, purpose_statement, unknown_variable};
use super::syntax::{ContractSyntax, PurposeSyntax};

/// Puts the contracts of a file into an interface; what does not fit is reported and left out.
pub fn add_contracts(
    syntax: &PurposeSyntax,
    interface: &mut Interface,
    terms: &mut Terms,
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut seen: Vec<(Name, Name, Span)> = Vec::new();
    for contract in syntax.contracts() {
        let (partner, operation) = (contract.partner.name, contract.operation.name);
        let text = format!(
            "{}.{}",
            terms.names.text(partner),
            terms.names.text(operation)
        );
        let before = seen
            .iter()
            .find(|(p, o, _)| (*p, *o) == (partner, operation));
        if let Some(&(_, _, before)) = before {
            let what = format!("the contract of `{text}`");
            diagnostics.push(declared_twice::diagnostic(&what, contract.span, before));
            continue;
        }
        seen.push((partner, operation, contract.span));
        if let Err(mut found) = add(contract, &text, syntax, interface, terms) {
            diagnostics.append(&mut found);
        }
    }
    diagnostics
}

/// What a file of contracts must not hold.
pub fn check_contracts_only(syntax: &PurposeSyntax) -> Vec<Diagnostic> {
    syntax
        .lines
        .iter()
        .filter(|line| {
            line.statement
                .as_ref()
                .is_some_and(|it| !matches!(it, super::syntax::Statement::Contract(_)))
        })
        .map(|line| purpose_statement::only_contracts(line.span))
        .collect()
}

fn add(
    contract: &ContractSyntax,
    text: &str,
    syntax: &PurposeSyntax,
    interface: &mut Interface,
    terms: &mut Terms,
) -> Result<(), Vec<Diagnostic>> {
    let (partner, operation) = (
        Role(contract.partner.name),
        Operation(contract.operation.name),
    );
    let place = contract.partner.span.to(contract.operation.span);
    let known: Vec<String> = interface
        .operations
        .iter()
        .filter(|one| one.side == Side::Used)
        .map(|one| {
            let (partner, operation) = (one.partner.0, one.operation.0);
            format!(
                "{}.{}",
                terms.names.text(partner),
                terms.names.text(operation)
            )
        })
        .collect();
    let refuse = |why: &str, similar: Option<&str>| {
        vec![contract_operation::diagnostic(place, text, why, similar)]
    };
    let signature = interface
        .operations
        .iter_mut()
        .find(|one| one.partner == partner && one.operation == operation);
    let Some(signature) = signature else {
        let similar = nearest(text, known.iter().map(String::as_str));
        return Err(refuse("the model uses no such operation", similar));
    };
    if signature.side == Side::Provided {
        return Err(refuse("the orchestrator offers it itself", None));
    }
    let Some(output) = &signature.output else {
        return Err(refuse("nothing comes back from it", None));
    };
    let (input_name, output_name) = (terms.names.intern("in"), terms.names.intern("out"));
    let input = terms.variable(input_name, signature.input.sort);
    let output = terms.variable(output_name, output.sort);
    let mut inference = Inference::new(Sort::INT);
    let scope = inference.scope();
    for variable in [input, output] {
        let name = terms.variable_name(variable);
        let slot = inference.variable(scope, name, place);
        let sort = terms.variable_sort(variable);
        let known = inference.known(sort, place, "the message is of that sort");
        inference.unify(terms, slot, place, known);
    }
    let why = "a contract is true or false";
    inference.check_guard(terms, &syntax.exprs, contract.formula, scope, why);
    if choros_base::has_errors(&inference.diagnostics) {
        return Err(inference.diagnostics);
    }
    let Some(formula) = inference.build(terms, &syntax.exprs, contract.formula) else {
        return Err(inference.diagnostics);
    };
    let foreign: Vec<Diagnostic> = terms
        .free_variables(formula)
        .into_iter()
        .filter(|&variable| variable != input && variable != output)
        .map(|variable| {
            let name = terms.variable_text(variable);
            unknown_variable::diagnostic(contract.formula.span, name, nearest(name, ["in", "out"]))
        })
        .collect();
    if !foreign.is_empty() {
        return Err(foreign);
    }
    signature.contract = Some(Contract {
        input,
        output,
        formula: terms.close(formula),
    });
    Ok(())
}
