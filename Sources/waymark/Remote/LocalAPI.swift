import Logging
import WaymarkHTTP
import WaymarkServer
import WaymarkService
import WaymarkSite
import WaymarkTLS

/// The REST API on the database without a server: the same site handles requests, with an operator's rights.
struct LocalAPI: API {
    private let assembly: ServiceAssembly
    private let site: Site
    private let key: KeyText

    var service: LinkService { assembly.service }

    /// - Throws: `CommandFailure`, for example if a running server has locked the database.
    init(_ configuration: Configuration) async throws {
        var configuration = configuration
        // Never leaves this process; it represents the right to open the database.
        let key = KeyText(randomBytes: { SecureRandom.bytes(count: $0) })
        configuration.adminKey = key
        self.key = key
        let logger = Logger(label: "waymark") { _ in SwiftLogNoOpLogHandler() }
        assembly = try await ServiceAssembly(configuration, logger: logger)
        var options = SiteOptions()
        options.countryField = configuration.countryHeader
        site = Site(service: assembly.service, options: options, logger: logger)
    }

    func send(_ request: APIRequest) async throws -> APIResponse {
        var text = "\(request.method) \(request.target) HTTP/1.1\r\nHost: localhost\r\n"
        text += "Authorization: Bearer \(key.text)\r\n"
        if let body = request.body {
            text += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n"
        }
        let response: Response
        switch reply(to: Array((text + "\r\n").utf8)) {
        case .now(let now): response = now
        case .later(_, let later): response = await later()
        case .body(let limit, _, let answer):
            let body = request.body ?? []
            guard body.count <= limit else {
                throw CommandFailure.failed("the body has \(body.count) bytes; \(limit) are allowed")
            }
            response = await answer(body)
        case .stream(_, let receiver): response = await receiver.response(to: request.body ?? [])
        }
        guard case .bytes(let bytes) = response.body else {
            return APIResponse(status: Int(response.status.code), body: [])
        }
        return APIResponse(status: Int(response.status.code), body: bytes)
    }

    /// Handlers belong to one thread, so each request gets its own.
    private func reply(to message: [UInt8]) -> Reply {
        let handler = site.makeHandler()
        let head = RequestHead(limits: HeadLimits())
        var parser = RequestParser(limits: HeadLimits())
        let bytes = message.span
        switch parser.parse(bytes, into: head) {
        case .head: return handler.respond(to: head, in: bytes, from: Peer(addressText: "127.0.0.1")!)
        case .reject(let status, let detail): return .now(handler.refusal(status, detail: detail))
        case .needMore: return .now(handler.refusal(.badRequest, detail: "The request is not complete."))
        }
    }

    func close() async {
        await assembly.close()
    }
}
