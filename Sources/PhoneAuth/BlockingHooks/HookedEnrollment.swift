internal import Encodings

/// A second factor that an account is about to get.
struct SecondFactorEnrollment {
    let factor: SecondFactor
    /// What the session was begun with by which it is enrolled.
    let sessionFactor: ProvenSecondFactor?
}

/// What a hook is told of it.
struct HookedEnrollment: Sendable, Confidential {
    let factor: SecondFactor
    /// By this the user can undo it, see ``SecondFactorRevertCode``.
    let revertCode: String
}
