#if canImport(SwiftUI)
    import Foundation
    public import SwiftUI

    extension View {
        /// Opens every URL that the scene is opened with: smart links and custom schemes (`onOpenURL`), and smart links
        /// that arrive as an activity, from a scanned QR code, say.
        ///
        ///     WindowGroup {
        ///         ContentView().deeplinking(deeplinking)
        ///     }
        ///
        /// Put it on one view of each scene, the outermost.
        @MainActor
        public func deeplinking(_ deeplinking: Deeplinking) -> some View {
            onOpenURL { url in deeplinking.open(url) }
                .onContinueUserActivity(browsingWebActivityType) { activity in
                    deeplinking.continueActivity(activity)
                }
        }

        /// As `deeplinking(_:)`, and hands each smart link's end to the view: with the error where it could not be
        /// resolved.
        ///
        /// - Parameters:
        ///   - deeplinking: the app's router.
        ///   - action: is called on the main actor for each URL that the scene was opened with, when it has been opened or
        ///     not.
        @MainActor
        public func onSmartlink(
            _ deeplinking: Deeplinking, perform action: @escaping @MainActor (SmartlinkOpening) -> Void
        ) -> some View {
            onOpenURL { url in
                Task { @MainActor in action(await deeplinking.open(resolving: url)) }
            }
            .onContinueUserActivity(browsingWebActivityType) { activity in
                let page = activity.webpageURL
                Task { @MainActor in
                    guard let page else { return }
                    action(await deeplinking.open(resolving: page))
                }
            }
        }
    }
#endif
