import ArgumentParser
import Synchronization
import WaymarkHTTP
import WaymarkJSON
import WaymarkServer
import WaymarkService
import WaymarkSockets
import WaymarkTLS

/// `waymark webhooks listen`: a receiver for development that prints events as they come.
struct WebhooksListen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Print events as they come, one JSON line each, until Ctrl-C.",
        discussion: """
            Makes a webhook that leads to this command, and deletes it at the end. The server must reach this machine: \
            with a server on the same one, its configuration needs \
            {"webhooks": {"allowedNetworks": ["127.0.0.0/8"]}}.
            """)

    @Option(
        name: .long, parsing: .singleValue,
        help: "A type of event (link.created), a group (link.*) or *; may be repeated. [default: *]")
    var event: [String] = ["*"]

    @Option(name: .long, help: "The application whose events are printed; without it, those of all.")
    var app: String?

    @Option(name: .long, help: "Where to listen.")
    var listen = "127.0.0.1:0"

    @Option(name: .long, help: "The URL at which the server reaches this command. [default: http:// and --listen]")
    var endpoint: String?

    @OptionGroup var client: ClientOptions

    mutating func run() async throws {
        guard let api = try client.server() else {
            throw CommandFailure.usage("events come from a running server: give --url")
        }
        guard let address = HostAndPort(listen) else {
            throw CommandFailure.usage("--listen: \"\(listen)\" is not allowed; give an address such as 127.0.0.1:9000")
        }
        // From now on Ctrl-C ends the command, and its webhook.
        let signals = SignalStream()
        let key = Key()
        let server: Server
        do throws(ServerError) {
            server = try await Server.start(ServerConfiguration(listeners: [.init(address)])) { EventPrinter(key) }
        } catch {
            throw CommandFailure.failed(error.description)
        }
        let url = endpoint ?? "http://\(server.listeners.first.map { "\($0.address)" } ?? listen)/"
        var body: JSONObject = [
            "url": JSONValue(url), "events": JSONValue(event.map { JSONValue($0) }), "name": "waymark webhooks listen",
        ]
        if let app { body["app"] = JSONValue(app) }
        do {
            let made = try await api.json("POST", "/api/v1/webhooks", JSONValue(body))
            key.bytes.withLock { $0 = made["secret"]?.string.flatMap(WebhookSignature.key) }
            StandardError.write("events are printed until Ctrl-C")
            for await signal in signals.received where signal == .stop { break }
            withExtendedLifetime(signals) {}
            _ = try await api.json("DELETE", "/api/v1/webhooks/\(made["id"]?.string ?? "")")
        } catch {
            await server.drain()
            throw error
        }
        await server.drain()
    }

    /// The secret, which is known only after the receiver has started.
    fileprivate final class Key: Sendable {
        let bytes = Mutex<[UInt8]?>(nil)
    }
}

/// Prints the bodies of signed messages.
private final class EventPrinter: RequestHandler {
    private static let bodyLimit = 1 << 20

    let key: WebhooksListen.Key
    let route = 0
    let cachedRoute = 0

    init(_ key: WebhooksListen.Key) { self.key = key }

    func respond(to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Reply {
        func value(_ name: String) -> String {
            guard let range = HeaderName(name).flatMap({ head.value(named: $0, in: bytes) }) else { return "" }
            var value: [UInt8] = []
            for index in range.indices { value.append(bytes[index]) }
            return String(decoding: value, as: UTF8.self)
        }
        let (id, time, signature) = (value("webhook-id"), value("webhook-timestamp"), value("webhook-signature"))
        let key = key
        return .body(limit: Self.bodyLimit) { body in
            guard let secret = key.bytes.withLock({ $0 }) else { return Response(.serviceUnavailable) }
            let expected = WebhookSignature { SHA256.digest(of: $0) }
                .field(id: id, second: Int64(time) ?? 0, body: body, keys: [secret])
            // Digests, so that the time of the comparison tells nothing.
            guard SHA256.digest(of: Array(signature.utf8)) == SHA256.digest(of: Array(expected.utf8)) else {
                return Response(.forbidden)
            }
            print(String(decoding: body, as: UTF8.self))
            StandardOutput.flush()
            return Response(.noContent)
        }
    }

    func refusal(_ status: Status, detail: StaticString) -> Response { Response(status) }
}
