//! From descriptions to a model and its binding.

use std::sync::Arc;

use choros_base::{Diagnostic, FileId, has_errors};

use crate::binding_text;
use crate::diagnostics::not_a_description;
use crate::enumerations::Enumerations;
use crate::library::{At, Library, OpenFile};
use crate::lost::{Lost, LostList};
use crate::model_text::{ModelText, linked_name};
use crate::names::{self, GivenNames};
use crate::operation::Operations;
use crate::service::{self, Service};

/// A description to be imported.
#[derive(Debug, Clone)]
pub struct Description {
    pub path: String,
    pub file: FileId,
    pub text: Arc<str>,
    /// What its service is called; by default as its file or its title says.
    pub role: Option<String>,
}

/// How descriptions are imported.
#[derive(Debug, Clone)]
pub struct ImportOptions {
    /// What the caller of the services is called.
    pub client: String,
    /// The name of the files; by default that of the only service, or `services`.
    pub name: Option<String>,
    /// Optional fields are taken along as if they were required.
    pub optional: bool,
}

/// What was made of them.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The name of the files, without extension.
    pub name: String,
    /// The choreography that has every call.
    pub choreography: String,
    /// The text of the model.
    pub model: String,
    /// The text of the binding.
    pub binding: String,
    pub services: Vec<String>,
    pub operations: usize,
    pub messages: usize,
    /// What was not carried over.
    pub lost: Vec<Lost>,
}

/// Imports descriptions; nothing where one of them is not a description.
pub fn import(
    descriptions: &[Description],
    options: &ImportOptions,
    open: &mut OpenFile<'_>,
) -> (Option<Imported>, Vec<Diagnostic>) {
    let mut forward = |path: &str| open(path);
    let mut library = Library::new(&mut forward);
    let mut roots: Vec<(&Description, At)> = Vec::new();
    for description in descriptions {
        let root = library.add(&description.path, description.file, &description.text);
        if let Some(root) = root
            && is_description(&mut library, root, description.file)
        {
            roots.push((description, root));
        }
    }
    if has_errors(&library.findings) || roots.is_empty() {
        return (None, library.findings);
    }
    let mut lost = LostList::default();
    let mut enumerations = Enumerations::default();
    let mut messages = GivenNames::default();
    let mut roles = GivenNames::default();
    let client = roles.give(&names::role_name(&options.client));
    let mut services = Vec::new();
    for (description, root) in roots {
        let role = match &description.role {
            Some(role) => names::role_name(role),
            None => service::role_of(&library, root, &description.path),
        };
        let role = roles.give(&role);
        let mut operations = Operations {
            library: &mut library,
            lost: &mut lost,
            enumerations: &mut enumerations,
            messages: &mut messages,
            optional: options.optional,
            cookies: Vec::new(),
        };
        let service = Service::read(&mut operations, root, role, &description.path);
        if service.operations.is_empty() && service.webhooks.is_empty() {
            let finding = not_a_description::without_operations(description.file);
            library.findings.push(finding);
        }
        services.push(service);
    }
    if has_errors(&library.findings) {
        return (None, library.findings);
    }
    for service in &services {
        for answer in service.operations.iter().flat_map(|it| &it.answers) {
            for link in &answer.links {
                enumerations
                    .names
                    .give(&linked_name(answer, &service.operations[link.target]));
            }
        }
    }
    let name = match (&options.name, services.as_slice()) {
        (Some(name), _) => names::role_name(name),
        (None, [only]) => only.role.clone(),
        (None, _) => "services".to_owned(),
    };
    let wanted = match services.as_slice() {
        [only] => format!("{}Api", names::pascal(&only.role)),
        _ => names::pascal(&name),
    };
    let text = ModelText::new(&client, &services, &mut enumerations, &wanted);
    let choreography = text.name.clone();
    let model = text.write();
    let binding = binding_text::write(&format!("{name}.chor"), &client, &services);
    let count = |it: &Service| it.operations.len() + it.webhooks.len();
    let imported = Imported {
        choreography,
        model,
        binding,
        operations: services.iter().map(count).sum(),
        messages: messages_of(&services),
        services: services.into_iter().map(|it| it.role).collect(),
        lost: lost.listed(&library),
        name,
    };
    (Some(imported), library.findings)
}

fn messages_of(services: &[Service]) -> usize {
    let operations = services
        .iter()
        .flat_map(|it| it.operations.iter().chain(&it.webhooks));
    operations
        .flat_map(|it| std::iter::once(it).chain(&it.callbacks))
        .map(|it| 1 + it.answers.len())
        .sum()
}

/// Whether the version is one that is read; what else it is, is reported.
fn is_description(library: &mut Library<'_>, root: At, file: FileId) -> bool {
    let version = |key: &str| {
        let at = library.raw(root, key)?;
        let text = library.text(at).or(library.number(at))?;
        Some((text.to_owned(), library.span(at)?))
    };
    let finding = match (version("openapi"), version("swagger")) {
        (Some((text, _)), _) if text.starts_with("3.0") || text.starts_with("3.1") => return true,
        (Some((text, span)), _) => not_a_description::other_version("OpenAPI", &text, span),
        (None, Some((text, span))) => not_a_description::other_version("Swagger", &text, span),
        (None, None) => not_a_description::diagnostic(file),
    };
    library.findings.push(finding);
    false
}
