import Foundation
import WaymarkHTTP
import WaymarkTLS

/// Sends one request over HTTP/1.1 on its own connection, without following redirects. It always ends with a response
/// or an error (docs/decisions/2026-11-25-own-http-client.md).
struct HTTPClient {
    struct Request: Sendable {
        var method = "GET"
        /// http or https.
        var url: String
        /// Without `Host` and the fields for the body's length.
        var fields: [(name: String, value: String)] = []
        var body: [UInt8]?
    }

    struct Answer: Sendable {
        var response: ResponseReader.Response
        /// Whether the body was longer than the limit; it is truncated.
        var isCutOff = false
    }

    enum Failure: Error, Sendable {
        case url
        /// The host's name has no address.
        case name(host: String)
        case connection(OutgoingConnection.Failure, host: String)
        case unreadable(ResponseReader.Failure, host: String)
    }

    /// Time limit of the whole exchange, in seconds.
    var patience: Int
    /// In bytes.
    var bodyLimit: Int

    func answer(to request: Request) async throws(Failure) -> Answer {
        let client = self
        let result = await NetworkThread.run { client.result(request) }
        return try result.get()
    }

    private func result(_ request: Request) -> Result<Answer, Failure> {
        guard let url = URLComponents(string: request.url), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = url.encodedHost, !host.isEmpty,
            host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), (1...65_535).contains(url.port ?? 1)
        else { return .failure(.url) }
        let isSecure = scheme == "https"
        let connection: OutgoingConnection
        do throws(OutgoingConnection.Failure) {
            connection = try OutgoingConnection(
                host: host, port: url.port ?? (isSecure ? 443 : 80), isSecure: isSecure, patience: patience)
        } catch {
            let isNameless = error == .unreachable && !HostAddresses.exist(host)
            return .failure(isNameless ? .name(host: host) : .connection(error, host: host))
        }
        do throws(Failure) {
            return .success(try exchange(Self.message(request, url, host), on: connection, host))
        } catch {
            return .failure(error)
        }
    }

    private static func message(_ request: Request, _ url: URLComponents, _ host: String) -> [UInt8] {
        let path = url.percentEncodedPath.isEmpty ? "/" : url.percentEncodedPath
        let target = path + (url.percentEncodedQuery.map { "?\($0)" } ?? "")
        var head = "\(request.method) \(target) HTTP/1.1\r\nHost: \(host)\(url.port.map { ":\($0)" } ?? "")\r\n"
        for field in request.fields { head += "\(field.name): \(field.value)\r\n" }
        if let body = request.body { head += "Content-Length: \(body.count)\r\n" }
        head += "Connection: close\r\n\r\n"
        return Array(head.utf8) + (request.body ?? [])
    }

    private func exchange(
        _ message: [UInt8], on connection: OutgoingConnection, _ host: String
    ) throws(Failure) -> Answer {
        // A server may respond before it has read the whole request, and close: its response is still valid.
        do throws(OutgoingConnection.Failure) {
            try connection.send(message)
        } catch {
            guard error == .broken else { throw .connection(error, host: host) }
        }
        var reader = ResponseReader(bodyLimit: bodyLimit)
        while true {
            let piece: [UInt8]
            do throws(OutgoingConnection.Failure) {
                piece = try connection.receive()
            } catch {
                // A reset, or an end of the TLS stream without close_notify: the response may be truncated.
                throw error == .broken ? .unreadable(.incomplete, host: host) : .connection(error, host: host)
            }
            do throws(ResponseReader.Failure) {
                if piece.isEmpty { return Answer(response: try reader.end()) }
                if let response = try reader.take(piece) { return Answer(response: response) }
            } catch {
                guard error == .tooLarge, let partial = reader.partial else { throw .unreadable(error, host: host) }
                return Answer(response: partial, isCutOff: true)
            }
        }
    }
}

extension ResponseReader.Failure {
    /// The reason, to follow "the answer of HOST can't be read: ".
    var sentence: String {
        switch self {
        case .malformed(let reason): "\(reason)"
        case .incomplete: "the connection ended before the answer did"
        case .tooLarge: "it is too large"
        }
    }
}

extension HTTPClient.Failure {
    /// One sentence without a full stop.
    var sentence: String {
        switch self {
        case .url: "this is not an http or https URL"
        case .name(let host): "the name \(host) has no address"
        case .connection(.unreachable, let host): "\(host) can't be reached"
        case .connection(.encryption(let reason), let host): "the encrypted connection to \(host) failed: \(reason)"
        case .connection(.broken, let host): "\(host) closed the connection unexpectedly"
        case .connection(.timeout, let host): "\(host) did not answer in time"
        case .unreadable(let reason, let host): "the answer of \(host) can't be read: \(reason.sentence)"
        }
    }
}
