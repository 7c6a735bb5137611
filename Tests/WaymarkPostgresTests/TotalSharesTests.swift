#if PostgreSQL
    import Foundation
    import LinkStoreContract
    import Testing
    import WaymarkLinks
    import WaymarkStores
    import WaymarkTestSupport

    @testable import WaymarkPostgres

    /// Totals of clicks that several servers add to at once, in rows of their own.
    @Suite(
        .enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"), .serialized,
        .timeLimit(.minutes(3)))
    struct TotalSharesTests {
        private let server: PostgresServer
        private let url: String
        private let day = 20_000

        init() throws {
            server = try PostgresServer.shared.get()
            url = try server.database()
        }

        private func connect() throws -> Connection { try Connection(to: PostgresURL(url)) }

        private func run(_ sql: String, on connection: Connection) throws {
            _ = try connection.run(.init(sql: sql), by: .after(milliseconds: 60_000))
        }

        /// A transaction of another server that has taken shares, and waits for its disk.
        private func begin(taking shares: ClosedRange<Int64>) throws -> Connection {
            let connection = try connect()
            for sql in [
                "BEGIN", "SELECT pg_advisory_xact_lock_shared(\(LockKey.totals))",
                """
                SELECT pg_advisory_xact_lock(\(LockKey.share) + share)
                FROM generate_series(\(shares.lowerBound), \(shares.upperBound)) AS share
                """,
            ] { try run(sql, on: connection) }
            return connection
        }

        private func rows(_ table: String) throws -> Int64 {
            try server.execute("SELECT count(*) FROM waymark.\(table)", in: url)[0]
        }

        private func shares() throws -> [Int64] {
            try server.execute("SELECT DISTINCT share FROM waymark.click_total_share ORDER BY share", in: url)
        }

        private func check() throws {
            let archive = try PostgresArchive(url: url, migrates: false)
            defer { archive.close() }
            for day in try archive.totalsDays() {
                let (stored, counted) = (try archive.storedTotals(of: day), try archive.countedTotals(of: day))
                #expect(stored.applications == counted.applications && stored.links == counted.links)
            }
        }

        private var second: Int64 { Int64(day) * Timestamp.secondsOfDay }

        @Test func `clicks are added while another server waits for its disk`() async throws {
            let store = try PostgresLinkStore(url: url)
            try await store.addShop()
            let link = try await store.added(SampleLinks.draft("a"))
            var history = ClickHistory(seed: 1)
            let other = try begin(taking: 1...1)
            try await store.append([history.block(link, second: second, clicks: 9)])
            #expect(try shares() == [2])
            try run("ROLLBACK", on: other)
            try await store.append([history.block(link, second: second, clicks: 9)])
            #expect(try shares() == [1, 2])
            try await store.expectTotalsEqualRecords(of: [link], applications: ["shop"])
            let page = try #require(try await store.linkTotals(days: day..<day + 1, after: nil, limit: 9).first)
            #expect(try await store.linkTotals(days: day..<day + 1, after: nil, limit: 1) == [page])
            #expect(try await store.linkTotals(days: day..<day + 1, after: page.key, limit: 1) == [])
            #expect(try await store.linkTotals(pages: [page.key.page], days: day..<day + 1) == [page])
            #expect(try await store.firstDayOfTotals() == day)
            try check()
            await store.close()
        }

        @Test func `a page of totals has as many rows as were asked for`() async throws {
            let store = try PostgresLinkStore(url: url)
            try await store.addShop()
            let link = try await store.added(SampleLinks.draft("a"))
            var history = ClickHistory(seed: 5)
            for held in [nil, 1...1, 1...2] as [ClosedRange<Int64>?] {
                let other = try held.map { try begin(taking: $0) }
                try await store.append(
                    (0..<7).map { history.block(link, second: second + Int64($0) * 86_400, clicks: 2, within: 60) })
                other?.close()
            }
            #expect(try rows("click_total_link_share") == 21)
            var days: [Int] = []
            var last: TotalsChange.PageKey?
            while true {
                let page = try await store.linkTotals(days: day..<day + 7, after: last, limit: 2)
                days += page.map(\.key.day)
                guard page.count == 2 else { break }
                last = page.last?.key
            }
            #expect(days == Array(day..<day + 7))
            await store.close()
        }

        @Test func `a server waits if all shares are taken`() async throws {
            let store = try PostgresLinkStore(url: url)
            try await store.addShop()
            let link = try await store.added(SampleLinks.draft("a"))
            var history = ClickHistory(seed: 2)
            let block = history.block(link, second: second, clicks: 9)
            let other = try begin(taking: 1...TotalRows.shares)
            async let appending: Void = store.append([block])
            let waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            while try server.execute(waiting, in: url) == [0] { await Task.yield() }
            try run("ROLLBACK", on: other)
            try await appending
            #expect(try rows("click_total_share") > 0)
            try check()
            await store.close()
        }

        @Test func `the share of a server that died is taken over`() async throws {
            let store = try PostgresLinkStore(url: url)
            try await store.addShop()
            let link = try await store.added(SampleLinks.draft("a"))
            var history = ClickHistory(seed: 3)
            try await store.append([history.block(link, second: second, clicks: 9)])
            let dead = try begin(taking: 1...1)
            try run("UPDATE waymark.click_total_share SET bytes = '\\x01'", on: dead)
            let process = try server.execute(
                "SELECT pid FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()",
                in: url)
            #expect(process.count == 1)
            for process in process { try server.execute("SELECT pg_terminate_backend(\(process))::int", in: url) }
            let open = "SELECT count(*) FROM pg_stat_activity WHERE pid = \(process.first ?? 0)"
            while try server.execute(open, in: url) != [0] { await Task.yield() }
            try await store.append([history.block(link, second: second, clicks: 9)])
            #expect(try shares() == [1])
            try check()
            await store.close()
        }

        @Test(arguments: 1...3 as ClosedRange<UInt64>)
        func `totals equal the records whatever servers do at once`(seed: UInt64) async throws {
            let stores = try (0..<4).map { _ in try PostgresLinkStore(url: url) }
            try await stores[0].addShop()
            var links: [Link] = []
            for number in 0..<70 { links.append(try await stores[0].added(SampleLinks.draft("s\(number)"))) }
            let (all, begin, day) = (links, second, day)
            // Blocks that two servers write, because one did not hear of its commit.
            var shared = ClickHistory(seed: seed * 100)
            let repeated = (0..<20).map { _ in
                shared.block(all[shared.random(70)], second: begin + Int64(shared.random(86_000)), clicks: 5)
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, store) in stores.enumerated() {
                    group.addTask {
                        var history = ClickHistory(seed: seed * 100 + UInt64(number) + 1)
                        for _ in 0..<15 {
                            let time = begin + Int64(history.random(2 * 86_400))
                            var blocks = (0..<history.random(40)).map { _ in
                                history.block(
                                    all[history.random(70)], second: time, clicks: 1 + history.random(20))
                            }
                            if history.random(2) == 0 { blocks += repeated.shuffled().prefix(10) }
                            try await store.append(blocks)
                            switch history.random(5) {
                            case 0: _ = try await store.mergeTotals(before: day * 96 + history.random(250), limit: 7)
                            case 1: try await store.append(Array(blocks.shuffled()))
                            case 2:
                                let key = ClickSummaryKey(span: 1, day: day)
                                try await store.beginSummary(key, token: [UInt8(number)])
                            default: break
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await stores[0].expectTotalsEqualRecords(of: links, applications: ["shop"])
            try check()
            while try await stores[1].mergeTotals(before: (day + 4) * 96, limit: 50) > 0 {}
            #expect(try rows("click_total_share") == 0 && rows("click_total_link_share") == 0)
            try await stores[2].expectTotalsEqualRecords(of: links, applications: ["shop"])
            try check()
            for store in stores { await store.close() }
        }

        @Test func `a complete summary has all clicks of its day`() async throws {
            let stores = try (0..<3).map { _ in try PostgresLinkStore(url: url) }
            try await stores[0].addShop()
            let link = try await stores[0].added(SampleLinks.draft("a"))
            let days = day..<day + 3
            @Sendable func clicks(_ day: Int) async throws -> Int {
                var sum = 0
                for row in try await stores[2].linkTotals(days: day..<day + 1, after: nil, limit: 99) {
                    for (_, count) in try LinkTotals(encoded: row.bytes).links(of: row.key.page) { sum += count.sum }
                }
                return sum
            }
            @Sendable func summarize(_ token: UInt8) async throws {
                for day in days {
                    let key = ClickSummaryKey(span: 1, day: day)
                    try await stores[2].beginSummary(key, token: [token])
                    let sum = try await clicks(day)
                    _ = try await stores[2].addSummary(
                        key, parts: [], token: [token], directory: [UInt8(sum >> 8), UInt8(sum & 255)])
                }
            }
            func summaries() async throws -> [Int: Int] {
                var found: [Int: Int] = [:]
                for (key, bytes) in try await stores[2].summaries(within: days) where key.span == 1 {
                    found[key.day] = Int(bytes[0]) << 8 | Int(bytes[1])
                }
                return found
            }
            let first = second
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<2 {
                    group.addTask {
                        var history = ClickHistory(seed: 50 + UInt64(number))
                        for round in 0..<15 {
                            // Late clicks of several days.
                            let blocks = [0, 1, 2].shuffled().prefix(2).map {
                                history.block(link, second: first + $0 * 86_400, clicks: 3, within: 60)
                            }
                            try await stores[number].append(blocks)
                            if round % 3 == 0 { _ = try await stores[number].mergeTotals(before: .max, limit: 2) }
                        }
                    }
                }
                group.addTask { for token in 0..<30 as Range<UInt8> { try await summarize(token) } }
                try await group.waitForAll()
            }
            for (day, sum) in try await summaries() { #expect(try await clicks(day) == sum) }
            try await summarize(99)
            #expect(try await summaries().count == 3)
            var history = ClickHistory(seed: 60)
            try await stores[0].append([history.block(link, second: first, clicks: 3, within: 60)])
            #expect(try await Set(summaries().keys) == [day + 1, day + 2])
            for store in stores { await store.close() }
        }

        @Test func `a merge whose answer is lost counts once`() async throws {
            let name = try #require(URL(string: url)).lastPathComponent
            let proxy = try CommitLosingProxy(to: server)
            let store = try PostgresLinkStore(url: proxy.url(of: name))
            try await store.addShop()
            let link = try await store.added(SampleLinks.draft("a"))
            var history = ClickHistory(seed: 4)
            for _ in 0..<3 {
                let blocks = (0..<4).map { history.block(link, second: second + $0 * 3_600, clicks: 9) }
                try await store.append(blocks)
                proxy.loseNextAnswer()
                await #expect(throws: StoreError.self) {
                    _ = try await store.mergeTotals(before: (day + 1) * 96, limit: 100)
                }
                while (try? await store.mergeTotals(before: (day + 1) * 96, limit: 100)) != 0 { await Task.yield() }
                #expect(try rows("click_total_share") == 0)
                try check()
            }
            await store.close()
        }

        @Test func `servers of earlier versions find all totals`() async throws {
            let before = try PostgresLinkStore(url: url)
            try await before.addShop()
            let link = try await before.added(SampleLinks.draft("a"))
            var history = ClickHistory(seed: 6)
            try await before.append([history.block(link, second: second, clicks: 9)])
            #expect(try rows("click_total_share") > 0)
            await before.close()
            let earlier = try connect()
            try run("SELECT 1 FROM pg_advisory_lock_shared(\(LockKey.level + 1)), pg_sleep(0)", on: earlier)
            try run("SELECT 2", on: earlier)
            let store = try PostgresLinkStore(url: url)
            #expect(store.hasEarlierServers)
            let common = try rows("click_total")
            try await store.append([history.block(link, second: second + 7_200, clicks: 9, within: 60)])
            #expect(try rows("click_total") == common + 1)
            // However young they are.
            while try await store.mergeTotals(before: 0, limit: 9) > 0 {}
            #expect(try rows("click_total_share") == 0 && rows("click_total_link_share") == 0)
            try check()
            earlier.close()
            await store.close()
        }

        @Test func `shares go with their application, their days and their import`() async throws {
            let store = try PostgresLinkStore(url: url)
            try await store.addShop()
            let link = try await store.added(SampleLinks.draft("a"))
            var history = ClickHistory(seed: 7)
            try await store.append(
                [0, 1, 2].map { history.block(link, second: second + $0 * 86_400, clicks: 5, within: 60) })
            #expect(try await store.dropTotals(before: day + 1, limit: 9) == 2)
            #expect(try rows("click_total_share") == 2 && rows("click_total_link_share") == 2)
            let archive = try PostgresArchive(url: url, migrates: false)
            let (totals, links) = (
                try archive.totals(after: nil, limit: 1), try archive.linkTotals(after: nil, limit: 1)
            )
            try archive.add(
                totals.map { .total($0) } + links.map { .linkTotals($0) },
                progress: StoredSecret(name: "progress", value: [1]), expecting: nil)
            #expect(try rows("click_total_share") == 1 && rows("click_total_link_share") == 1)
            #expect(try archive.totals(after: nil, limit: 1) == totals)
            #expect(try archive.linkTotals(after: nil, limit: 1) == links)
            archive.close()
            #expect(try await store.delete(link.id, expecting: nil) == .deleted)
            #expect(try await store.deleteApplication(SampleLinks.shop(), expecting: nil) == .deleted)
            #expect(try rows("click_total_share") == 0)
            await store.close()
        }
    }
#endif
