internal import PhoneAuth

extension IndexKeyRefusal {
    /// 503, so that clients try again; a move takes longer than an interruption.
    var wire: WireError {
        var error = WireError.unavailable(logDetail: description)
        if case .moving = self { error.retryAfterSeconds = Policy.indexKeyMoveRetry.components.seconds }
        return error
    }
}
