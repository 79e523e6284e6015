/// Counts in other slots to be corrected after a step on whose outcome they depend.
///
/// The step itself is complete without the correction. If a correction is lost, counts stay too high until their
/// windows or half-lives end, or a correct code is not credited.
public struct CountCorrection: Sendable {
    let calls: [ScriptCall]

    static let none = CountCorrection(calls: [])
}

extension Store {
    /// Corrects counts in one round trip; in a cluster, only on the nodes that respond.
    /// - Throws: ``StoreUnavailable``; any part of the correction may then be done. A retry could undercount.
    public func correct(_ correction: CountCorrection) throws(StoreUnavailable) {
        _ = try runEach(for: correction.calls, mayFail: true) { $0 }
    }
}
