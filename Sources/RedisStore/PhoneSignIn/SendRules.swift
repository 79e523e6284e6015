/// The settings that all of a deployment's sends share: durations, bounds and rate limits of a number.
struct SendRules: ScriptRules {
    let lockMilliseconds: Int64
    let sessionMilliseconds: Int64
    let attempts: Int
    let leastLifeToResendMilliseconds: Int64
    let knownClientMilliseconds: Int64
    let limits: [Limit]

    /// A rate limit without its key, which depends on the request.
    struct Limit: Hashable, Sendable {
        let scope: RateLimit.Scope
        let window: RateLimit.Window
        let bucketMilliseconds: Int64
        /// The position of its key in `windowKeys`, from 1.
        let keyPosition: Int

        /// The format of the limit's entry in decisions, with its count: see ``CountedLimit``.
        fileprivate var countedFormat: String {
            CountedLimit.text(scope.name, sends: "%d", window)
        }

        /// The table that `sliding-windows.lua` expects.
        fileprivate var table: String {
            """
            {key=windowKeys[\(keyPosition)],window=\(window.milliseconds),maximum=\(window.maximum),\
            bucket=\(bucketMilliseconds)\
            \(window.reserved > 0 ? ",reserved=\(window.reserved)" : "")}
            """
        }
    }

    /// Lua that declares the rules for `send-verification-code.lua`. Values that only Redis reads are strings. The
    /// limits are a function because a re-entered send needs none.
    var constants: String {
        """
        local rules={lockLife=\(lockMilliseconds),sessionLife=\(sessionMilliseconds),attempts='\(attempts)',\
        leastLifeToResend=\(leastLifeToResendMilliseconds),knownClientLife=\(knownClientMilliseconds),\
        decisions='\(Store.maximumDecisions)',decisionLife='\(Store.decisionMilliseconds)',\
        countedLimits='\(limits.map { $0.countedFormat + ";" }.joined())',\
        limits=function() return {\(limits.map(\.table).joined(separator: ","))} end}

        """
    }
}
