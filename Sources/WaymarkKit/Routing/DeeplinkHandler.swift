/// An object that is told of every deep link that is about to open (analytics, say).
///
/// It is called on the main actor, behind the filters and before the target; the router keeps it alive.
@MainActor
public protocol DeeplinkHandler: AnyObject {
    /// Is called with each deep link that the filters let pass; its `wasOpened` is still false.
    func handleDeeplink(_ deeplink: Deeplink)
}
