internal import RedisScripts

/// What a project's policy on second factors means for its users.
extension Project {
    /// The second-factor requirement of a sign-in by a user who may have second factors.
    var secondFactorNeed: SecondFactorNeed { secondFactors.state == .off ? .nothing : .asking }

    /// Returns whether a session that began with these factors may be refreshed. If the project requires a second
    /// factor, a session without one lasts only for its first ID token, with which the user can enroll.
    func renews(_ provider: SignInProvider, _ secondFactor: ProvenSecondFactor?) -> Bool {
        secondFactors.state != .required || !provider.asksForSecondFactor || secondFactor != nil
    }
}
