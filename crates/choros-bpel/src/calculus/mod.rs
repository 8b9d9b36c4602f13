//! The process calculus: activities, the rules by which they step, and the graph that results.

mod activity;
mod contest;
mod dead;
mod deliver;
mod rules;
mod scope;
mod state;
mod terminate;
mod unfold;

pub use activity::{
    Activity, ActivityId, Arm, Contest, Correlation, Delivery, Exchange, Handling, OnAlarm,
    OnMessage, Process, RaisedFault, ReceivedFault, Reception, Scope, Sending, Style,
};
pub use contest::Claim;
pub use dead::DeadPlace;
pub use rules::{ProcessLabel, ProcessRules, ProcessStep, Sense};
pub use state::{Form, StateId, States};
pub use unfold::{UnfoldedProcess, unfold};
