internal import Encodings

/// A second factor that an account is about to get.
struct SecondFactorEnrollment {
    let factor: SecondFactor
    /// The second factor with which the enrolling session began.
    let sessionFactor: ProvenSecondFactor?
}

/// An enrolment as reported to a hook.
struct HookedEnrollment: Sendable, Confidential {
    let factor: SecondFactor
    /// The code with which the user can revert the enrolment, see ``SecondFactorRevertCode``.
    let revertCode: String
}
