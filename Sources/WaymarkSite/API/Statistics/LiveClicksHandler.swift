import Synchronization
import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `GET /api/v1/clicks/live`: server-sent events with the clicks of each second and link, on all servers.
enum LiveClicksHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        guard let watch = site.service.liveClicks.watch(call.reach, for: call.key) else {
            return .rateLimited(retryAfter: 10)
        }
        return Response(
            .ok, fields: fields,
            body: .stream(ResponseStream(LiveClicksSource(watch, for: call.key, site.service.keys))))
    }

    /// Proxies that buffer responses, such as nginx, pass these on at once.
    private static let fields = HeaderFields(
        (.contentType, "text/event-stream"), (.cacheControl, "no-store"), (.xContentTypeOptions, "nosniff"),
        (.xAccelBuffering, "no"))
}

/// The events of one watcher: one for each second with clicks on links that the key may see, and comments in between, so that
/// nothing on the way takes the connection for dead.
final class LiveClicksSource: BodySource {
    /// In seconds.
    private static let commentInterval = 15
    /// In seconds; the client connects again, with a key that is still valid.
    private static let duration = 3_600

    private let watch: LiveClicks.Watch
    private let key: KeyIdentity
    private let keys: KeyRing
    private let progress = Mutex((isBegun: false, elapsed: 0, silent: 0))

    init(_ watch: LiveClicks.Watch, for key: KeyIdentity, _ keys: KeyRing) {
        self.watch = watch
        self.key = key
        self.keys = keys
    }

    func next() async -> [UInt8]? {
        let isFirst = progress.withLock { progress in
            defer { progress.isBegun = true }
            return !progress.isBegun
        }
        // The head leaves with it, so the client knows at once that the stream is open.
        if isFirst { return Array("retry: 3000\n\n".utf8) }
        for await second in watch.seconds {
            guard keys.isValid(key) else { return nil }
            let links = second.links
            let (isOver, isSilent) = progress.withLock { progress in
                progress.elapsed += 1
                progress.silent = links.isEmpty ? progress.silent + 1 : 0
                return (progress.elapsed > Self.duration, progress.silent == Self.commentInterval)
            }
            if isOver { return nil }
            if !links.isEmpty { return event(second.end, links) }
            if isSilent {
                progress.withLock { $0.silent = 0 }
                return Array(":\n\n".utf8)
            }
        }
        return nil
    }

    func cancel() { watch.cancel() }

    private func event(_ end: Timestamp, _ links: [LiveClicks.Second.Link]) -> [UInt8] {
        let event = LiveClicksEvent(
            at: end.wholeSecond,
            links: links.map { .init(domain: $0.domain.text, slug: $0.slug.text, count: .init($0.count)) })
        return Array("data: ".utf8) + event.json + Array("\n\n".utf8)
    }
}
