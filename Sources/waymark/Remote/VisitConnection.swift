import Foundation
import WaymarkHTTP
import WaymarkImports
import WaymarkTLS

/// Where `waymark links verify` asks for links.
struct VisitOrigin: Sendable {
    /// For the `Host` field, with the port if it is not the scheme's.
    let authority: String
    let host: String
    let port: Int
    let isSecure: Bool
    /// Where to connect instead of the host.
    let address: String?

    /// - Parameter resolutions: `HOST=ADDRESS` or `HOST=ADDRESS:PORT`, as given to `--resolve`.
    init(_ url: String, resolving resolutions: [String]) throws {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.encodedHost?.lowercased(), !host.isEmpty,
            host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), (1...65_535).contains(parts.port ?? 1),
            ["", "/"].contains(parts.path), parts.query == nil, parts.user == nil
        else { throw CommandFailure.usage("--against: \"\(url)\" is not allowed; give the origin, as in https://HOST") }
        self.host = host
        isSecure = scheme == "https"
        authority = host + (parts.port.map { ":\($0)" } ?? "")
        var (address, port) = (String?.none, parts.port ?? (isSecure ? 443 : 80))
        for resolution in resolutions {
            let halves = resolution.split(separator: "=", maxSplits: 1).map(String.init)
            guard halves.count == 2 else {
                throw CommandFailure.usage("--resolve: \"\(resolution)\" is not allowed; give HOST=ADDRESS")
            }
            guard halves[0].lowercased() == host else { continue }
            var text = halves[1]
            // A port behind an IPv4 address or behind brackets.
            if let colon = text.lastIndex(of: ":"),
                text.hasPrefix("[") ? text[..<colon].hasSuffix("]") : text.firstIndex(of: ":") == colon
            {
                guard let number = Int(text[text.index(after: colon)...]), (1...65_535).contains(number) else {
                    throw CommandFailure.usage("--resolve: \"\(resolution)\" has no valid port")
                }
                port = number
                text = String(text[..<colon])
            }
            address = text.contains(":") && !text.hasPrefix("[") ? "[\(text)]" : text
        }
        self.address = address
        self.port = port
    }
}

/// Visits links over one connection that is kept alive, with pipelined requests. No redirect is followed.
///
/// Isolation: its calls block, one at a time. `@unchecked` because `LinksVerify` hands it to one thread and waits for that
/// before it hands it to the next.
final class VisitConnection: @unchecked Sendable {
    struct Request: Sendable {
        /// Percent-encoded.
        var path: String
        var userAgent: String
    }

    enum Response: Sendable {
        case found(FoundVisit)
        case failed(String)
    }

    /// Requests sent in one go.
    private static let pipelined = 32
    /// A page has some 10 KB.
    private static let bodyLimit = 256 << 10
    /// Seconds without a response.
    private static let patience = 30
    /// How often a request is sent, and the longest pause that a server may ask for, in seconds.
    private static let attempts = 5
    private static let longestPause = 120

    private let origin: VisitOrigin
    private var connection: OutgoingConnection?
    private var received: [UInt8] = []

    init(_ origin: VisitOrigin) { self.origin = origin }

    func visit(_ requests: [Request]) -> [Response] {
        var responses: [Response] = []
        responses.reserveCapacity(requests.count)
        var failures = 0
        while responses.count < requests.count {
            // After a failure one by one, for servers and proxies that don't pipeline.
            let count = failures == 0 ? Self.pipelined : 1
            let chunk = requests[responses.count..<min(requests.count, responses.count + count)]
            let before = responses.count
            do {
                try exchange(chunk) { responses.append($0) }
            } catch {
                connection = nil
                received = []
                guard responses.count == before else { continue }
                failures += 1
                if case .pause(let seconds) = error {
                    sleep(UInt32(min(seconds, Self.longestPause)))
                } else if failures < Self.attempts, failures > 1 {
                    sleep(1)
                }
                if failures >= Self.attempts {
                    responses.append(.failed(error.sentence))
                    failures = 1
                }
            }
        }
        return responses
    }

    private enum Failure: Error {
        case connection(OutgoingConnection.Failure)
        case response(ResponseReader.Failure)
        /// 429 or 503, with the seconds to wait.
        case pause(Int)

        var sentence: String {
            switch self {
            case .connection(.unreachable): "the server can't be reached"
            case .connection(.encryption(let reason)): "the encrypted connection failed: \(reason)"
            case .connection(.broken): "the server closed the connection"
            case .connection(.timeout): "the server did not answer in time"
            case .response(let failure): "the answer can't be read: \(failure.sentence)"
            case .pause: "the server refuses requests because there are too many"
            }
        }
    }

    private func exchange(_ requests: ArraySlice<Request>, _ take: (Response) -> Void) throws(Failure) {
        let connection: OutgoingConnection
        do throws(OutgoingConnection.Failure) {
            connection = try connected()
            connection.extend(patience: Self.patience)
            var messages: [UInt8] = []
            for request in requests { messages += message(request) }
            try connection.send(messages)
        } catch {
            throw .connection(error)
        }
        for _ in requests {
            let response = try response(on: connection)
            guard response.status != 429 && response.status != 503 else {
                throw .pause(response["Retry-After"].flatMap { Int($0) } ?? 1)
            }
            take(.found(FoundVisit(status: response.status, location: response["Location"], body: response.body)))
            if response["Connection"]?.lowercased() == "close" {
                self.connection = nil
                received = []
                return
            }
        }
    }

    private func connected() throws(OutgoingConnection.Failure) -> OutgoingConnection {
        if let connection { return connection }
        let new = try OutgoingConnection(
            host: origin.host, at: origin.address, port: origin.port, isSecure: origin.isSecure, patience: Self.patience
        )
        connection = new
        return new
    }

    private func response(on connection: OutgoingConnection) throws(Failure) -> ResponseReader.Response {
        var reader = ResponseReader(bodyLimit: Self.bodyLimit)
        var piece = received
        received = []
        while true {
            do throws(ResponseReader.Failure) {
                if !piece.isEmpty, let response = try reader.take(piece) {
                    received = reader.surplus
                    return response
                }
            } catch {
                throw .response(error)
            }
            do throws(OutgoingConnection.Failure) {
                piece = try connection.receive()
            } catch {
                throw .connection(error)
            }
            guard piece.isEmpty else { continue }
            do throws(ResponseReader.Failure) {
                return try reader.end()
            } catch {
                throw .response(error)
            }
        }
    }

    private func message(_ request: Request) -> [UInt8] {
        // The prefetch of a browser: Waymark counts nothing.
        Array(
            """
            GET \(request.path) HTTP/1.1\r
            Host: \(origin.authority)\r
            User-Agent: \(request.userAgent)\r
            Accept: text/html,application/xhtml+xml\r
            Sec-Purpose: prefetch\r
            \r

            """.utf8)
    }
}
