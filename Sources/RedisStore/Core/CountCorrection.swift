/// Counts in other slots that are to be corrected after a step whose outcome they depend on.
///
/// The step is complete without them. A correction that is lost leaves counts too high, until their windows or
/// half-lives end, or credits a correct code to no one.
public struct CountCorrection: Sendable {
    let calls: [ScriptCall]

    static let none = CountCorrection(calls: [])
}

extension Store {
    /// Corrects counts in one round trip, in a cluster those of the nodes that work.
    /// - Throws: ``StoreUnavailable``; any part of the correction may then be done. A retry could count too little.
    public func correct(_ correction: CountCorrection) throws(StoreUnavailable) {
        _ = try runEach(for: correction.calls, mayFail: true) { $0 }
    }
}
