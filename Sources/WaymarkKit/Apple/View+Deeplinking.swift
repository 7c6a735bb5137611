#if canImport(SwiftUI)
    import Foundation
    public import SwiftUI

    extension View {
        /// Opens every URL the scene receives: smart links and custom schemes (`onOpenURL`), and smart links
        /// that arrive as a user activity, for example from a scanned QR code.
        ///
        ///     WindowGroup {
        ///         ContentView().deeplinking(deeplinking)
        ///     }
        ///
        /// Apply it to one view per scene, the outermost.
        ///
        /// - Parameters:
        ///   - deeplinking: the app's router.
        ///   - sceneID: what `Deeplink.sceneID` is for this scene, in apps with several windows: a value that
        ///     each window has for itself, such as a `UUID` in a `@State`. Default: nil.
        @MainActor
        public func deeplinking(_ deeplinking: Deeplinking, sceneID: String? = nil) -> some View {
            onOpenURL { url in deeplinking.open(url, sceneID: sceneID) }
                .onContinueUserActivity(browsingWebActivityType) { activity in
                    deeplinking.continueActivity(activity, sceneID: sceneID)
                }
        }

        /// Like `deeplinking(_:sceneID:)`, and passes the outcome of each smart link to the view, including
        /// the error if it could not be resolved.
        ///
        /// - Parameters:
        ///   - deeplinking: the app's router.
        ///   - sceneID: what `Deeplink.sceneID` is for this scene. Default: nil.
        ///   - action: called on the main actor for each URL the scene receives, whether or not it was
        ///     opened.
        @MainActor
        public func onSmartlink(
            _ deeplinking: Deeplinking, sceneID: String? = nil,
            perform action: @escaping @MainActor (SmartlinkOpening) -> Void
        ) -> some View {
            onOpenURL { url in
                Task { @MainActor in action(await deeplinking.open(resolving: url, sceneID: sceneID)) }
            }
            .onContinueUserActivity(browsingWebActivityType) { activity in
                let page = activity.webpageURL
                Task { @MainActor in
                    guard let page else { return }
                    action(await deeplinking.open(resolving: page, sceneID: sceneID))
                }
            }
        }
    }
#endif
