internal import Encodings
public import PhoneNumbers
public import RedisStore

/// Why a test number was not set.
public enum TestNumberRefusal: Error, Equatable {
    case numberInvalid(PhoneNumberError)
    case tooMany
    case unavailable(StoreUnavailable)
    case internalFailure
}

/// Test numbers: fictional numbers with a fixed code. They get no message, need no app proof and know no limit but that on
/// attempts, and their sessions share nothing with those of the same number before or after it was a test number.
extension Authenticator {
    /// The project's test numbers, as they are in the store now.
    /// - Throws: ``StoreUnavailable``.
    public func testNumbers(of project: Project) throws(StoreUnavailable) -> [String: VerificationCode] {
        var numbers: [String: VerificationCode] = [:]
        for (hash, sealed) in try store.testNumbers(of: project.id) {
            // What this deployment's keys do not open was not set by it.
            guard let text = keys.data.open(sealed, context: context(hash, project)) else { continue }
            let parts = String(decoding: text, as: UTF8.self).split(separator: "=")
            guard parts.count == 2, let code = VerificationCode(String(parts[1])) else { continue }
            numbers[String(parts[0])] = code
        }
        return numbers
    }

    /// Adds a test number, or gives it another code.
    /// - Throws: ``TestNumberRefusal``, `tooMany` beyond ``Policy/maximumTestNumbers``.
    public func setTestNumber(_ number: String, code: VerificationCode, in project: Project) throws(TestNumberRefusal) {
        let phone: E164
        do { phone = try phoneNumbers.parse(number) } catch { throw .numberInvalid(error) }
        let entry: (hash: String, sealed: [UInt8])
        do { entry = try sealedTestNumber(phone, code, in: project) } catch { throw .internalFailure }
        let isSet: Bool
        do {
            isSet = try store.setTestNumber(
                entry.hash,
                entry.sealed,
                of: project.id,
                atMost: Policy.maximumTestNumbers
            )
        } catch {
            throw .unavailable(error)
        }
        guard isSet else { throw .tooMany }
    }

    /// Removes a test number; false where it was none.
    /// - Throws: ``TestNumberRefusal``.
    public func removeTestNumber(_ number: String, in project: Project) throws(TestNumberRefusal) -> Bool {
        let phone: E164
        do { phone = try phoneNumbers.parse(number) } catch { throw .numberInvalid(error) }
        do {
            return try store.removeTestNumber(identity(of: phone.text, in: project).hash, of: project.id)
        } catch {
            throw .unavailable(error)
        }
    }

    /// How Redis keeps a test number.
    func sealedTestNumber(
        _ phone: E164,
        _ code: VerificationCode,
        in project: Project
    ) throws(OperationFailure) -> (hash: String, sealed: [UInt8]) {
        let hash = identity(of: phone.text, in: project).hash
        return (hash, try seal(Array("\(phone.text)=\(code.digits)".utf8), context(hash, project)))
    }

    private func context(_ hash: String, _ project: Project) -> [UInt8] {
        Array("test-number/\(project.id)/\(hash)".utf8)
    }
}
