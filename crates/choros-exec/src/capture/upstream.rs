//! The way to the service behind the proxy.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hyper::client::conn::http1::{Builder, SendRequest};
use hyper::header::HeaderValue;
use hyper_util::rt::TokioIo;
use thiserror::Error;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::tee::Passing;

/// How long a service may take to accept a connection.
const CONNECT: Duration = Duration::from_secs(10);

/// A service that requests are forwarded to.
#[derive(Clone)]
pub struct Upstream {
    host: String,
    port: u16,
    /// What the request's target is put after; empty or starting with `/`, never ending with one.
    prefix: String,
    tls: Option<(TlsConnector, ServerName<'static>)>,
    authority: HeaderValue,
}

/// Why a forward address is of no use.
#[derive(Debug, Error)]
pub enum UpstreamError {
    /// It is not an address.
    #[error(
        "`{0}` is not the address of a service: expected `http://host[:port][/path]` or `https://…`"
    )]
    NotAnAddress(String),
    /// Certificates could not be read.
    #[error("no certificates to check `{host}` with: {reason}")]
    Certificates {
        /// The service.
        host: String,
        /// What went wrong.
        reason: String,
    },
}

impl Upstream {
    /// Reads `http://host[:port][/path]` or `https://…`.
    ///
    /// A certificate of the service is checked against the system's roots, or against those in `roots` alone.
    pub fn parse(url: &str, roots: Option<&Path>) -> Result<Upstream, UpstreamError> {
        let no = || UpstreamError::NotAnAddress(url.to_owned());
        let uri: hyper::Uri = url.parse().map_err(|_| no())?;
        let authority = uri.authority().ok_or_else(no)?.clone();
        let secure = match uri.scheme_str() {
            Some("http") => false,
            Some("https") => true,
            _ => return Err(no()),
        };
        if authority.as_str().contains('@') || uri.query().is_some() {
            return Err(no());
        }
        let host = authority.host().trim_matches(['[', ']']).to_owned();
        let port = authority
            .port_u16()
            .unwrap_or(if secure { 443 } else { 80 });
        let tls = if secure {
            let name = ServerName::try_from(host.clone()).map_err(|_| no())?;
            let config = client_config(roots).map_err(|reason| UpstreamError::Certificates {
                host: host.clone(),
                reason,
            })?;
            Some((TlsConnector::from(Arc::new(config)), name))
        } else {
            None
        };
        Ok(Upstream {
            host,
            port,
            prefix: uri.path().trim_end_matches('/').to_owned(),
            tls,
            authority: HeaderValue::from_str(authority.as_str()).map_err(|_| no())?,
        })
    }

    /// What belongs in `Host`.
    pub fn authority(&self) -> &HeaderValue {
        &self.authority
    }

    /// The target of a request, after this service's path.
    pub fn target(&self, target: &str) -> String {
        format!("{}{target}", self.prefix)
    }

    /// A new connection, and the task that drives it.
    pub async fn connect(&self) -> io::Result<SendRequest<Passing>> {
        let tcp =
            tokio::time::timeout(CONNECT, TcpStream::connect((self.host.as_str(), self.port)))
                .await
                .map_err(|_| {
                    io::Error::new(io::ErrorKind::TimedOut, "no connection within 10 s")
                })??;
        // A message is forwarded as it comes; waiting to fill a packet would cost the millisecond we promise.
        tcp.set_nodelay(true)?;
        match &self.tls {
            None => handshake(TokioIo::new(tcp)).await,
            Some((connector, name)) => {
                let secured = connector.connect(name.clone(), tcp).await;
                let stream = secured.map_err(|error| {
                    io::Error::new(error.kind(), format!("no TLS connection: {error}"))
                })?;
                handshake(TokioIo::new(stream)).await
            }
        }
    }
}

async fn handshake<T>(stream: T) -> io::Result<SendRequest<Passing>>
where
    T: hyper::rt::Read + hyper::rt::Write + Unpin + Send + 'static,
{
    let (sender, connection) = Builder::new()
        .preserve_header_case(true)
        .handshake(stream)
        .await
        .map_err(io::Error::other)?;
    tokio::spawn(async move {
        // Errors of the connection reach the task that waits for the response.
        let _ = connection.with_upgrades().await;
    });
    Ok(sender)
}

fn client_config(roots: Option<&Path>) -> Result<ClientConfig, String> {
    let mut store = RootCertStore::empty();
    match roots {
        Some(path) => {
            let certificates = CertificateDer::pem_file_iter(path)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            for certificate in certificates {
                let certificate =
                    certificate.map_err(|error| format!("{}: {error}", path.display()))?;
                store
                    .add(certificate)
                    .map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
        None => {
            let found = rustls_native_certs::load_native_certs();
            store.add_parsable_certificates(found.certs);
        }
    }
    if store.is_empty() {
        return Err("none were found; name a file of them with `--ca FILE`".to_owned());
    }
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    Ok(ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(store)
        .with_no_client_auth())
}
