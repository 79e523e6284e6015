internal import PhoneAuth

extension IndexKeyRefusal: WireRefusal {
    /// 503, so that clients retry. `Retry-After` is longer during a move between index keys than for an interruption.
    var wire: WireError {
        var error = WireError.unavailable(logDetail: description)
        if case .moving = self { error.retryAfterSeconds = IndexKeyRefusal.retryAfter.components.seconds }
        return error
    }
}
