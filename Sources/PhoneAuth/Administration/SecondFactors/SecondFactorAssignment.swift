internal import Encodings
internal import PhoneNumbers

/// A second factor that an operator assigns, parsed and validated, but not yet compared with the account's factors.
struct SecondFactorAssignment: Sendable, Confidential {
    enum Content: Sendable {
        case phone(AccountIdentifier<PhoneIdentity>)
        case totp(TOTPSecret)
        case presentTOTP
    }

    let id: String
    let content: Content
    let displayName: String?
    let enrolledAt: Instant?
}

extension OperationContext {
    /// Returns the complete list of an account's new second factors; nil if they are unchanged. If several factors have
    /// the same number, the first one counts, as in the protocol.
    func secondFactorAssignments(of change: AccountChange) throws(AccountRefusal) -> [SecondFactorAssignment]? {
        guard let given = change.secondFactors else { return nil }
        var assignments: [SecondFactorAssignment] = []
        var numbers: Set<String> = []
        for factor in given {
            guard DisplayName.isLegal(factor.displayName) else { throw .displayNameTooLong }
            let content: SecondFactorAssignment.Content
            do { content = try self.content(of: factor) } catch { throw .secondFactor(error) }
            if case .phone(let number) = content, !numbers.insert(number.text).inserted { continue }
            let id: String
            do { id = try self.id(of: factor) } catch { throw .secondFactor(error) }
            guard !assignments.contains(where: { $0.id == id }) else { throw .secondFactor(.idRepeated) }
            assignments.append(
                SecondFactorAssignment(
                    id: id,
                    content: content,
                    displayName: factor.displayName,
                    enrolledAt: factor.enrolledAt
                )
            )
        }
        guard assignments.count <= SecondFactor.maximumPerAccount else { throw .secondFactor(.tooMany) }
        return assignments
    }

    private func content(of factor: AssignedSecondFactor) throws(AssignedSecondFactorFault)
        -> SecondFactorAssignment.Content
    {
        switch factor.content {
        case .phone(let text):
            let phone: E164
            do { phone = try phoneNumbers.parse(text) } catch { throw .numberInvalid }
            guard project.accepts(phone) else { throw .numberInvalid }
            return .phone(AccountIdentifier(text: phone.text, identity: identity(of: phone.text)))
        case .totp(let text):
            guard let secret = Base32.decode(text).flatMap(TOTPSecret.init) else { throw .secretInvalid }
            return .totp(secret)
        case .presentTOTP:
            return .presentTOTP
        }
    }

    private func id(of factor: AssignedSecondFactor) throws(AssignedSecondFactorFault) -> String {
        guard case .named(let id) = factor.id else { return AccountID.make(environment) }
        guard !id.isEmpty else { throw .idMissing }
        guard AccountID.isLegal(id) else { throw .idInvalid }
        return id
    }
}
