//! The end of the process while a solver is at work.

/// Ends the process at once.
///
/// The usual way out runs the clean-up of every library; that of a solver which another thread is using may crash or
/// wait forever.
/// Whatever has to be written must be written and flushed before.
#[expect(
    unsafe_code,
    reason = "the standard library has no way out that skips the clean-up of libraries"
)]
pub fn leave(code: u8) -> ! {
    unsafe extern "C" {
        fn _exit(code: std::ffi::c_int) -> !;
    }
    // SAFETY: `_exit` takes any number, touches no memory of ours and does not return.
    unsafe { _exit(std::ffi::c_int::from(code)) }
}
