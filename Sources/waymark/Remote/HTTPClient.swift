import Foundation
import WaymarkBytes
import WaymarkHTTP
import WaymarkSockets
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
        /// Instead of `body`.
        var stream: BodyStream?
    }

    /// A body that is read while it is sent.
    struct BodyStream: Sendable {
        /// In bytes; nil: it is sent in chunks.
        var length: Int?
        /// The next piece; empty at the end. Called on a thread that may block.
        var next: @Sendable () throws(CommandFailure) -> [UInt8]
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
        /// The addresses that the name has are not allowed.
        case address(AddressProblem, host: String)
        /// The body can't be read.
        case body(CommandFailure)
        case unreadable(ResponseReader.Failure, host: String)
    }

    /// Time limit of the whole exchange, in seconds.
    var patience: Int
    /// In bytes.
    var bodyLimit: Int
    /// Which addresses may be connected to; nil: all.
    var addressRule: AddressRule?
    /// Connects there, whatever the URL's host is; nil: to that host.
    var socket: OwnerSocket?
    /// A PEM file with the only certificate authorities to trust; nil: those of the system.
    var authority: String?

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
        do throws(Failure) {
            let connection = try connect(host, url.port, isSecure: scheme == "https")
            return .success(try exchange(request, Self.head(request, url, host), on: connection, host))
        } catch {
            return .failure(error)
        }
    }

    /// - Parameter port: Nil: the scheme's own.
    func connect(_ host: String, _ port: Int?, isSecure: Bool) throws(Failure) -> OutgoingConnection {
        if let socket { return try socket.connection(patience: patience) }
        let port = port ?? (isSecure ? 443 : 80)
        // The name is resolved once, so that the address that is connected to is one that was checked.
        let addresses = try addressRule.map { (rule) throws(Failure) in
            try Self.addresses(of: host, isSecure: isSecure, rule)
        }
        var failure = OutgoingConnection.Failure.unreachable
        for address in addresses?.map(Optional.some) ?? [nil] {
            do throws(OutgoingConnection.Failure) {
                return try OutgoingConnection(
                    host: host, port: port, isSecure: isSecure, patience: patience, address: address?.urlText,
                    authority: authority)
            } catch {
                failure = error
                guard error == .unreachable else { break }
            }
        }
        let isNameless = failure == .unreachable && ResolvedHost.addresses(host).isEmpty
        throw isNameless ? .name(host: host) : .connection(failure, host: host)
    }

    /// The addresses of a host, all of which the rule allows. A host with one that it forbids is not connected to at
    /// all: which one a name leads to is chosen by whoever owns it.
    static func addresses(of host: String, isSecure: Bool, _ rule: AddressRule) throws(Failure) -> [IPAddress] {
        let addresses = ResolvedHost.addresses(host)
        guard !addresses.isEmpty else { throw .name(host: host) }
        guard addresses.allSatisfy(rule.allows) else { throw .address(.notPublic, host: host) }
        guard isSecure || addresses.allSatisfy(rule.isInAllowedNetwork) else {
            throw .address(.unencrypted, host: host)
        }
        return addresses
    }

    enum AddressProblem: Sendable {
        case notPublic
        /// Plain HTTP is for allowed networks only.
        case unencrypted
    }

    private static func head(_ request: Request, _ url: URLComponents, _ host: String) -> [UInt8] {
        let path = url.percentEncodedPath.isEmpty ? "/" : url.percentEncodedPath
        let target = path + (url.percentEncodedQuery.map { "?\($0)" } ?? "")
        var head = "\(request.method) \(target) HTTP/1.1\r\nHost: \(host)\(url.port.map { ":\($0)" } ?? "")\r\n"
        for field in request.fields { head += "\(field.name): \(field.value)\r\n" }
        if let body = request.body { head += "Content-Length: \(body.count)\r\n" }
        if let stream = request.stream {
            head += stream.length.map { "Content-Length: \($0)\r\n" } ?? "Transfer-Encoding: chunked\r\n"
            head += "Expect: 100-continue\r\n"
        }
        head += "Connection: close\r\n\r\n"
        return Array(head.utf8)
    }

    private func exchange(
        _ request: Request, _ head: [UInt8], on connection: OutgoingConnection, _ host: String
    ) throws(Failure) -> Answer {
        var reader = ResponseReader(bodyLimit: bodyLimit)
        // A server may respond before it has read the whole request, and close: its response is still valid.
        do throws(OutgoingConnection.Failure) {
            try connection.send(head + (request.body ?? []))
        } catch {
            guard error == .broken else { throw .connection(error, host: host) }
        }
        if let stream = request.stream {
            if let answer = try await100(&reader, on: connection, host) { return answer }
            if reader.partial == nil { try send(stream, on: connection, host) }
        }
        while true {
            if let answer = try receive(&reader, on: connection, host) { return answer }
        }
    }

    /// The response, once it is complete.
    private func receive(
        _ reader: inout ResponseReader, on connection: OutgoingConnection, _ host: String
    ) throws(Failure) -> Answer? {
        let piece: [UInt8]
        do throws(OutgoingConnection.Failure) {
            piece = try connection.receive()
        } catch {
            // A reset, or an end of the TLS stream without close_notify: the response may be truncated.
            throw error == .broken ? .unreadable(.incomplete, host: host) : .connection(error, host: host)
        }
        do throws(ResponseReader.Failure) {
            if piece.isEmpty { return Answer(response: try reader.end()) }
            return try reader.take(piece).map { Answer(response: $0) }
        } catch {
            guard error == .tooLarge, let partial = reader.partial else { throw .unreadable(error, host: host) }
            return Answer(response: partial, isCutOff: true)
        }
    }

    /// Waits a moment for 100 Continue, as RFC 9110 section 10.1.1 wants it. Returns a response that comes instead.
    private func await100(
        _ reader: inout ResponseReader, on connection: OutgoingConnection, _ host: String
    ) throws(Failure) -> Answer? {
        connection.extendDeadline(by: 3)
        defer { connection.extendDeadline(by: patience) }
        do throws(Failure) {
            return try receive(&reader, on: connection, host)
        } catch {
            // Servers before HTTP/1.1 never send it.
            guard case .connection(.timeout, _) = error else { throw error }
            return nil
        }
    }

    /// Sends the body; each piece has the whole time limit.
    private func send(_ stream: BodyStream, on connection: OutgoingConnection, _ host: String) throws(Failure) {
        while true {
            let piece: [UInt8]
            do throws(CommandFailure) {
                piece = try stream.next()
            } catch {
                throw .body(error)
            }
            connection.extendDeadline(by: patience)
            var bytes = piece
            if stream.length == nil {
                bytes = Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
            }
            do throws(OutgoingConnection.Failure) {
                try connection.send(bytes)
            } catch {
                // It may have responded.
                guard error == .broken else { throw .connection(error, host: host) }
                return
            }
            if piece.isEmpty { return }
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
        case .address(.notPublic, let host): "\(host) has an address that is not public"
        case .address(.unencrypted, let host): "\(host) is asked for over http; only https is allowed"
        case .body(let failure): failure.message
        case .connection(.unreachable, let host): "\(host) can't be reached"
        case .connection(.encryption(let reason), let host): "the encrypted connection to \(host) failed: \(reason)"
        case .connection(.broken, let host): "\(host) closed the connection unexpectedly"
        case .connection(.timeout, let host): "\(host) did not answer in time"
        case .unreadable(let reason, let host): "the answer of \(host) can't be read: \(reason.sentence)"
        }
    }
}
