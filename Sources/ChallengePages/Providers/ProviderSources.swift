/// The hosts that a provider's widget loads from and connects to, as sources of a content security policy.
struct ProviderSources {
    var script: [String] = []
    var style: [String] = []
    var frame: [String] = []
    var connect: [String] = []
}
