import WaymarkService

/// A turn of a key for a report on clicks, shared by application and key; long ones use up more of its
/// limit.
enum ReportTurn {
    /// Milliseconds of counting for each token.
    private static let price: Int64 = 250

    static func run<Result>(_ call: Call, _ site: Site, _ body: () async throws -> Result) async throws -> Result {
        let uptime = site.service.dependencies.uptime
        return try await site.service.reportTurns.withTurn(
            of: .init(application: call.reach.single, key: call.key.id)
        ) {
            try Task.checkCancellation()
            let start = uptime()
            defer {
                site.callers.charge(Int((uptime() - start) / price), .statistics, call.peer, key: call.key)
            }
            return try await body()
        }
    }
}
