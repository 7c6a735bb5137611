import Logging
import WaymarkAPI
import WaymarkClient
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkSite
import WaymarkSockets
import WaymarkStores
import WaymarkTLS

/// The REST API on the database without a server: the same site handles requests, with an operator's rights.
struct LocalAPI: API {
    private let assembly: ServiceAssembly
    private let site: Site
    private let key: KeyText

    var service: LinkService { assembly.service }

    /// - Parameter time: the time at which all calls are made; nil: that of the clock.
    /// - Throws: `CommandFailure`, for example if a running server has locked the database.
    init(_ configuration: Configuration, at time: Timestamp? = nil) async throws {
        var configuration = configuration
        // Never leaves this process; it represents the right to open the database.
        let key = KeyText(randomBytes: { SecureRandom.bytes(count: $0) })
        configuration.adminKey = key
        self.key = key
        let logger = Logger(label: "waymark") { _ in SwiftLogNoOpLogHandler() }
        assembly = try await ServiceAssembly(
            configuration, logger: logger, now: { time ?? Timestamp(rawValue: WallClock.milliseconds()) }
        ) { StandardError.write($0) }
        var options = SiteOptions()
        options.countryField = configuration.countryHeader
        options.isCommandLine = true
        site = Site(service: assembly.service, background: assembly.background, options: options, logger: logger)
    }

    func send(_ request: APIRequest) async throws -> HTTPResponse {
        var fields = request.fields + [("Authorization", "Bearer \(key.text)")]
        if request.body != nil { fields.append(("Content-Type", request.contentType)) }
        let response = await site.answer(
            InProcessRequest(method: request.method, target: request.target, fields: fields, body: request.body),
            from: Peer(addressText: "127.0.0.1")!)
        let bytes: [UInt8] =
            switch response.body {
            case .bytes(let bytes): bytes
            case .file(let file): file.contents() ?? []
            case .none, .parts, .stream: []
            }
        return HTTPResponse(
            status: Int(response.status.code), fields: response.fields.lines.map { ($0.name, $0.value) }, body: bytes)
    }

    func close() async {
        await assembly.close()
    }
}
