import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Steps that operations do not depend on, and that the store does not perform.
    @Suite struct DroppedStepTests {
        @Test("a dropped step is logged: by an operation with the request's id, by the store without it")
        func logged() throws {
            let deployment = try Deployment()
            let steps = DroppedSteps()
            deployment.authenticator(withoutCommand: "evalsha", droppedSteps: steps)
                .in(deployment.project, request: "r").deleteHalfMadeAccount(uid: "u")
            deployment.authenticator(withoutCommand: "xadd", droppedSteps: steps).recordRefusal(
                of: "r",
                "send",
                project: "demo",
                phone: nil,
                error: "INVALID_PHONE_NUMBER",
                detail: nil
            )
            #expect(steps.all == ["delete a half-made account of r", "record a decision of none"])
        }
    }
}
