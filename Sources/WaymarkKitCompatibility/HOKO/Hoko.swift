public import WaymarkKit

/// The names of the HOKO SDK for iOS, so that an app that used it compiles with another import. New code uses
/// `Deeplinking` and `Deeplink` directly.
@MainActor
public enum Hoko {
    private static var shared: Deeplinking?

    /// Whether there is a router already, set up or made by `deeplinking()`.
    static var isSetUp: Bool { shared != nil }

    /// Sets the router up that `deeplinking()` answers. Only the first call counts.
    ///
    /// - Returns: false where a router was set up before; it stays.
    @discardableResult
    public static func setup(_ deeplinking: Deeplinking) -> Bool {
        guard shared == nil else { return false }
        shared = deeplinking
        return true
    }

    /// The app's router. Before `setup(_:)` it is one without domains and service, made at the first call: routes can be
    /// mapped and URLs opened, smart links fail with `DeeplinkingError.noService`.
    public static func deeplinking() -> Deeplinking {
        if let shared { return shared }
        let deeplinking = Deeplinking()
        shared = deeplinking
        return deeplinking
    }
}
