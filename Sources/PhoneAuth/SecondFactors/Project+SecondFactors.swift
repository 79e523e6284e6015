public import RedisStore

/// What a project's policy on second factors means for its users.
extension Project {
    /// What sign-ins of users need who may have some.
    var secondFactorNeed: SecondFactorNeed { secondFactors.state == .off ? .nothing : .asking }

    /// Whether a session gets new tokens that was begun so. Where a second factor is required, one without lasts for its first ID
    /// token, in which the user can enrol.
    func renews(_ provider: SignInProvider, _ secondFactor: ProvenSecondFactor?) -> Bool {
        secondFactors.state != .required || !provider.asksForSecondFactor || secondFactor != nil
    }

    /// Refuses a kind of second factor that the project does not ask for.
    /// - Throws: ``SecondFactorRefusal/kindNotAllowed(_:)``.
    public func requireSecondFactors(_ kind: SecondFactorRecord.Kind) throws(SecondFactorRefusal) {
        let isAllowed =
            switch kind {
            case .phone: secondFactors.allowsSMS
            case .totp: secondFactors.adjacentIntervals != nil
            }
        guard secondFactors.state != .off, isAllowed else { throw .kindNotAllowed(kind) }
    }
}
