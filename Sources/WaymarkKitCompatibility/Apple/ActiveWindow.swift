#if canImport(UIKit) && !os(watchOS)
    import UIKit

    /// The window that shows deep links.
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    @MainActor
    enum ActiveWindow {
        /// The window of the app delegate; in an app with scenes, that of the scene that received the link, else of the
        /// one in the foreground. Nil before the first window exists.
        ///
        /// The delegates' windows come first, because a key window may be an alert's or the keyboard's.
        ///
        /// - Parameter sceneID: the `persistentIdentifier` of the session of the scene that received the link.
        static func current(sceneID: String? = nil) -> UIWindow? {
            let application = UIApplication.shared
            if let window = application.delegate?.window ?? nil { return window }
            let scenes = application.connectedScenes.compactMap { $0 as? UIWindowScene }
            let scene =
                scenes.first { $0.session.persistentIdentifier == sceneID }
                ?? scenes.first { $0.activationState == .foregroundActive }
                ?? scenes.first { $0.activationState == .foregroundInactive } ?? scenes.first
            guard let scene else { return nil }
            let own = (scene.delegate as? any UIWindowSceneDelegate)?.window ?? nil
            return own ?? scene.keyWindow ?? scene.windows.first
        }
    }
#endif
