#if canImport(SwiftUI) && !os(watchOS)
    internal import SwiftUI

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
                    Button("\(region.name) +\(region.callingCode)") {
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
