//! Driving services that are not ours: xLoan and e-Conference with spyne, whose calls zeep makes.
//!
//! A machine without them skips these tests, unless CHOROS_REQUIRE_PYTHON says that everything must be there.
//! `make soak` drives the correct services with many more seeds.

mod support;

use support::python;
use support::study::{CONFERENCE, LOAN, Study};

impl Study {
    fn finds(&self, fault: &str) {
        let Some(python) = python("spyne, zeep, lxml") else {
            return;
        };
        // The faults are those of the thesis: some answer a message of another conversation.
        let thesis = ["--reading", "thesis"];
        let more = [&thesis[..], &["--answer-within", "3000", "--fail-fast"]].concat();
        let (code, text) = self.serve(&python, Some(fault)).drive(&more);
        assert_eq!(code, 1, "{fault} was not found:\n{text}");
    }

    /// Drives the correct service, with the values at the bounds or with those of a seed.
    fn passes(&self, seed: Option<u64>) {
        let Some(python) = python("spyne, zeep, lxml") else {
            return;
        };
        let seed = seed.map(|seed| seed.to_string());
        let mut more = vec!["--answer-within", "3000"];
        if let Some(seed) = &seed {
            more.extend(["--values", "random", "--seed", seed]);
        }
        let (code, text) = self.serve(&python, None).drive(&more);
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
