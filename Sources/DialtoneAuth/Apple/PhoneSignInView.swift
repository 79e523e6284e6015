#if canImport(SwiftUI) && !os(watchOS)
    internal import Foundation
    public import SwiftUI

    #if canImport(UIKit)
        internal import UIKit
    #elseif canImport(AppKit)
        internal import AppKit
    #endif

    /// A view that signs a user in by phone: it asks for the number, then for the code.
    ///
    /// ```swift
    /// PhoneSignInView { result in show(result.user) }
    /// ```
    ///
    /// The system offers the code from the message above the keyboard. Users choose their country from those that the
    /// project sends messages to. For a design of your own, use ``PhoneSignIn``.
    public struct PhoneSignInView: View {
        @StateObject private var observed: ObservedPhoneSignIn
        @State private var number = ""
        @State private var code = ""
        @State private var isChoosingRegion = false
        @FocusState private var isFieldFocused: Bool
        @AccessibilityFocusState private var isProblemFocused: Bool

        /// Creates the view.
        ///
        /// - Parameters:
        ///   - auth: the ``Auth`` that signs the user in; nil for the default app's.
        ///   - region: the region of numbers without a country code, such as `US`; nil for the region of the device's
        ///     locale.
        ///   - texts: the texts; nil for texts in ``Auth/languageCode`` or, if that is nil, in the language of the app.
        ///   - onSignIn: is called once, when the user has signed in.
        public init(
            auth: Auth? = nil,
            region: String? = nil,
            texts: PhoneSignInTexts? = nil,
            onSignIn: (@MainActor (AuthDataResult) -> Void)? = nil
        ) {
            _observed = StateObject(
                wrappedValue: {
                    let signIn = PhoneSignIn(auth: auth, region: region, texts: texts)
                    signIn.onSignIn = onSignIn
                    return ObservedPhoneSignIn(signIn)
                }()
            )
        }

        private var signIn: PhoneSignIn { observed.signIn }
        private var texts: PhoneSignInTexts { signIn.texts }
        private var isWaiting: Bool { observed.state.activity != nil }

        /// The current step.
        public var body: some View {
            // Large text, or a keyboard, may leave too little space.
            ScrollView {
                VStack(alignment: .leading, spacing: 16) {
                    switch observed.state.step {
                    case .number: numberStep
                    case .code(let number): codeStep(number)
                    case .signedIn: Text(texts.signedIn)
                    }
                    if let problem = observed.state.problem { text(of: problem) }
                    if isWaiting { ProgressView().accessibilityLabel(Text(texts.waiting)) }
                }
                .frame(maxWidth: .infinity, alignment: .leading)
            }
        }

        @ViewBuilder private var numberStep: some View {
            Text(texts.numberTitle).font(.title2).accessibilityAddTraits(.isHeader)
            if !observed.state.regions.isEmpty { regionButton }
            numberField
                .focused($isFieldFocused)
                .onSubmit { send() }
                .disabled(isWaiting)
                .task { await signIn.loadRegions() }
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
            // The remaining wait counts down.
            TimelineView(.periodic(from: Date(), by: 1)) { context in
                resendButton(signIn.remainingWait(at: context.date))
            }
            Button(texts.changeNumberButton) {
                code = ""
                signIn.changeNumber()
            }
        }

        private var regionButton: some View {
            Button(observed.state.region?.label ?? texts.regionLabel) {
                isChoosingRegion = true
            }
            .accessibilityHint(Text(texts.regionLabel))
            .disabled(isWaiting)
            .sheet(isPresented: $isChoosingRegion) {
                PhoneSignInRegionList(signIn: signIn, chosen: observed.state.region) { isChoosingRegion = false }
            }
        }

        private var numberField: some View {
            let field = TextField(
                texts.numberLabel,
                text: $number,
                prompt: observed.state.region.map { Text($0.example) }
            )
            #if canImport(UIKit)
                return field.textContentType(.telephoneNumber).keyboardType(.phonePad)
            #else
                return field
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

        /// Runs a step. If a problem remains, a screen reader reads it.
        private func run(_ step: @escaping @MainActor () async -> Void) {
            Task {
                await step()
                isProblemFocused = signIn.state.problem != nil
            }
        }
    }

    /// A searchable list of regions.
    struct PhoneSignInRegionList: View {
        let signIn: PhoneSignIn
        let chosen: PhoneSignInRegion?
        let close: @MainActor () -> Void
        @State private var typed = ""

        private var texts: PhoneSignInTexts { signIn.texts }

        var body: some View {
            let regions = signIn.regions(matching: typed)
            VStack(alignment: .leading, spacing: 16) {
                Text(texts.regionLabel).font(.title2).accessibilityAddTraits(.isHeader)
                TextField(texts.searchLabel, text: $typed)
                if regions.isEmpty { Text(texts.noRegion) }
                List(regions) { region in
                    Button(region.label) {
                        signIn.choose(region)
                        close()
                    }
                    .accessibilityAddTraits(region == chosen ? .isSelected : [])
                }
                Button(texts.cancelButton) { close() }
            }
            .padding()
            // Sheets on macOS are as large as their content.
            .frame(minWidth: 280, minHeight: 400)
        }
    }
#endif
