/// The input of the toll fraud check, which decides whether sends to new clients are stepped up.
struct TollFraudCheck {
    let ranges: NumberRanges
    /// The ranges' allowances.
    let bounds: RangeBounds
    /// Whether a send is refused if the check fails; otherwise the result is only recorded.
    let isEnforced: Bool
    /// Whether the client has solved the hard challenge.
    let isHardProof: Bool
    /// Whether new clients must solve the hard challenge in any case, because the number is not in the numbering data.
    var challengesNewClients = false
    /// The expected price of the message.
    let price: Money
    /// The region's spending cap per day; nil for no cap.
    let cap: Money?
}
