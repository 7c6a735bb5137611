import WaymarkLinks
import WaymarkServer
import WaymarkService

/// A turn of a key for a report on clicks, shared by application and key; long ones use up more of its
/// limit.
enum ReportTurn {
    /// Milliseconds of counting for each token.
    private static let price: Int64 = 250

    static func run<Result>(_ call: Call, _ site: Site, _ body: () async throws -> Result) async throws -> Result {
        try await run(call.key, of: call.reach.single, call.peer, site, body)
    }

    static func run<Result>(
        _ key: KeyIdentity, of application: ApplicationID?, _ peer: Peer, _ site: Site,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let uptime = site.service.dependencies.uptime
        return try await site.service.reportTurns.withTurn(of: .init(application: application, key: key.id)) {
            try Task.checkCancellation()
            let start = uptime()
            defer { site.callers.charge(Int((uptime() - start) / price), .statistics, peer, key: key) }
            return try await body()
        }
    }
}
