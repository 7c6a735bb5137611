import WaymarkTLS

/// A connection to a server, for one exchange after the other. Its calls block, and every call ends: use it on a `NetworkThread`.
package final class HTTPConnection {
    private let connection: OutgoingConnection
    private let host: String
    /// In seconds, for each exchange.
    private let timeout: Int
    private var isUsed = false
    /// Received bytes of the next response.
    private var received: [UInt8] = []
    /// Whether the server takes another request on it.
    package private(set) var isReusable = true

    /// How long a server is waited for that may read a body that it was announced, in seconds (RFC 9110 section 10.1.1).
    private static let timeoutOfContinue = 3

    init(_ connection: OutgoingConnection, host: String, timeout: Int) {
        self.connection = connection
        self.host = host
        self.timeout = timeout
    }

    /// Sends a message of one or more requests at once, and reads their responses.
    ///
    /// - Parameters:
    ///   - count: how many requests the message has.
    ///   - stream: the body of the last one, unless it is in the message.
    ///   - bodyLimit: of each response.
    ///   - isHead: whether the requests are HEADs.
    /// - Returns: the responses up to the first failure, or to the one after which the server closes the connection.
    package func exchange(
        _ message: [UInt8], count: Int = 1, stream: HTTPRequest.BodyStream? = nil, bodyLimit: Int,
        isHead: Bool = false
    ) -> (responses: [HTTPResponse], failure: HTTPFailure?) {
        if isUsed { connection.extendDeadline(by: timeout) }
        isUsed = true
        var responses: [HTTPResponse] = []
        do throws(HTTPFailure) {
            let isSent = try send(message)
            repeat {
                var reader = ResponseReader(bodyLimit: bodyLimit, isToHead: isHead)
                var response = try stream.flatMap { (stream) throws(HTTPFailure) in try send(stream, &reader) }
                while response == nil { response = try read(&reader) }
                if let response { responses.append(response) }
            } while responses.count < count && isReusable
            if !isSent || !received.isEmpty { isReusable = false }
            return (responses, nil)
        } catch {
            isReusable = false
            return (responses, error)
        }
    }

    /// False if the server has closed the connection: it may have responded before it has read everything.
    private func send(_ bytes: [UInt8]) throws(HTTPFailure) -> Bool {
        do throws(OutgoingConnection.Failure) {
            try connection.send(bytes)
            return true
        } catch {
            guard error == .broken else { throw .connection(error, host: host) }
            return false
        }
    }

    /// Receives once. Returns the response once it is complete.
    private func read(_ reader: inout ResponseReader) throws(HTTPFailure) -> HTTPResponse? {
        if received.isEmpty {
            do throws(OutgoingConnection.Failure) {
                received = try connection.receive()
            } catch {
                // A reset, or an end of the TLS stream without close_notify: the response may be truncated.
                guard error == .broken, reader.hasBegun else { throw .connection(error, host: host) }
                throw .unreadable(.incomplete, host: host)
            }
        }
        do throws(ResponseReader.Failure) {
            guard !received.isEmpty else {
                isReusable = false
                return try reader.end()
            }
            let response = try reader.take(received)
            received = reader.leftover
            if response.map(Self.isLast) == true { isReusable = false }
            return response
        } catch {
            isReusable = false
            if error == .tooLarge, var partial = reader.partial {
                partial.isCutOff = true
                return partial
            }
            guard error != .incomplete || reader.hasBegun else { throw .connection(.broken, host: host) }
            throw .unreadable(error, host: host)
        }
    }

    /// Whether `Connection` has the option `close` (RFC 9112 section 9.6).
    private static func isLast(_ response: HTTPResponse) -> Bool {
        guard let options = response["Connection"]?.lowercased().utf8 else { return false }
        return options.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            .contains { $0.elementsEqual("close".utf8) }
    }

    /// Sends a body once the server wants it; each piece has the whole time limit. Returns a response that comes instead.
    private func send(
        _ stream: HTTPRequest.BodyStream, _ reader: inout ResponseReader
    ) throws(HTTPFailure) -> HTTPResponse? {
        connection.extendDeadline(by: Self.timeoutOfContinue)
        do throws(HTTPFailure) {
            if let response = try read(&reader) { return response }
        } catch {
            // Servers before HTTP/1.1 never send 100 Continue.
            guard case .connection(.timeout, _) = error else { throw error }
        }
        connection.extendDeadline(by: timeout)
        // A response that has begun is to the head alone.
        guard reader.partial == nil else { return nil }
        var piece: [UInt8]
        repeat {
            do {
                piece = try stream.next()
            } catch {
                throw .body(error)
            }
            connection.extendDeadline(by: timeout)
            let isChunked = stream.length == nil
            let bytes = isChunked ? Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10] : piece
            guard try send(bytes) else { break }
        } while !piece.isEmpty
        return nil
    }
}
