import Encodings
import RedisScripts
import Testing

@testable import PhoneAuth

@Suite struct VerificationTicketTests {
    private let keys: ServerKeys
    private let environment = SettableEnvironment(seed: 7)
    private let project = Project(id: "demo-app", authorizedDomains: [])

    init() throws {
        keys = try TestKeys.make()
    }

    private func ticket(codeSource: CodeSource = .derived) throws -> (VerificationTicket, text: String) {
        let id = try #require(VerificationID(project: project.id, bytes: environment.randomBytes(16)))
        let ticket = VerificationTicket(id: id, scope: .signIn, codeSource: codeSource, phoneNumber: "+16505550101")
        return (ticket, ticket.text(sealedNumber: try ticket.seal(in: project, keys, environment.environment)))
    }

    private func open(_ text: String, in project: Project? = nil) -> VerificationTicket? {
        VerificationTicket(text, in: project ?? self.project, keys)
    }

    @Test("an opened ticket has its original content", arguments: CodeSource.allCases)
    func opens(codeSource: CodeSource) throws {
        let (ticket, text) = try ticket(codeSource: codeSource)
        let opened = try #require(open(text))
        #expect(opened.id == ticket.id)
        #expect(opened.scope == .signIn)
        #expect(opened.codeSource == codeSource)
        #expect(opened.phoneNumber == "+16505550101")
    }

    @Test("a ticket with any changed bit is rejected")
    func alteredBits() throws {
        let bytes = try #require(Base64URL.decode(try ticket().text.utf8))
        for bit in 0..<bytes.count * 8 {
            var altered = bytes
            altered[bit / 8] ^= 1 << (bit % 8)
            #expect(open(Base64URL.string(altered)) == nil, "bit \(bit)")
        }
    }

    @Test("a shortened or extended ticket is rejected")
    func alteredLength() throws {
        let bytes = try #require(Base64URL.decode(try ticket().text.utf8))
        for length in 0..<bytes.count { #expect(open(Base64URL.string(bytes.prefix(length))) == nil) }
        #expect(open(Base64URL.string(bytes + [0])) == nil)
        #expect(open(Base64URL.string([0] + bytes)) == nil)
    }

    @Test("a ticket is rejected in another project or with other keys")
    func foreignTickets() throws {
        let text = try ticket().text
        #expect(open(text, in: Project(id: "demo-apq", authorizedDomains: [])) == nil)
        #expect(VerificationTicket(text, in: project, try TestKeys.make(seed: 2)) == nil)
        #expect(open(text) != nil)
    }

    @Test("a ticket hides its number, and two tickets of one number have nothing in common")
    func secrecy() throws {
        let (first, second) = (try ticket().text, try ticket().text)
        let bytes = try #require(Base64URL.decode(first.utf8))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("5550101"))
        #expect(first.suffix(40) != second.suffix(40))
    }
}
