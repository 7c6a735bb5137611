import WaymarkLinks
import WaymarkStores

/// One pass over the counters of the database, page by page. Nothing says which of them changed, so each page is compared with what
/// ClickHouse has of the same keys, and what differs is sent: also what an import, a restored backup or a lost answer left behind.
struct CounterSweep: Sendable {
    /// Rows of a page.
    static let page = 5_000
    /// Rows of ClickHouse that are read for a page, as many may have been deleted here.
    private static let answer = 4 * page

    private enum Stage {
        case activity(after: DailyActivity.Key?)
        case conversions(ConversionKey)
    }

    /// Of days before, ClickHouse deletes rows.
    private let firstDay: Int
    private let page: Int
    private var stage: Stage? = .activity(after: nil)
    /// Those that come next, the last one first.
    private var applications: [ApplicationID] = []
    /// Rows that were sent.
    private(set) var sent = 0

    init(firstDay: Int, page: Int = page) {
        self.firstDay = firstDay
        self.page = page
    }

    var isAtEnd: Bool { stage == nil }

    /// Sends what differs in the next page.
    ///
    /// - Throws: `StoreError`, `ClickHouseFailure`; then it can be repeated.
    mutating func step(
        _ store: any ClickShipmentStore, _ client: ClickHouseClient, _ tables: ClickHouseTables, now: Timestamp
    ) async throws {
        switch stage {
        case nil: return
        case .activity(let after):
            let rows = try await store.dailyActivity(after: after, limit: page)
            let start: [CounterRow.Value] = after.map { [.number($0.link.rawValue), .day($0.day)] } ?? []
            let isWhole = try await send(
                rows.map { CounterRow($0) }, of: .activity, after: start, isLast: rows.count < page, client, tables, now
            )
            guard isWhole else { return }
            if rows.count == page, let last = rows.last?.activity {
                stage = .activity(after: DailyActivity.Key(link: last.link, day: last.day))
            } else {
                // Asked first: an application that is there and not here was deleted, or the database was restored.
                let shipped = try await client.rows(DailyCounterTable.conversions.applications(in: tables))
                applications = try await store.countedApplications().reversed()
                try await delete(Set(shipped.compactMap(\.first)).subtracting(applications.map(\.text)), client, tables)
                nextApplication()
            }
        case .conversions(let after):
            let rows = try await store.dailyConversions(after: after, limit: page)
            // What ClickHouse has from before the first row here may have been deleted here by age.
            let start = after.isStart ? rows.first?.key.before : after
            guard let start else { return nextApplication() }
            let isWhole = try await send(
                rows.map { CounterRow($0) }, of: .conversions, after: start.values, isLast: rows.count < page, client,
                tables, now)
            guard isWhole else { return }
            if rows.count == page, let last = rows.last { stage = .conversions(last.key) } else { nextApplication() }
        }
    }

    /// Deletes the conversions of applications that no longer exist.
    private func delete(
        _ names: Set<String>, _ client: ClickHouseClient, _ tables: ClickHouseTables
    ) async throws(ClickHouseFailure) {
        guard !names.isEmpty else { return }
        try await client.execute(
            DailyCounterTable.conversions.deletion(in: tables, of: names.sorted()),
            options: tables.cluster == nil ? [] : [("distributed_ddl_task_timeout", "0")])
    }

    private mutating func nextApplication() {
        stage = applications.popLast().map { .conversions(.start(of: $0, firstDay)) }
    }

    /// - Parameter isLast: whether the page is the last one.
    /// - Returns: False if ClickHouse has more rows of these keys, which come next.
    private mutating func send(
        _ own: [CounterRow], of table: DailyCounterTable, after: [CounterRow.Value], isLast: Bool,
        _ client: ClickHouseClient, _ tables: ClickHouseTables, _ now: Timestamp
    ) async throws(ClickHouseFailure) -> Bool {
        let query = table.rows(
            in: tables, since: firstDay, after: after, to: isLast ? nil : own.last?.key, limit: Self.answer)
        var answer = ClickHouseAnswer(
            try await client.answer(
                to: query, options: [], timeout: ClickHouseClient.timeout, byteLimit: ClickHouseClient.answerLimit),
            rowLimit: Self.answer)
        var there: [[CounterRow.Value]: (row: CounterRow, version: UInt64)] = [:]
        while let row = try answer.next(columns: table.width) {
            let found = try table.row(row)
            there[found.row.key] = found
        }
        let isWhole = there.count < Self.answer
        let time = UInt64(clamping: now.rawValue)
        var writer = RowBinaryWriter()
        var count = 0
        for row in own where row.day >= firstDay && ClickRows.days.contains(row.day) && !row.isEmpty {
            let found = there.removeValue(forKey: row.key)
            guard found?.row.counts != row.counts else { continue }
            // Later than what is there, whatever the clock of the server that sent it.
            table.write(row, version: max(time, (found?.version ?? 0) &+ 1), to: &writer)
            count += 1
        }
        for (row, version) in there.values {
            table.write(row.emptied, version: max(time, version &+ 1), to: &writer)
            count += 1
        }
        guard count > 0 else { return isWhole }
        // The same rows may be sent again by purpose, so each batch has a token of its own.
        let token = "\(table.name)-\(time)-\(UInt64.random(in: 0 ... .max))"
        try await client.insert(
            writer.bytes, by: table.insertion(in: tables), token: token, queryID: ClickShipper.queryID(of: token),
            options: tables.cluster == nil ? [] : [("insert_distributed_sync", "1")])
        sent += count
        return isWhole
    }
}

extension ConversionKey {
    /// Before all of the application's since this day.
    fileprivate static func start(of application: ApplicationID, _ day: Int) -> ConversionKey {
        ConversionKey(
            application: application, day: day, link: LinkID(rawValue: .min), campaign: "", name: "", currency: "")
    }

    fileprivate var isStart: Bool { link.rawValue == .min }

    /// Before all of its link and day.
    fileprivate var before: ConversionKey {
        ConversionKey(application: application, day: day, link: link, campaign: "", name: "", currency: "")
    }

    fileprivate var values: [CounterRow.Value] {
        [
            CounterRow.Value(application.text), .day(day), .number(link.rawValue), CounterRow.Value(campaign),
            CounterRow.Value(name), CounterRow.Value(currency),
        ]
    }
}
