/// The settings that all of a deployment's sends share: durations, bounds and the rate limits of a number.
struct SendRules: ScriptRules {
    let lockMilliseconds: Int64
    let sessionMilliseconds: Int64
    let leastLifeToResendMilliseconds: Int64
    let knownClientMilliseconds: Int64
    /// The windows of the number's messages, the longest one last.
    let windows: [RateLimit.Window]
    /// The windows of the rates, in the order of their keys.
    let rates: [RateLimit.Window]
    let ranges: RangeBounds
    let nearCapPercent: Int64

    /// Lua that declares the rules for `send-verification-code.lua`. Values that only Redis reads are strings. Of each
    /// window, the number's messages have the length (ms) and rates the interval (µs); then come the maximum, and what
    /// clients that are not known may use of it.
    var constants: String {
        """
        local lockLife,sessionLife=\(lockMilliseconds),'\(sessionMilliseconds)' \
        local leastLifeToResend,knownClientLife=\(leastLifeToResendMilliseconds),\(knownClientMilliseconds) \
        local maximumDecisions,decisionLife='\(Store.maximumDecisions)','\(Store.decisionMilliseconds)' \
        local windows={\(Self.list(windows) { $0.milliseconds })} \
        local rates={\(Self.list(rates) { CellRate(window: $0).interval })} \
        local windowLife='\(windows.map(\.milliseconds).max() ?? 1)' \
        local halfLife,rangeLife=\(ranges.halfLifeMilliseconds),'\(4 * ranges.halfLifeMilliseconds)' \
        local credit=\(ranges.creditPerVerified) \
        local allowanceOfRegion,allowanceOfSeries,allowanceOfBlock=\(ranges.region),\(ranges.series),\(ranges.block) \
        local deniedShare,nearCapPercent=\(StepUp.deniedShare),\(nearCapPercent)

        """
    }

    private static func list(_ windows: [RateLimit.Window], _ length: (RateLimit.Window) -> Int64) -> String {
        windows.map { "\(length($0)),\($0.maximum),\($0.maximum - $0.reserved)" }.joined(separator: ",")
    }
}
