import Foundation
import WaymarkClient
import WaymarkImports
import WaymarkTLS

/// The server whose links are visited.
struct VisitServer: Sendable {
    let target: HTTPTarget
    /// Where to connect instead of the host's addresses.
    private let address: String?

    /// As in a URL; IPv6 in brackets.
    var host: String { target.host }
    /// Scheme, host and port.
    var base: String { "\(target.isSecure ? "https" : "http")://\(authority)" }
    var client: HTTPClient { HTTPClient(address.map { .address($0) } ?? .host(nil)) }

    private var authority: String {
        target.port == (target.isSecure ? 443 : 80) ? target.host : "\(target.host):\(target.port)"
    }

    /// - Throws: `CommandFailure` that names the option.
    init(against text: String, resolve: [String]) throws {
        guard let target = HTTPTarget(text), target.path == "/", !text.contains("@") else {
            throw CommandFailure.usage(
                "--against: \"\(text)\" is not allowed; give a server such as https://go.example.com")
        }
        self.target = target
        var address: String?
        for text in resolve {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, parts[1].utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x2F }) else {
                throw CommandFailure.usage("--resolve: \"\(text)\" is not allowed; give HOST=ADDRESS")
            }
            guard parts[0].lowercased() == target.host.lowercased() else {
                throw CommandFailure.usage("--resolve: \"\(parts[0])\" is not the host of --against")
            }
            let isBareIPv6 = parts[1].contains(":") && !parts[1].hasPrefix("[")
            address = isBareIPv6 ? "[\(parts[1])]" : parts[1]
        }
        self.address = address
    }

    /// Marked as a prefetch, which Waymark answers like a visit and does not count.
    func message(_ visit: PlannedVisit) -> String {
        "GET \(visit.path) HTTP/1.1\r\nHost: \(authority)\r\n"
            + visit.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
            + "Accept: text/html\r\nSec-Purpose: prefetch\r\n\r\n"
    }
}

/// One keep-alive connection on which visits are pipelined. It follows no redirect. Its calls block, and every call ends.
///
/// `@unchecked Sendable` because only one thread uses it at a time: its caller waits for that thread.
final class VisitConnection: @unchecked Sendable {
    private static let depth = 32
    /// Of one pipelined batch, in seconds.
    private static let timeout = 30
    private static let bodyLimit = 256 << 10
    /// Failures in a row, without an answer between them.
    private static let failureLimit = 5
    private static let retryLimit = 5
    /// The longest pause that a server can ask for, in seconds.
    private static let longestPause = 60

    private let server: VisitServer
    private var connection: HTTPConnection?
    private var failures = 0

    init(_ server: VisitServer) { self.server = server }

    /// The answers in the visits' order.
    ///
    /// - Throws: the failure after which the server is not asked again.
    func answers(to visits: [PlannedVisit]) throws(HTTPFailure) -> [Result<HTTPResponse, HTTPFailure>] {
        var answers: [Result<HTTPResponse, HTTPFailure>] = visits.map { _ in
            .failure(.connection(.broken, host: server.host))
        }
        var waiting = Array(visits.indices)
        var retries: [Int: Int] = [:]
        while !waiting.isEmpty {
            // After a failure one by one: the answer that can't be read is then known.
            let batch = waiting.prefix(failures == 0 ? Self.depth : 1)
            let (received, failure) = exchange(batch.map { visits[$0] })
            var pause: Int?
            var again: [Int] = []
            for (index, var answer) in zip(batch, received) {
                if answer.status != 200 { answer.body = [] }
                answers[index] = .success(answer)
                guard [429, 503].contains(answer.status), retries[index, default: 0] < Self.retryLimit else { continue }
                retries[index, default: 0] += 1
                again.append(index)
                pause = max(pause ?? 0, answer.retryAfter ?? 1)
            }
            waiting.removeFirst(received.count)
            waiting += again
            failures = received.isEmpty ? failures + 1 : 0
            if let failure {
                if failures >= (failure.isOfConnecting ? 2 : Self.failureLimit) { throw failure }
                // A connection that ends without an answer may have been idle for too long.
                if failure.isOfAnswer || failures > 1, received.count < batch.count {
                    answers[batch[batch.startIndex + received.count]] = .failure(failure)
                    waiting.removeFirst()
                }
            }
            if let pause { Thread.sleep(forTimeInterval: Double(min(max(pause, 1), Self.longestPause))) }
        }
        return answers
    }

    /// The responses up to the first failure, or to the one after which the server closes the connection.
    private func exchange(_ visits: [PlannedVisit]) -> (responses: ArraySlice<HTTPResponse>, failure: HTTPFailure?) {
        do throws(HTTPFailure) {
            let connection =
                if let connection { connection } else {
                    try server.client.connect(to: server.target, timeout: Self.timeout)
                }
            let text = visits.map(server.message).joined()
            let (responses, failure) = connection.exchange(
                Array(text.utf8), count: visits.count, bodyLimit: Self.bodyLimit)
            self.connection = connection.isReusable ? connection : nil
            guard responses.last?.isCutOff == true else { return (responses[...], failure) }
            return (responses.dropLast(), .unreadable(.tooLarge, host: server.host))
        } catch {
            return ([], error)
        }
    }
}

extension HTTPFailure {
    /// Whether the server accepts no connection: the next visit would fail too.
    fileprivate var isOfConnecting: Bool {
        switch self {
        case .name, .connection(.unreachable, _), .connection(.encryption, _): true
        default: false
        }
    }

    /// Whether it is that visit's: another connection would not help.
    fileprivate var isOfAnswer: Bool {
        switch self {
        case .unreadable, .connection(.timeout, _): true
        default: false
        }
    }
}
