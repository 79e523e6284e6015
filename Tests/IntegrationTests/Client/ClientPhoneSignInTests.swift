import DialtoneAuth
import Foundation
import TestServers
import Testing

/// The steps of the client's sign-in view, against the real server.
@Suite(.sharedServer, .tags(.client)) @MainActor struct ClientPhoneSignInTests {
    private let server: RunningServer
    private let app: ClientApp

    init() throws {
        server = try #require(SharedServer.current)
        app = try ClientApp(server)
    }

    @Test("a user types a national number, a wrong code and the correct one")
    func signIn() async throws {
        let signIn = PhoneSignIn(auth: app.auth, region: "US")
        await signIn.send("650")
        #expect(signIn.state.problem?.code == .invalidPhoneNumber)
        await signIn.send("(650) 555-0171")
        #expect(signIn.state.step == .code(sentTo: "+16505550171"), "\(String(describing: signIn.state.problem))")
        #expect((1...60).contains(signIn.remainingWait()))
        let id = try #require(app.phone.verificationInProgress?.verificationID)
        let code = try server.code(of: id)
        await signIn.verify(wrongCode(besides: code))
        let problem = try #require(signIn.state.problem)
        #expect(problem.code == .invalidVerificationCode)
        #expect(problem.reference != nil)
        await signIn.verify(code)
        #expect(signIn.state.step == .signedIn)
        #expect(app.auth.currentUser?.phoneNumber == "+16505550171")
    }

    @Test("a user finds the country in the list and types the number without the country code")
    func region() async throws {
        let signIn = PhoneSignIn(auth: app.auth, region: "FR", texts: PhoneSignInTexts(language: "de"))
        await signIn.loadRegions()
        #expect(signIn.state.regions.count > 200 && signIn.state.region?.name == "Frankreich")
        let country = try #require(signIn.regions(matching: "vereinigte staaten").first)
        #expect(country.code == "US" && country.callingCode == 1 && !country.example.isEmpty)
        signIn.choose(country)
        await signIn.send("650 555 0175")
        #expect(signIn.state.step == .code(sentTo: "+16505550175"), "\(String(describing: signIn.state.problem))")
    }

    @Test("if the app is terminated while the user reads the message, the view starts with the code")
    func restart() async throws {
        let signIn = PhoneSignIn(auth: app.auth)
        await signIn.send("+16505550172")
        let id = try #require(app.phone.verificationInProgress?.verificationID)
        let restarted = try ClientApp(server, folder: app.folder)
        let resumed = PhoneSignIn(auth: restarted.auth)
        #expect(resumed.state.step == .code(sentTo: "+16505550172"))
        #expect((1...60).contains(resumed.remainingWait()))
        await resumed.verify(try server.code(of: id))
        #expect(restarted.auth.currentUser?.phoneNumber == "+16505550172")
    }

    @Test("a user can correct a mistyped number and return to it")
    func changeNumber() async throws {
        let signIn = PhoneSignIn(auth: app.auth)
        await signIn.send("+16505550173")
        signIn.changeNumber()
        #expect(PhoneSignIn(auth: app.auth).state.step == .number)
        await signIn.send("+16505550174")
        signIn.changeNumber()
        await signIn.send("+16505550173")
        #expect((1...60).contains(signIn.remainingWait()))
        #expect(try server.messages(to: "+16505550173").count == 1)
        let id = try #require(app.phone.verificationInProgress?.verificationID)
        await signIn.verify(try server.code(of: id))
        #expect(signIn.state.step == .signedIn)
    }
}
