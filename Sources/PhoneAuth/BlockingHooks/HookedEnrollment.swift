internal import Encodings

/// An enrolment as reported to a hook.
struct HookedEnrollment: Sendable, Confidential {
    let factor: SecondFactor
    /// The code with which the user can revert the enrolment, see ``SecondFactorRevertCode``.
    let revertCode: String
}
