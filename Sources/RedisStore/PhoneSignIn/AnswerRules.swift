/// The settings that all answers to sessions share.
struct AnswerRules: ScriptRules {
    let wrongCodes: WrongCodeLimits
    let tombstoneMilliseconds: Int64

    /// Lua that declares the rules for `answer-session.lua`. Values that only Redis reads are strings.
    var constants: String {
        """
        local rules={maximum=\(wrongCodes.maximum),reserved=\(wrongCodes.reservedForKnownClients),\
        freeWrongCodes=\(wrongCodes.perClientBeforeWait),longestWait=\(wrongCodes.longestWaitMilliseconds),\
        halfLife=\(wrongCodes.halfLifeMilliseconds),lastSurplusClient='\(-1 - wrongCodes.knownClients)',\
        knownClientLife=\(wrongCodes.knownClientMilliseconds),tombstoneLife='\(tombstoneMilliseconds)'}

        """
    }
}
