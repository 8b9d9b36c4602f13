//! The process calculus: activities, the rules by which they step, and the graph that results.

mod activity;
mod dead;
mod rules;
mod scope;
mod state;
mod terminate;
mod unfold;

pub use activity::{
    Activity, ActivityId, Arm, Correlation, Delivery, Exchange, Handling, OnAlarm, OnMessage,
    Process, RaisedFault, ReceivedFault, Reception, Scope, Sending, Style,
};
pub use dead::DeadPlace;
pub use rules::{ProcessLabel, ProcessRules, ProcessStep, Sense};
pub use state::{Form, StateId, States};
pub use unfold::{UnfoldedProcess, unfold};
