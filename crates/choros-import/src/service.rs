//! A service: what a description says as a whole.

use crate::library::{At, Library};
use crate::links;
use crate::lost::{LostList, Reason};
use crate::names;
use crate::operation::{Operation, Operations};

/// A service and its operations.
#[derive(Debug, Default)]
pub(crate) struct Service {
    pub(crate) role: String,
    /// The file that describes it.
    pub(crate) file: String,
    pub(crate) title: String,
    /// Where it is, without a path.
    pub(crate) address: Option<String>,
    /// Headers of every request.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) operations: Vec<Operation>,
    pub(crate) webhooks: Vec<Operation>,
}

/// Words in titles and files that say nothing about the service.
const EMPTY_WORDS: [&str; 8] = [
    "api",
    "openapi",
    "rest",
    "service",
    "swagger",
    "specification",
    "spec",
    "index",
];

/// What a service is called where no one says it: by its file, or by its title.
pub(crate) fn role_of(library: &Library<'_>, root: At, file: &str) -> String {
    let stem = file.rsplit('/').next().unwrap_or(file);
    let stem = stem.split('.').next().unwrap_or(stem);
    let info = library.raw(root, "info");
    let title = info
        .and_then(|it| library.text_at(it, "title"))
        .unwrap_or_default();
    for text in [stem, &title] {
        let name = names::role_name(text);
        let words = name.split('_').filter(|it| !EMPTY_WORDS.contains(it));
        let words: Vec<&str> = words
            .filter(|it| !it.bytes().all(|byte| byte.is_ascii_digit() || byte == b'v'))
            .collect();
        let short = words.join("_");
        if names::is_name(&short) && short != "field" {
            return short;
        }
    }
    "service".to_owned()
}

impl Service {
    /// Reads all operations of a description.
    pub(crate) fn read(
        operations: &mut Operations<'_, '_>,
        root: At,
        role: String,
        file: &str,
    ) -> Service {
        let library = &*operations.library;
        let info = library.raw(root, "info");
        let text = |key: &str| info.and_then(|it| library.text_at(it, key));
        let title = [text("title"), text("version")];
        let title: Vec<String> = title.into_iter().flatten().collect();
        let mut service = Service {
            role,
            file: file.to_owned(),
            title: title.join(" "),
            ..Service::default()
        };
        let base = service.read_server(operations.library, operations.lost, root);
        let mut found = Vec::new();
        if let Some(paths) = operations.library.get(root, "paths") {
            for (path, item) in operations.library.entries(paths) {
                if path.starts_with('/')
                    && let Some(item) = operations.library.follow(item)
                {
                    found.extend(operations.find(&path, &base, item));
                }
            }
        }
        let mut cookies = service.read_security(
            operations.library,
            operations.lost,
            root,
            &found.iter().map(|it| it.at).collect::<Vec<_>>(),
        );
        for found in &mut found {
            // Two services can have an operation of one name.
            if operations.messages.has(&found.name) {
                found.name = format!("{}{}", names::pascal(&service.role), found.name);
            }
            let name = operations.messages.give(&found.name);
            found.name = operations.enumerations.names.give(&name);
        }
        for found in &found {
            service
                .operations
                .push(operations.read(found, found.name.clone(), false));
        }
        if let Some(webhooks) = operations.library.get(root, "webhooks") {
            for (event, item) in operations.library.entries(webhooks) {
                operations.lost.note(item, &event, Reason::Webhook);
                if let Some(item) = operations.library.follow(item) {
                    service.webhooks.extend(operations.event(&event, item));
                }
            }
        }
        service.add_cookies(&mut cookies, std::mem::take(&mut operations.cookies));
        links::resolve(
            &mut service.operations,
            operations.library,
            operations.lost,
            root,
        );
        service
    }

    /// Where the service is; the path of its server is a part of every path.
    fn read_server(&mut self, library: &Library<'_>, lost: &mut LostList, root: At) -> String {
        let Some(servers) = library.raw(root, "servers") else {
            return String::new();
        };
        let servers = library.items(servers);
        let Some(first) = servers.first() else {
            return String::new();
        };
        if let Some(second) = servers.get(1) {
            lost.note(*second, "servers", Reason::Servers);
        }
        let mut address = library.text_at(*first, "url").unwrap_or_default();
        if let Some(variables) = library.raw(*first, "variables") {
            for (variable, at) in library.entries(variables) {
                let value = library.raw(at, "default");
                let value = value.and_then(|it| library.text(it).or(library.number(it)));
                address = address.replace(&format!("{{{variable}}}"), value.unwrap_or_default());
            }
        }
        let path = match address.split_once("://") {
            Some((scheme, rest)) => {
                let (host, path) = match rest.find('/') {
                    Some(slash) => rest.split_at(slash),
                    None => (rest, ""),
                };
                let is_plain = |it: u8| it.is_ascii_alphanumeric() || b"-.:[]_".contains(&it);
                if matches!(scheme, "http" | "https")
                    && !host.is_empty()
                    && host.bytes().all(is_plain)
                {
                    self.address = Some(format!("{scheme}://{host}"));
                }
                path.to_owned()
            }
            None => address,
        };
        let path = path.trim_end_matches('/');
        let is_plain = |it: u8| it.is_ascii_alphanumeric() || b"-._~/".contains(&it);
        if path.starts_with('/') && path.bytes().all(is_plain) {
            path.to_owned()
        } else {
            String::new()
        }
    }

    /// The cookies of every request: those that log in, and those that operations want.
    fn add_cookies(&mut self, cookies: &mut Vec<String>, wanted: Vec<(String, Option<String>)>) {
        let role = self.role.to_uppercase();
        for (name, value) in wanted {
            let known = format!("{name}=");
            if cookies.iter().any(|it| it.starts_with(&known)) {
                continue;
            }
            let variable = || format!("${role}_{}", names::role_name(&name).to_uppercase());
            cookies.push(format!("{name}={}", value.unwrap_or_else(variable)));
        }
        if !cookies.is_empty() {
            self.headers.push(("cookie".to_owned(), cookies.join("; ")));
        }
    }

    /// The headers that log a caller in: of the first way that the description requires; and the cookies.
    fn read_security(
        &mut self,
        library: &mut Library<'_>,
        lost: &mut LostList,
        root: At,
        operations: &[At],
    ) -> Vec<String> {
        let mut cookies = Vec::new();
        let mut requirements = Vec::new();
        for holder in std::iter::once(&root).chain(operations) {
            if let Some(list) = library.raw(*holder, "security") {
                requirements.extend(library.items(list));
            }
        }
        let mut used: Vec<String> = Vec::new();
        let components = library.raw(root, "components");
        let schemes = components.and_then(|it| library.raw(it, "securitySchemes"));
        for requirement in requirements {
            let names = library.entries(requirement);
            let is_first = used.is_empty();
            for (name, at) in names {
                if used.contains(&name) {
                    continue;
                }
                let scheme = schemes.and_then(|it| library.get(it, &name));
                if is_first {
                    let cookie = self.add_credentials(library, lost, scheme, &name, at);
                    cookies.extend(cookie);
                } else {
                    lost.note(scheme.unwrap_or(at), &name, Reason::OtherCredentials);
                }
                used.push(name);
            }
        }
        cookies
    }

    /// Adds a header; a cookie is returned.
    fn add_credentials(
        &mut self,
        library: &Library<'_>,
        lost: &mut LostList,
        scheme: Option<At>,
        name: &str,
        at: At,
    ) -> Option<String> {
        let text = |key: &str| {
            scheme
                .and_then(|it| library.text_at(it, key))
                .unwrap_or_default()
        };
        let role = self.role.to_uppercase();
        let header = match (text("type").as_str(), text("in").as_str()) {
            ("http", _) if text("scheme").eq_ignore_ascii_case("basic") => (
                "authorization".to_owned(),
                format!("Basic ${role}_CREDENTIALS"),
            ),
            ("http" | "oauth2" | "openIdConnect", _) => {
                ("authorization".to_owned(), format!("Bearer ${role}_TOKEN"))
            }
            ("apiKey", "header") => (
                text("name").to_ascii_lowercase(),
                format!("${role}_API_KEY"),
            ),
            ("apiKey", "cookie") => (text("name"), format!("${role}_API_KEY")),
            _ => {
                lost.note(scheme.unwrap_or(at), name, Reason::Credentials);
                return None;
            }
        };
        let is_plain = |it: u8| it.is_ascii_alphanumeric() || b"-_".contains(&it);
        if header.0.is_empty() || !header.0.bytes().all(is_plain) {
            lost.note(scheme.unwrap_or(at), name, Reason::Credentials);
        } else if text("in") == "cookie" {
            return Some(format!("{}={}", header.0, header.1));
        } else {
            self.headers.push(header);
        }
        None
    }
}
