internal import Encodings

/// An enrollment as reported to a hook.
struct HookedEnrollment: Sendable, Confidential {
    let factor: SecondFactor
    /// The code with which the user can revert the enrollment, see ``SecondFactorRevertCode``.
    let revertCode: String
}
