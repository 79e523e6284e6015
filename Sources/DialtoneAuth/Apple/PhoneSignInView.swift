#if canImport(SwiftUI) && !os(watchOS)
    internal import Foundation
    public import SwiftUI

    #if canImport(UIKit)
        internal import UIKit
    #elseif canImport(AppKit)
        internal import AppKit
    #endif

    /// Signs a user in by phone: asks for the number, then for the code.
    ///
    /// ```swift
    /// PhoneSignInView { result in show(result.user) }
    /// ```
    ///
    /// The system offers the code of the message above the keyboard. For a design of your own, use ``PhoneSignIn``.
    public struct PhoneSignInView: View {
        @StateObject private var observed: ObservedPhoneSignIn
        @State private var number = ""
        @State private var code = ""
        @FocusState private var isFieldFocused: Bool
        @AccessibilityFocusState private var isProblemFocused: Bool
        private let texts: PhoneSignInTexts

        /// Creates the view.
        ///
        /// - Parameters:
        ///   - auth: signs the user in; nil for that of the default app.
        ///   - region: the region of numbers without a country code, such as `US`; nil for that of the device's locale.
        ///   - texts: the texts.
        ///   - onSignIn: is called once, when the user has signed in.
        public init(
            auth: Auth? = nil,
            region: String? = nil,
            texts: PhoneSignInTexts = PhoneSignInTexts(),
            onSignIn: (@MainActor (AuthDataResult) -> Void)? = nil
        ) {
            self.texts = texts
            _observed = StateObject(
                wrappedValue: {
                    let signIn = PhoneSignIn(auth: auth, region: region)
                    signIn.onSignIn = onSignIn
                    return ObservedPhoneSignIn(signIn)
                }()
            )
        }

        private var signIn: PhoneSignIn { observed.signIn }
        private var isWaiting: Bool { observed.state.activity != nil }

        /// The step that the user is at.
        public var body: some View {
            VStack(alignment: .leading, spacing: 16) {
                switch observed.state.step {
                case .number: numberStep
                case .code(let number): codeStep(number)
                case .signedIn: Text(texts.signedIn)
                }
                if let problem = observed.state.problem { text(of: problem) }
                if isWaiting { ProgressView().accessibilityLabel(Text(texts.waiting)) }
            }
        }

        @ViewBuilder private var numberStep: some View {
            Text(texts.numberTitle).font(.title2).accessibilityAddTraits(.isHeader)
            numberField
                .focused($isFieldFocused)
                .onSubmit { send() }
                .disabled(isWaiting)
            Text(texts.notice).font(.footnote)
            Button(texts.sendButton) { send() }
                .buttonStyle(.borderedProminent)
                .disabled(isWaiting)
        }

        @ViewBuilder private func codeStep(_ number: String) -> some View {
            Text(texts.codeTitle).font(.title2).accessibilityAddTraits(.isHeader)
            Text(texts.codeNotice(number))
            codeField
                .focused($isFieldFocused)
                .onSubmit { verify() }
                .disabled(isWaiting)
                .onAppear { isFieldFocused = true }
            Button(texts.verifyButton) { verify() }
                .buttonStyle(.borderedProminent)
                .disabled(isWaiting)
            // The wait counts down.
            TimelineView(.periodic(from: Date(), by: 1)) { context in
                resendButton(signIn.remainingWait(at: context.date))
            }
            Button(texts.changeNumberButton) {
                code = ""
                signIn.changeNumber()
            }
        }

        private var numberField: some View {
            #if canImport(UIKit)
                TextField(texts.numberLabel, text: $number)
                    .textContentType(.telephoneNumber)
                    .keyboardType(.phonePad)
            #else
                TextField(texts.numberLabel, text: $number)
            #endif
        }

        private var codeField: some View {
            #if canImport(UIKit)
                TextField(texts.codeLabel, text: $code)
                    .textContentType(.oneTimeCode)
                    .keyboardType(.numberPad)
            #else
                TextField(texts.codeLabel, text: $code)
                    .textContentType(.oneTimeCode)
            #endif
        }

        private func resendButton(_ wait: Int) -> some View {
            Button(wait > 0 ? texts.resendWait(wait) : texts.resendButton) {
                run { await signIn.resend() }
            }
            .disabled(wait > 0 || isWaiting)
        }

        private func text(of problem: PhoneSignInProblem) -> some View {
            VStack(alignment: .leading, spacing: 4) {
                Text(texts.problem(problem)).foregroundStyle(Color.red)
                if let reference = problem.reference { Text(texts.reference(reference)).font(.footnote) }
            }
            .accessibilityElement(children: .combine)
            .accessibilityFocused($isProblemFocused)
        }

        private func send() {
            run {
                await signIn.send(number)
                if case .code = signIn.state.step { code = "" }
            }
        }

        private func verify() { run { await signIn.verify(code) } }

        /// Runs a step. A screen reader then reads the problem, if there is one.
        private func run(_ step: @escaping @MainActor () async -> Void) {
            Task {
                await step()
                isProblemFocused = signIn.state.problem != nil
            }
        }
    }
#endif
