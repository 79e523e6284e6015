/// Why a solution does not count.
public enum SolutionRefusal: Error, Equatable, CaseIterable {
    /// Not ALTCHA's form, or larger than any solution is.
    case malformed
    /// The number is not the challenge's.
    case wrongNumber
    /// The challenge was not made by this server.
    case forged
    case expired
    /// The challenge was made for another project, app or event.
    case otherSubject
}
