import Flutter

/// The links that the app was opened with, until Dart listens. On the main thread only.
final class LinkStream: NSObject, FlutterStreamHandler {
    /// The last link wins, so older ones need not wait.
    private static let limit = 10

    private var waiting: [String] = []
    private var events: FlutterEventSink?

    func add(_ url: URL) {
        if let events { return events(url.absoluteString) }
        waiting = waiting.suffix(Self.limit - 1) + [url.absoluteString]
    }

    /// The links that wait, the oldest first; they wait no longer.
    func take() -> [String] {
        defer { waiting = [] }
        return waiting
    }

    func onListen(
        withArguments arguments: Any?, eventSink events: @escaping FlutterEventSink
    ) -> FlutterError? {
        self.events = events
        take().forEach(events)
        return nil
    }

    func onCancel(withArguments arguments: Any?) -> FlutterError? {
        events = nil
        return nil
    }
}
