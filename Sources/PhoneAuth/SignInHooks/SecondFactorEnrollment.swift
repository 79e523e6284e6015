/// A second factor that an account is about to get.
struct SecondFactorEnrollment {
    let factor: SecondFactor
    /// The second factor with which the enrolling session began.
    let sessionFactor: ProvenSecondFactor?
}
