import Foundation
import TLSTestSupport
import WaymarkTLS

@testable import WaymarkACME

extension Pebble {
    var transport: NetworkTransport { NetworkTransport(authority: authorityFile) }

    func read(_ path: String) async throws -> String {
        let response = try await transport.send(ACMERequest(.get, managementURL(path)))
        return String(decoding: response.body, as: UTF8.self)
    }
}

/// Requests over `OutgoingConnection`, one a connection.
struct NetworkTransport: ACMETransport {
    /// PEM file.
    let authority: String

    func send(_ request: ACMERequest) async throws(ACMETransportError) -> ACMEResponse {
        let authority = authority
        let result = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                do throws(ACMETransportError) {
                    continuation.resume(
                        returning: Result<ACMEResponse, ACMETransportError>.success(
                            try Self.exchange(request, authority)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    private static func exchange(
        _ request: ACMERequest, _ authority: String
    ) throws(ACMETransportError) -> ACMEResponse {
        guard let url = URLComponents(string: request.url), let host = url.host, let port = url.port else {
            throw ACMETransportError(reason: "no URL")
        }
        // HTTP/1.0, so that the body ends with the connection.
        var head = "\(request.method.rawValue) \(url.percentEncodedPath) HTTP/1.0\r\nHost: \(host):\(port)\r\n"
        head += "User-Agent: waymark-test\r\nContent-Length: \(request.body.count)\r\n"
        for (name, value) in request.fields { head += "\(name): \(value)\r\n" }
        do throws(OutgoingConnection.Failure) {
            let connection = try OutgoingConnection(
                host: host, port: port, isSecure: true, patience: 20, address: "127.0.0.1", authority: authority)
            try connection.send(Array((head + "\r\n").utf8) + request.body)
            var bytes: [UInt8] = []
            while case let piece = try connection.receive(), !piece.isEmpty { bytes += piece }
            return try parsed(bytes)
        } catch {
            throw ACMETransportError(reason: "\(error)")
        }
    }

    private static func parsed(_ bytes: [UInt8]) throws(OutgoingConnection.Failure) -> ACMEResponse {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { throw .broken }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw .broken
        }
        let fields = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (
                String(line[..<colon]), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            )
        }
        return ACMEResponse(status: status, fields: fields, body: Array(bytes[end.upperBound...]))
    }
}
