import Foundation
import WaymarkHTTP
import WaymarkImports
import WaymarkTLS

/// The server whose links are visited.
struct VisitServer: Sendable {
    /// As in a URL; IPv6 in brackets.
    let host: String
    let port: Int
    let isSecure: Bool
    /// Where to connect instead of the host's addresses.
    let address: String?

    /// Scheme, host and port.
    var base: String { "\(isSecure ? "https" : "http")://\(authority)" }

    private var authority: String { port == (isSecure ? 443 : 80) ? host : "\(host):\(port)" }

    /// - Throws: `CommandFailure` that names the option.
    init(against text: String, resolve: [String]) throws {
        guard let url = URLComponents(string: text), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = url.encodedHost, !host.isEmpty,
            host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), (1...65_535).contains(url.port ?? 1),
            ["", "/"].contains(url.path), url.query == nil, url.user == nil
        else {
            throw CommandFailure.usage(
                "--against: \"\(text)\" is not allowed; give a server such as https://go.example.com")
        }
        self.host = host
        isSecure = scheme == "https"
        port = url.port ?? (isSecure ? 443 : 80)
        var address: String?
        for text in resolve {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, parts[1].utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x2F }) else {
                throw CommandFailure.usage("--resolve: \"\(text)\" is not allowed; give HOST=ADDRESS")
            }
            guard parts[0].lowercased() == host.lowercased() else {
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
    /// The server can't be asked at all.
    struct Unavailable: Error {
        let reason: String
    }

    private static let depth = 32
    /// Of one pipelined batch, in seconds.
    private static let patience = 30
    private static let bodyLimit = 256 << 10
    /// Failures in a row, without an answer between them.
    private static let failureLimit = 5
    private static let retryLimit = 5
    /// The longest pause that a server can ask for, in seconds.
    private static let longestPause = 60

    private let server: VisitServer
    private var connection: OutgoingConnection?
    /// Received bytes behind the last response.
    private var leftover: [UInt8] = []
    private var failures = 0

    init(_ server: VisitServer) { self.server = server }

    /// The answers in the visits' order.
    func answers(to visits: [PlannedVisit]) throws(Unavailable) -> [VisitAnswer] {
        var answers = [VisitAnswer](repeating: VisitAnswer(failure: "no answer"), count: visits.count)
        var waiting = Array(visits.indices)
        var retries: [Int: Int] = [:]
        while !waiting.isEmpty {
            // After a failure one by one: the answer that can't be read is then known.
            let batch = waiting.prefix(failures == 0 ? Self.depth : 1)
            let (received, failure) = exchange(batch.map { visits[$0] })
            var pause: Int?
            var again: [Int] = []
            for (index, answer) in zip(batch, received) {
                answers[index] = VisitAnswer(
                    status: answer.status, location: answer["Location"], body: answer.status == 200 ? answer.body : [])
                guard [429, 503].contains(answer.status), retries[index, default: 0] < Self.retryLimit else { continue }
                retries[index, default: 0] += 1
                again.append(index)
                pause = max(pause ?? 0, Self.seconds(answer["Retry-After"]))
            }
            waiting.removeFirst(received.count)
            waiting += again
            if received.isEmpty {
                failures += 1
            } else {
                failures = 0
            }
            if let failure {
                close()
                if failures >= (failure.isConnecting ? 2 : Self.failureLimit) {
                    throw Unavailable(reason: failure.sentence)
                }
                // A connection that ends without an answer may have been idle for too long.
                if failure.isAnswerWrong || failures > 1, received.count < batch.count {
                    answers[batch[batch.startIndex + received.count]] = VisitAnswer(failure: failure.sentence)
                    waiting.removeFirst()
                }
            }
            if let pause { Thread.sleep(forTimeInterval: Double(min(max(pause, 1), Self.longestPause))) }
        }
        return answers
    }

    private enum Failure {
        case connection(OutgoingConnection.Failure, String)
        case reading(ResponseReader.Failure, String)

        /// Whether the server accepts no connection: the next visit would fail too.
        var isConnecting: Bool {
            switch self {
            case .connection(.unreachable, _), .connection(.encryption, _): true
            default: false
            }
        }

        var isAnswerWrong: Bool { if case .reading = self { true } else { false } }

        var sentence: String {
            switch self {
            case .connection(let failure, let host): HTTPClient.Failure.connection(failure, host: host).sentence
            case .reading(let failure, let host):
                HTTPClient.Failure.unreadable(failure, host: host).sentence
            }
        }
    }

    /// The responses up to the first failure, or to the one after which the server closes the connection.
    private func exchange(_ visits: [PlannedVisit]) -> ([ResponseReader.Response], Failure?) {
        var received: [ResponseReader.Response] = []
        received.reserveCapacity(visits.count)
        do throws(OutgoingConnection.Failure) {
            let connection = try open()
            var text = ""
            for visit in visits { text += server.message(visit) }
            try connection.send(Array(text.utf8))
            while received.count < visits.count {
                let response: ResponseReader.Response
                do throws(ResponseReader.Failure) {
                    guard let next = try nextResponse(on: connection) else {
                        return (received, .connection(.broken, server.host))
                    }
                    response = next
                } catch {
                    return (received, .reading(error, server.host))
                }
                received.append(response)
                if response["Connection"]?.lowercased().contains("close") == true {
                    close()
                    break
                }
            }
            return (received, nil)
        } catch {
            return (received, .connection(error, server.host))
        }
    }

    /// Of `Retry-After`: seconds, or a date.
    private static func seconds(_ retryAfter: String?) -> Int {
        retryAfter.flatMap { CommandFetching.seconds($0, now: Int64(Date().timeIntervalSince1970)) } ?? 1
    }

    /// Nil if the connection ends ahead of the response.
    private func nextResponse(on connection: OutgoingConnection) throws(ResponseReader.Failure)
        -> ResponseReader.Response?
    {
        var reader = ResponseReader(bodyLimit: Self.bodyLimit)
        var hasBegun = false
        while true {
            if !leftover.isEmpty {
                hasBegun = true
                let bytes = leftover
                leftover = []
                if let response = try reader.take(bytes) {
                    leftover = reader.leftover
                    return response
                }
            }
            do throws(OutgoingConnection.Failure) {
                leftover = try connection.receive(atMost: 16_384)
            } catch {
                guard hasBegun else { return nil }
                throw .incomplete
            }
            guard leftover.isEmpty else { continue }
            guard hasBegun else { return nil }
            let response = try reader.end()
            close()
            return response
        }
    }

    private func open() throws(OutgoingConnection.Failure) -> OutgoingConnection {
        if let connection {
            connection.extendDeadline(by: Self.patience)
            return connection
        }
        let connection = try OutgoingConnection(
            host: server.host, port: server.port, isSecure: server.isSecure, patience: Self.patience,
            address: server.address)
        self.connection = connection
        return connection
    }

    private func close() {
        connection = nil
        leftover = []
    }
}
