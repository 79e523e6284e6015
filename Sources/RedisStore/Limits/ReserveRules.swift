/// The settings of a rate limit that `reserve.lua` counts an event in.
struct ReserveRules: ScriptRules {
    let window: RateLimit.Window

    /// Lua that declares the window and its maximum. Values that only Redis reads are strings.
    var constants: String { "local window,maximum='\(window.milliseconds)',\(window.maximum)\n" }
}
