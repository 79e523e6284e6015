/// The reason why a solution is rejected.
public enum SolutionRefusal: Error, Equatable, CaseIterable {
    /// The solution does not have ALTCHA's form, or is too large.
    case malformed
    /// The number is not the challenge's solution.
    case wrongNumber
    /// The challenge was not issued by this deployment.
    case forged
    case expired
    /// The challenge was issued for another project, app or event.
    case otherSubject
}
