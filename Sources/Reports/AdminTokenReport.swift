package import PhoneAuth

extension AdminTokenDescription: ReportRecord {
    package static let type = "token"
    package static var members: ReportMembers<Self> {
        [
            "id": { $0.id }, "name": { $0.name }, "access": { $0.access.rawValue }, "createdAt": { $0.createdAt },
            "expiresAt": { $0.expiresAt },
        ]
    }
}
