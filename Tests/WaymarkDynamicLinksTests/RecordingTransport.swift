import Foundation
import Synchronization
import WaymarkJSON
import WaymarkKit

@testable import WaymarkDynamicLinks

/// A service that gives the same response to every request, but accepts events, and records the requests.
final class RecordingTransport: HTTPTransport {
    private let outcome: Result<TransportResponse, TransportError>
    private let recorded = Mutex<[TransportRequest]>([])

    init(_ outcome: Result<TransportResponse, TransportError>) { self.outcome = outcome }

    convenience init(status: Int = 200, _ body: String) {
        self.init(
            .success(
                TransportResponse(
                    status: status,
                    fields: ["Content-Type": status < 400 ? "application/json" : "application/problem+json"],
                    body: Array(body.utf8))))
    }

    var requests: [TransportRequest] { recorded.withLock { $0 } }

    func bodies(of path: String) -> [JSONValue] {
        requests.filter { $0.url == "https://go.example.com" + path }.map {
            (try? JSONValue(parsing: $0.body)) ?? .null
        }
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        recorded.withLock { $0.append(request) }
        if request.url.hasSuffix("/api/v1/events") {
            return TransportResponse(
                status: 202, fields: ["Content-Type": "application/json"],
                body: Array(#"{"counted": 1, "unattributed": 0, "duplicates": 0}"#.utf8))
        }
        return try outcome.get()
    }

    func client() throws -> WaymarkClient {
        try WaymarkClient(
            service: "https://go.example.com", key: "wm_app",
            options: ClientOptions(app: "shop", platform: .iOS, retry: .never, sendsEvents: false),
            storage: MemoryStorage(), transport: self)
    }
}

extension DynamicLinks {
    /// Links on `https://go.example.com` and under `https://example.com/links`; URLs with `shop:`.
    static func standIn(_ transport: RecordingTransport) throws -> (links: DynamicLinks, client: WaymarkClient) {
        let client = try transport.client()
        let configuration = DynamicLinksConfiguration(
            client: client, domainURIPrefixes: ["https://go.example.com", "https://example.com/links/"],
            urlSchemes: ["Shop"], information: BundleInformation([:], bundleIdentifier: "com.example.shop"))
        return (DynamicLinks(configuration), client)
    }

}

func url(_ text: String) throws -> URL {
    guard let url = URL(string: text) else { throw URLError(.badURL) }
    return url
}
