/// The setting that all counts of series share.
struct SeriesRules: ScriptRules {
    let halfLifeMilliseconds: Int64

    /// Lua that declares the half-life, and the life of a series' key: see `number-ranges.lua`.
    var constants: String { "local halfLife,life=\(halfLifeMilliseconds),'\(4 * halfLifeMilliseconds)'\n" }
}
