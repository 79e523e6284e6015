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

    /// Lua that declares the rules for `send-verification-code.lua`. Values that only Redis reads are strings. A window
    /// of the number's messages is its length (ms), its maximum, and what clients that are not known may use of it. A
    /// rate is interval and tolerance (µs), the same two, and its length.
    var constants: String {
        """
        local lockLife,sessionLife=\(lockMilliseconds),'\(sessionMilliseconds)' \
        local leastLifeToResend,knownClientLife=\(leastLifeToResendMilliseconds),\(knownClientMilliseconds) \
        local maximumDecisions,decisionLife='\(Store.maximumDecisions)','\(Store.decisionMilliseconds)' \
        local windows={\(windows.map { "\($0.milliseconds),\(Self.maxima($0))" }.joined(separator: ","))} \
        local rates={\(rates.map(Self.text).joined(separator: ","))} \
        local windowLife='\(windows.map(\.milliseconds).max() ?? 1)' \
        local halfLife,rangeLife=\(ranges.halfLifeMilliseconds),'\(4 * ranges.halfLifeMilliseconds)' \
        local credit=\(ranges.creditPerVerified) \
        local allowanceOfRegion,allowanceOfSeries,allowanceOfBlock=\(ranges.region),\(ranges.series),\(ranges.block) \
        local deniedShare,nearCapPercent=\(StepUp.deniedShare),\(nearCapPercent)

        """
    }

    private static func maxima(_ window: RateLimit.Window) -> String {
        "\(window.maximum),\(window.maximum - window.reserved)"
    }

    private static func text(of rate: RateLimit.Window) -> String {
        let cell = CellRate(window: rate)
        return "\(cell.interval),\(cell.tolerance),\(maxima(rate)),'\(rate.milliseconds)'"
    }
}
