/// Who shows the views that routes ask for. An app implements it; it is called on the main actor.
@MainActor
public protocol MobileDeepLinkingPresenting {
    /// Shows a view.
    ///
    /// - Parameters:
    ///   - view: which one, and how it is made.
    ///   - parameters: what the URL gave and the handlers made of it, to be set on the view by name.
    /// - Returns: false where the view cannot be shown, or refuses the parameters. The route fails then and the parent of
    ///   the URL is tried.
    func present(_ view: MobileDeepLinkingView, parameters: [String: any Sendable]) -> Bool
}
