//! Driving services that are not ours: xLoan and e-Conference with spyne, whose calls zeep makes.
//!
//! A machine without them skips these tests, unless CHOROS_REQUIRE_PYTHON says that everything must be there.
//! `make soak` drives the correct services with many more seeds.

mod support;

use std::path::PathBuf;
use std::process::Command;

use support::{Program, choros, free_address, python};

/// A case study: its service, the partners that are played, and how it is driven.
struct Study {
    folder: &'static str,
    model: &'static str,
    /// The option of the service, and the partner behind it.
    partners: &'static [(&'static str, &'static str)],
    service: &'static [&'static str],
    driving: &'static [&'static str],
}

/// A tick is an hour, which takes 0.5 s here; a busy machine may make the service late by nearly that.
const LOAN: Study = Study {
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

const CONFERENCE: Study = Study {
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

impl Study {
    fn folder(&self) -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("../../examples")
            .join(self.folder)
    }

    /// Drives the service; its exit code and what was said.
    fn drive(&self, python: &PathBuf, fault: Option<&str>, more: &[&str]) -> (i32, String) {
        let mut service = Command::new(python);
        service
            .current_dir(self.folder())
            .args(["service.py", "--port", "0"])
            .args(self.service);
        let mut driving = choros();
        driving
            .current_dir(self.folder())
            .args(["drive", self.model, "--mock-partners"])
            .args(["--answer-within", "3000"])
            .args(self.driving)
            .args(more);
        for (option, role) in self.partners {
            let address = free_address();
            service.args([*option, &format!("http://{address}/")]);
            driving.args(["--mock-at", &format!("{role}={address}")]);
        }
        if let Some(fault) = fault {
            service.args(["--fault", fault]);
        }
        let service = Program::start(&mut service);
        let port = service.url();
        let output = driving
            .args(["--target", &format!("http://127.0.0.1:{port}/")])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        (output.status.code().unwrap_or(-1), text)
    }

    fn finds(&self, fault: &str) {
        let Some(python) = python("spyne, zeep, lxml") else {
            return;
        };
        let (code, text) = self.drive(&python, Some(fault), &["--fail-fast"]);
        assert_eq!(code, 1, "{fault} was not found:\n{text}");
    }

    /// Drives the correct service, with the values at the bounds or with those of a seed.
    fn passes(&self, seed: Option<u64>) {
        let Some(python) = python("spyne, zeep, lxml") else {
            return;
        };
        let seed = seed.map(|seed| seed.to_string());
        let more = match &seed {
            Some(seed) => vec!["--values", "random", "--seed", seed],
            None => Vec::new(),
        };
        let (code, text) = self.drive(&python, None, &more);
        assert_eq!(code, 0, "{more:?}:\n{text}");
    }
}

/// One test per fault: most of their time is waiting, which they can do side by side.
macro_rules! faults {
    ($module:ident, $study:ident: $($name:ident $fault:literal),* $(,)?) => {
        mod $module {
            $(
                #[test]
                fn $name() {
                    super::$study.finds($fault);
                }
            )*
        }
    };
}

faults!(fact_49_every_fault_of_the_loan_service_is_found, LOAN:
    limit "limit",
    correlation "correlation",
    wrong_fault "wrong-fault",
    late "late",
    lost "lost",
    off_by_one "off-by-one",
    wrong_partner "wrong-partner",
    other_branch "other-branch",
    no_cancel "no-cancel",
    any_offer "any-offer",
);

faults!(every_fault_of_the_conference_service_is_found, CONFERENCE:
    limit "limit",
    correlation "correlation",
    wrong_fault "wrong-fault",
    late "late",
    lost "lost",
    off_by_one "off-by-one",
    wrong_partner "wrong-partner",
    other_branch "other-branch",
);

mod the_correct_loan_service_is_never_blamed {
    use super::LOAN;

    #[test]
    fn at_the_bounds() {
        LOAN.passes(None);
    }

    #[test]
    fn with_seed_1() {
        LOAN.passes(Some(1));
    }

    #[test]
    fn with_seed_2() {
        LOAN.passes(Some(2));
    }
}

mod the_correct_conference_service_is_never_blamed {
    use super::CONFERENCE;

    #[test]
    fn at_the_bounds() {
        CONFERENCE.passes(None);
    }

    #[test]
    fn with_two_seeds() {
        CONFERENCE.passes(Some(1));
        CONFERENCE.passes(Some(2));
    }
}
