#if canImport(SwiftUI) && !os(watchOS)
    public import SwiftUI

    extension View {
        /// Connects an ``Auth`` to the app while this view is shown; apply it to the outermost view. It activates the
        /// ``Auth`` (see ``Auth/activate()``) and handles URLs of challenge pages that open the app.
        ///
        /// ```swift
        /// WindowGroup { ContentView().dialtoneAuth() }
        /// ```
        ///
        /// - Parameter auth: the ``Auth``; nil for the default app's.
        /// - Returns: the view.
        @available(iOSApplicationExtension, unavailable)
        @available(tvOSApplicationExtension, unavailable)
        @available(visionOSApplicationExtension, unavailable)
        @MainActor public func dialtoneAuth(_ auth: Auth? = nil) -> some View {
            modifier(DialtoneAuthModifier(auth: auth))
        }
    }

    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    private struct DialtoneAuthModifier: ViewModifier {
        /// Nil for the default app's, which need not be configured before the view is shown.
        let auth: Auth?

        func body(content: Content) -> some View {
            content
                .onAppear { (auth ?? Auth.auth()).activate() }
                .onOpenURL { url in _ = (auth ?? Auth.auth()).canHandle(url) }
        }
    }
#endif
