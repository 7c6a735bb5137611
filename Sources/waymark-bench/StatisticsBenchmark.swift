import ArgumentParser
import Foundation
import Logging
import WaymarkBytes
import WaymarkLinks
import WaymarkSQLite
import WaymarkService
import WaymarkStores
import WaymarkTLS

#if PostgreSQL
    import WaymarkPostgres
#endif

/// Reports over many clicks: `fill` makes a database with them, `ask` measures questions.
struct StatisticsBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "statistics", abstract: "Fill a database with clicks, and ask for reports.",
        subcommands: [Fill.self, Ask.self])

    struct Options: ParsableArguments {
        @Option(name: .long, help: "A file, or postgres://…") var database: String
        @Option(name: .long, help: "Links.") var links = 1_000_000
        @Option(name: .long, help: "Applications, which have equally many links.") var applications = 20
        @Option(name: .long, help: "Days that have clicks.") var days = 400

        var generator: ClickGenerator { ClickGenerator(links: links, applications: applications, days: days) }

        func open() throws -> any LinkStore {
            #if PostgreSQL
                if database.hasPrefix("postgres") { return try PostgresLinkStore(url: database) }
            #endif
            return try SQLiteLinkStore(path: database)
        }

        /// - Parameter now: At the end of the days.
        func service(_ store: any LinkStore, _ now: Timestamp) async throws -> LinkService {
            var dependencies = BenchmarkSite.dependencies
            dependencies.now = { now }
            let service = LinkService(
                store: store, configuration: ServiceConfiguration(), dependencies: dependencies,
                readApplication: { _ in nil }, logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
            return service
        }
    }

    struct Fill: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make links and clicks, and the summaries of all days. The same numbers give the same clicks.")

        @OptionGroup var options: Options
        @Option(name: .long, help: "Clicks.") var clicks = 100_000_000

        mutating func run() async throws {
            let store = try options.open()
            let generator = options.generator
            for application in generator.applications {
                _ = try await store.put(application, expecting: nil) { _ in true }
            }
            let begun = ContinuousClock.now
            for first in stride(from: 0, to: options.links, by: 5_000) {
                let links = (first..<min(options.links, first + 5_000)).compactMap { generator.link($0) }
                _ = try await store.create(links, idempotency: nil)
            }
            print("links \(options.links) in \(Int(begun.duration(to: .now).seconds)) s")
            for day in 0..<options.days {
                let count = clicks / options.days
                try await store.clickRecords.append(generator.blocks(day: day, clicks: count))
                if day % 20 == 19 { print("day \(day + 1) after \(Int(begun.duration(to: .now).seconds)) s") }
            }
            let summaries = ContinuousClock.now
            let made = try await ClickSummarizer(
                store: store.clickTotals, randomBytes: { SecureRandom.bytes(count: $0) }
            ).run(
                generator.applications.map(\.id), days: generator.firstDay..<generator.firstDay + options.days,
                hasTime: { true })
            print("summaries \(made) in \(Int(summaries.duration(to: .now).seconds)) s")
            await store.close()
        }
    }

    struct Ask: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ask for 30 days by four fields with the 50 top links, of all applications and of one in turn.")

        @OptionGroup var options: Options
        @Option(name: .long, help: "Questions.") var questions = 1_000

        mutating func run() async throws {
            let store = try options.open()
            let generator = options.generator
            let end = Timestamp(seconds: Int64(generator.firstDay + options.days) * Timestamp.secondsOfDay)
            let service = try await options.service(store, end)
            var random = UInt64(11)
            var times: [Duration] = []
            var people = 0
            let before = ProcessMemory.residentMebibytes
            var most = before
            for question in 0..<questions {
                random = LinkGenerator.mixed(random)
                let first = generator.firstDay + Int(random % UInt64(max(1, options.days - 30)))
                let days = (first...first + 30).map { Int64($0) * Timestamp.secondsOfDay }
                let one = generator.applications[Int(random >> 40) % generator.applications.count].id
                let query = ClickReportQuery(
                    boundaries: days, interval: .day,
                    applications: question % 2 == 0 ? generator.applications.map(\.id) : [one],
                    by: [.platform, .country, .referrerHost, .campaign], top: [.links])
                let begun = ContinuousClock.now
                guard let report = try await service.report(query), report.links.count == ClickReportQuery.topLimit
                else { throw BenchmarkSite.Failure(description: "a report is missing") }
                times.append(begun.duration(to: .now))
                people += report.count.people
                most = max(most, ProcessMemory.residentMebibytes)
            }
            times.sort()
            func percentile(_ share: Int) -> Int { times[min(times.count - 1, times.count * share / 100)].milliseconds }
            print(
                """
                questions \(questions) people \(people) p50-ms \(percentile(50)) p99-ms \(percentile(99)) \
                max-ms \(percentile(100)) memory-mib \(most - before)
                """)
            await store.close()
        }
    }
}

/// Clicks as a busy service has them: some links get most of them, and nearly each one is a block of its own, because few come
/// within the seconds that are written at a time.
struct ClickGenerator: Sendable {
    let links: Int
    let applications: [StoredApplication]
    /// Since 1970: 2025-01-01.
    let firstDay = 20_089
    private let kinds: [VisitorClass]
    private let countries: [CountryCode]
    private let referrers: [Click.Name]
    private let campaigns: [Click.Name]

    init(links: Int, applications count: Int, days: Int) {
        self.links = links
        applications = (0..<count).compactMap { number in
            guard let id = ApplicationID("app\(number)"), let host = HostName("app\(number).example.com") else {
                return nil
            }
            return StoredApplication(id: id, domains: [host], document: Array("{}".utf8))
        }
        kinds =
            [Variant.desktop, Variant.android, Variant.iPhone].map { UserAgent.classify($0) }
            + [UserAgent.classify("Googlebot/2.1 (+http://www.google.com/bot.html)")]
        let letters = Array("ABCDEFGHIJ".utf8)
        countries = letters.flatMap { one in letters.prefix(6).compactMap { CountryCode(one, $0) } }
        referrers = (0..<200).map { Click.Name("site\($0).example.org") }
        campaigns = (0..<100).map { Click.Name("campaign-\($0)") }
    }

    func link(_ number: Int) -> NewLink? {
        guard let slug = Slug("l\(number)"), let route = Route("products/\(number)") else { return nil }
        let application = applications[number % applications.count]
        return NewLink(
            application: application.id, domain: application.domains[0], slug: slug, content: LinkContent(route: route),
            metadata: nil,
            createdAt: Timestamp(seconds: Int64(firstDay) * Timestamp.secondsOfDay))
    }

    func blocks(day: Int, clicks: Int) -> [ClickBlock] {
        var random = LinkGenerator.mixed(UInt64(day))
        func next() -> UInt64 {
            random = LinkGenerator.mixed(random)
            return random
        }
        /// Smaller numbers are more frequent.
        func skewed(_ count: Int) -> Int {
            let share = Double(next() >> 11) / Double(1 << 53)
            return Int(share * share * share * Double(count))
        }
        let number = firstDay + day
        let salt = SipHash(key: (0..<16).map { UInt8(truncatingIfNeeded: number &* 7 &+ $0) })
        let second = Int64(number) * Timestamp.secondsOfDay
        var blocks: [ClickBlock] = []
        blocks.reserveCapacity(clicks)
        var blockNumber = Int64(0)
        // A batch is what waits when records are written.
        let batches = 960
        for batch in 0..<batches {
            var waiting = ClickBatch()
            for _ in 0..<clicks / batches {
                waiting.add(
                    Click(
                        link: LinkID(rawValue: Int64(skewed(links)) + 1),
                        time: Timestamp(seconds: second + Int64(batch) * 90 + Int64(next() % 90)),
                        kind: kinds[min(3, Int(next() % 32) / 10)], destination: .web,
                        country: countries[skewed(countries.count)],
                        referrerHost: next() % 4 == 0 ? nil : referrers[skewed(referrers.count)],
                        campaign: next() % 3 == 0 ? campaigns[skewed(campaigns.count)] : nil,
                        subscriber: next() % 20_000_000))
            }
            blocks += waiting.blocks(salts: salt.map { [number: $0] } ?? [:]) {
                blockNumber += 1
                return blockNumber
            }.map(\.block)
        }
        return blocks
    }
}
