/// The settings that all answers to sessions share.
struct AnswerRules: ScriptRules {
    let wrongCodes: WrongCodeLimits
    let tombstoneMilliseconds: Int64
    let rangeHalfLifeMilliseconds: Int64
    let ledgerMilliseconds: Int64

    /// Lua that declares the rules for `answer-session.lua`. Values that only Redis reads are strings. All are single
    /// values, because Lua would create a table in every call.
    var constants: String {
        """
        local maximum,reserved=\(wrongCodes.maximum),\(wrongCodes.reservedForKnownClients) \
        local freeWrongCodes,longestWait=\(wrongCodes.perClientBeforeWait),\(wrongCodes.longestWaitMilliseconds) \
        local halfLife,maximumKnownClients=\(wrongCodes.halfLifeMilliseconds),\(wrongCodes.knownClients) \
        local knownClientLife,tombstoneLife='\(wrongCodes.knownClientMilliseconds)','\(tombstoneMilliseconds)' \
        local rangeHalfLife,ledgerLife=\(rangeHalfLifeMilliseconds),'\(ledgerMilliseconds)' \
        local newClientsPerDay,day=\(wrongCodes.newClientsPerDay),'\(RateLimit.Window.day(1).milliseconds)'

        """
    }
}
