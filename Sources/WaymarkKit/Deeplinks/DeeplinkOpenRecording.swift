/// Who tells the service that the app was opened through a link.
public protocol DeeplinkOpenRecording: Sendable {
    /// Notes the opening of a link that has a click id. It is called on the main actor before filters run and must not
    /// wait: whoever sends keeps a queue.
    func recordOpen(of deeplink: Deeplink)
}
