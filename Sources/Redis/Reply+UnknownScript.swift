extension ServerError {
    /// Whether the server does not have the script's source.
    var isUnknownScript: Bool { code == "NOSCRIPT" }
}

extension Reply {
    /// Whether the server did not execute the command because it is a replica or has not loaded its data.
    var meansOtherServer: Bool {
        guard case .error(let error) = self else { return false }
        return error.meansOtherServer
    }

    /// Whether the server does not have the script's source.
    var isUnknownScript: Bool {
        guard case .error(let error) = self else { return false }
        return error.isUnknownScript
    }
}
