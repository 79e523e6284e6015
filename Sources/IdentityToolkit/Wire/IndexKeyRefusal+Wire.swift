internal import PhoneAuth

extension IndexKeyRefusal {
    /// 503, so that clients retry. `Retry-After` is longer during an index key rotation than for an interruption.
    var wire: WireError {
        var error = WireError.unavailable(logDetail: description)
        if case .moving = self { error.retryAfterSeconds = Policy.indexKeyMoveRetry.components.seconds }
        return error
    }
}
