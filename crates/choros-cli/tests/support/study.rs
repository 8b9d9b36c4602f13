//! The case studies whose services are written with spyne, and how they are driven.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Program, choros, free_address};

/// A case study: its service, the partners that are played, and how it is driven.
pub(crate) struct Study {
    pub(crate) folder: &'static str,
    pub(crate) model: &'static str,
    /// The option of the service, and the partner after it.
    pub(crate) partners: &'static [(&'static str, &'static str)],
    pub(crate) service: &'static [&'static str],
    pub(crate) driving: &'static [&'static str],
}

/// A tick is an hour, which takes 0.5 s here; a busy machine may make the service late by nearly that.
pub(crate) const LOAN: Study = Study {
    folder: "xloan",
    model: "xloan.bpel",
    partners: &[("--black-list", "BL"), ("--bank", "BK")],
    service: &["--hour", "0.5"],
    driving: &[
        "-k",
        "10",
        "--time-scale",
        "0.00013888889",
        "--tolerance",
        "400",
    ],
};

pub(crate) const CONFERENCE: Study = Study {
    folder: "econference",
    model: "econference.bpel",
    partners: &[
        ("--conference", "cS"),
        ("--egov", "egovS"),
        ("--flight", "fS"),
    ],
    service: &[],
    driving: &["-k", "15", "--contracts", "dates.contract"],
};

/// A service that runs.
pub(crate) struct Served<'s> {
    study: &'s Study,
    folder: PathBuf,
    target: String,
    played: Vec<String>,
    _service: Program,
}

impl Study {
    /// Starts the service, with a fault or without.
    pub(crate) fn serve(&self, python: &Path, fault: Option<&str>) -> Served<'_> {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("../../examples")
            .join(self.folder);
        let mut service = Command::new(python);
        service
            .current_dir(&folder)
            .args(["service.py", "--port", "0"])
            .args(self.service);
        let mut played = Vec::new();
        for (option, role) in self.partners {
            let address = free_address();
            service.args([*option, &format!("http://{address}/")]);
            played.extend(["--mock-at".to_owned(), format!("{role}={address}")]);
        }
        if let Some(fault) = fault {
            service.args(["--fault", fault]);
        }
        let service = Program::start(&mut service);
        Served {
            study: self,
            folder,
            target: format!("http://127.0.0.1:{}/", service.url()),
            played,
            _service: service,
        }
    }
}

impl Served<'_> {
    /// Drives the service; the exit code and what was said.
    pub(crate) fn drive(&self, more: &[&str]) -> (i32, String) {
        let output = choros()
            .current_dir(&self.folder)
            .args(["drive", self.study.model, "--mock-partners"])
            .args(["--target", &self.target])
            .args(&self.played)
            .args(self.study.driving)
            .args(more)
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text).into_owned();
        (output.status.code().unwrap_or(-1), text)
    }
}
