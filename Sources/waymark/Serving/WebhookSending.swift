import Foundation
import WaymarkHTTP
import WaymarkLinks
import WaymarkSockets
import WaymarkTLS
import WaymarkWebhooks

/// Sends webhooks from this server, over connections of its own to addresses that the rule allows
/// (docs/decisions/2026-11-26-webhooks-from-an-outbox.md).
struct WebhookSending: WebhookTransport {
    /// Time limit of an attempt, from the connection to the end of the answer, in seconds.
    private static let patience = 15
    /// Answers are read to here, so that the connection can be used again.
    private static let bodyLimit = 65_536
    /// After this time the results so far are returned.
    private static let pageTime = Duration.seconds(1)

    let addressRule: AddressRule

    private var client: HTTPClient {
        HTTPClient(patience: Self.patience, bodyLimit: Self.bodyLimit, addressRule: addressRule)
    }

    func problem(with url: String) async -> String? {
        guard let target = WebhookTarget(url) else { return "must be an http or https URL" }
        let rule = addressRule
        return await NetworkThread.run {
            do throws(HTTPClient.Failure) {
                _ = try HTTPClient.addresses(of: target.host, isSecure: target.isSecure, rule)
                return nil
            } catch {
                switch error {
                // The name may resolve later, and is checked again at each attempt.
                case .name where target.isSecure: return nil
                case .name: return "must be https, or have an address in a network of webhooks.allowedNetworks"
                default: return error.addressProblem
                }
            }
        }
    }

    func post(_ messages: [WebhookMessage], to url: String) async -> [WebhookAnswer] {
        await NetworkThread.run {
            let start = ContinuousClock.now
            var connection: WebhookConnection?
            var answers: [WebhookAnswer] = []
            for message in messages {
                answers.append(attempt(message, to: url, &connection))
                // A failed endpoint is left alone for a moment, so that what failed is stored first.
                guard answers.last?.isSuccess == true, ContinuousClock.now - start < Self.pageTime else { break }
            }
            return answers
        }
    }

    private func attempt(
        _ message: WebhookMessage, to url: String, _ connection: inout WebhookConnection?
    ) -> WebhookAnswer {
        let at = Timestamp(rawValue: WallClock.milliseconds())
        let start = ContinuousClock.now
        func answer(_ status: Int?, _ error: String?, _ response: ResponseReader.Response? = nil) -> WebhookAnswer {
            WebhookAnswer(
                status: status, error: error,
                retryAfter: response?["Retry-After"].flatMap { CommandFetching.seconds($0, now: at.seconds) },
                body: response?.body ?? [], at: at,
                milliseconds: Int((ContinuousClock.now - start) / .milliseconds(1)))
        }
        guard let target = WebhookTarget(url) else { return answer(nil, "the URL can't be read") }
        do throws(HTTPClient.Failure) {
            var response: ResponseReader.Response?
            if let open = connection {
                open.connection.extendDeadline(by: Self.patience)
                do throws(HTTPClient.Failure) {
                    response = try open.exchange(message, target, bodyLimit: Self.bodyLimit)
                } catch {
                    // The receiver may have closed it since.
                    guard error.isEndOfConnection else { throw error }
                }
            }
            if response == nil {
                let opened = WebhookConnection(
                    try client.connect(target.host, target.port, isSecure: target.isSecure))
                connection = opened
                response = try opened.exchange(message, target, bodyLimit: Self.bodyLimit)
            }
            if connection?.isReusable == false { connection = nil }
            return answer(response?.status, nil, response)
        } catch {
            connection = nil
            return answer(nil, error.addressProblem.map { "the URL \($0)" } ?? error.sentence)
        }
    }
}

/// Where a URL leads.
private struct WebhookTarget: Sendable {
    let host: String
    let port: Int
    let isSecure: Bool
    /// The value of `Host`.
    let authority: String
    let path: String

    init?(_ text: String) {
        guard let url = URLComponents(string: text), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = url.encodedHost, !host.isEmpty,
            host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), (1...65_535).contains(url.port ?? 1)
        else { return nil }
        self.host = host
        isSecure = scheme == "https"
        port = url.port ?? (isSecure ? 443 : 80)
        authority = host + (url.port.map { ":\($0)" } ?? "")
        let path = url.percentEncodedPath.isEmpty ? "/" : url.percentEncodedPath
        self.path = path + (url.percentEncodedQuery.map { "?\($0)" } ?? "")
    }
}

/// A connection to a receiver, for one message after the other.
private final class WebhookConnection {
    let connection: OutgoingConnection
    /// Whether the receiver takes another message on it.
    private(set) var isReusable = true

    init(_ connection: OutgoingConnection) { self.connection = connection }

    func exchange(
        _ message: WebhookMessage, _ target: WebhookTarget, bodyLimit: Int
    ) throws(HTTPClient.Failure) -> ResponseReader.Response {
        var head = "POST \(target.path) HTTP/1.1\r\nHost: \(target.authority)\r\n"
        for field in message.fields { head += "\(field.name): \(field.value)\r\n" }
        head += "Content-Length: \(message.body.count)\r\n\r\n"
        do throws(OutgoingConnection.Failure) {
            try connection.send(Array(head.utf8) + message.body)
        } catch {
            // A receiver may answer before it has read everything, and close.
            guard error == .broken else { throw .connection(error, host: target.host) }
            isReusable = false
        }
        var reader = ResponseReader(bodyLimit: bodyLimit)
        while true {
            let piece: [UInt8]
            do throws(OutgoingConnection.Failure) {
                piece = try connection.receive()
            } catch {
                throw .connection(error, host: target.host)
            }
            do throws(ResponseReader.Failure) {
                if piece.isEmpty {
                    isReusable = false
                    return try reader.end()
                }
                guard let response = try reader.take(piece) else { continue }
                let connectionField = response["Connection"]?.lowercased() ?? ""
                if connectionField.contains("close") || !reader.leftover.isEmpty { isReusable = false }
                return response
            } catch {
                isReusable = false
                guard error == .tooLarge, let partial = reader.partial else {
                    throw .unreadable(error, host: target.host)
                }
                return partial
            }
        }
    }
}

extension HTTPClient.Failure {
    fileprivate var isEndOfConnection: Bool {
        switch self {
        case .connection(.broken, _), .unreadable(.incomplete, _): true
        default: false
        }
    }

    /// Why an address is not allowed, to follow the name of a field; nil for other failures.
    var addressProblem: String? {
        switch self {
        case .address(.notPublic, _):
            "leads to an address that is not public; an operator can allow its network (webhooks.allowedNetworks)"
        case .address(.unencrypted, _):
            "must be https; an operator can allow http for a network (webhooks.allowedNetworks)"
        default: nil
        }
    }
}
