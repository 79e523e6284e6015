/// The settings that all of a deployment's sends share: durations, bounds and the rate limits of a number.
struct SendRules: ScriptRules {
    let lockMilliseconds: Int64
    let sessionMilliseconds: Int64
    let attempts: Int
    let leastLifeToResendMilliseconds: Int64
    let knownClientMilliseconds: Int64
    /// The windows of the number's messages, the longest one last.
    let windows: [RateLimit.Window]
    let ranges: RangeBounds
    let nearCapPercent: Int64

    /// Lua that declares the rules for `send-verification-code.lua`. Values that only Redis reads are strings. All are
    /// single values, because Lua would create a table in every call.
    var constants: String {
        """
        local lockLife,sessionLife,attempts=\(lockMilliseconds),'\(sessionMilliseconds)','\(attempts)' \
        local leastLifeToResend,knownClientLife=\(leastLifeToResendMilliseconds),\(knownClientMilliseconds) \
        local maximumDecisions,decisionLife='\(Store.maximumDecisions)','\(Store.decisionMilliseconds)' \
        local windows='\(windows.map { "\($0.milliseconds) \($0.maximum) \($0.reserved)" }.joined(separator: " "))' \
        local windowLife='\(windows.map(\.milliseconds).max() ?? 1)' \
        local halfLife,credit=\(ranges.halfLifeMilliseconds),\(ranges.creditPerVerified) \
        local allowanceOfRegion,allowanceOfSeries,allowanceOfBlock=\(ranges.region),\(ranges.series),\(ranges.block) \
        local deniedShare,nearCapPercent=\(StepUp.deniedShare),\(nearCapPercent)

        """
    }
}
