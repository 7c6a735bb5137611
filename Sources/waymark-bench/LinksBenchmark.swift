import ArgumentParser
import Foundation
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

/// Databases with many links: filled, asked, added to, visited. Scripts/benchmark-links puts these together.
struct LinksBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "links", abstract: "Fill and measure databases with many links.",
        subcommands: [Fill.self, LookUp.self, Create.self, Visit.self, SearchBenchmark.self])

    struct Options: ParsableArguments {
        @Option(name: .long, help: "Another number gives other links.")
        var seed: UInt64 = 1

        var generator: LinkGenerator { LinkGenerator(seed: seed) }
    }

    struct Fill: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Bring a database to so many links; goes on where an earlier fill ended.")

        @OptionGroup var options: Options
        @Option(name: .long, help: "The file.") var database: String
        @Option(name: .long, help: "Links in the end.") var links: Int

        mutating func run() async throws {
            let store = try SQLiteLinkStore(path: database)
            try await LinksBenchmark.addApplication(to: store)
            let generator = options.generator
            var number =
                try await store.list(LinkListing(limit: 1)).links.first.map { link in
                    // What the newest one says of its own number.
                    Int((link.createdAt.rawValue - LinkGenerator.start) / 1_000) + 1
                } ?? 0
            let first = number
            let begun = ContinuousClock.now
            while number < links {
                let end = min(links, number + 2_000)
                _ = try await store.create((number..<end).compactMap { generator.link($0) }, idempotency: nil)
                number = end
                if number % 500_000 == 0 { print("\(number) links") }
            }
            let seconds = begun.duration(to: .now).seconds
            print("filled \(number - first) links in \(Int(seconds)) s")
            await store.close()
        }
    }

    struct LookUp: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lookup",
            abstract: "Ask for links at random: each once while nothing is in memory, then a few again and again.")

        @OptionGroup var options: Options
        @Option(name: .long, help: "The file.") var database: String
        @Option(name: .long, help: "How many links it has.") var links: Int
        @Option(name: .long, help: "Look-ups of each kind.") var lookups = 20_000

        mutating func run() async throws {
            let size = try FileManager.default.attributesOfItem(atPath: database)[.size] as? Int ?? 0
            print("bytes-per-link \(size / max(1, links))")
            PageCache.drop(database)
            let opening = ContinuousClock.now
            let store = try SQLiteLinkStore(path: database)
            try await store.ping()
            print("open-ms \(opening.duration(to: .now).milliseconds)")
            let generator = options.generator
            var random = UInt64(7)
            func measure(_ name: String, among count: Int) async throws {
                var times: [Duration] = []
                times.reserveCapacity(lookups)
                for _ in 0..<lookups {
                    random = LinkGenerator.mixed(random)
                    let number = Int(random % UInt64(count))
                    guard let host = HostName(LinkGenerator.host), let slug = Slug(generator.slug(number)) else {
                        return
                    }
                    let begun = ContinuousClock.now
                    let link = try await store.link(host, slug)
                    times.append(begun.duration(to: .now))
                    guard link != nil else {
                        throw BenchmarkSite.Failure(description: "link \(number) is missing")
                    }
                }
                times.sort()
                print(
                    "\(name)-p50-us \(times[times.count / 2].microseconds) \(name)-p99-us \(times[times.count * 99 / 100].microseconds)"
                )
            }
            try await measure("cold", among: links)
            try await measure("random", among: links)
            try await measure("warm", among: min(links, 1_000))
            print("lookup-rss-mib \(ProcessMemory.residentMebibytes)")
            await store.close()
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add links to a small database and to a large one, through the store and with bare SQLite.",
            discussion: "64 clients at once, each waiting for its link; bare SQLite commits 64 links at a time.")

        @OptionGroup var options: Options
        @Option(name: .long, help: "The small file.") var small: String
        @Option(name: .long, help: "The large file.") var large: String
        @Option(name: .long, help: "Links in each round.") var links = 20_000
        @Option(name: .long, help: "Rounds; their median counts.") var rounds = 5

        mutating func run() async throws {
            var rates: [String: [Double]] = [:]
            var next = 1_000_000_000
            for _ in 0..<rounds {
                // One kind after the other, so that whatever else the machine does meets all of them.
                for (name, path) in [("small", small), ("large", large)] {
                    rates["\(name)-bare", default: []].append(try bare(path, from: next))
                    next += links
                    rates["\(name)-store", default: []].append(try await stored(path, from: next))
                    next += links
                }
            }
            var median: [String: Double] = [:]
            for (name, values) in rates.sorted(by: { $0.key < $1.key }) {
                median[name] = values.sorted()[values.count / 2]
                print("\(name) \(Int(median[name] ?? 0)) links/s")
            }
            let store = (median["large-store"] ?? 0) / max(1, median["small-store"] ?? 1)
            let bare = (median["large-bare"] ?? 0) / max(1, median["small-bare"] ?? 1)
            print(String(format: "store-ratio %.3f bare-ratio %.3f share %.3f", store, bare, store / bare))
        }

        private func stored(_ path: String, from first: Int) async throws -> Double {
            let store = try SQLiteLinkStore(path: path)
            try await LinksBenchmark.addApplication(to: store)
            let drafts = (first..<first + links).compactMap { options.generator.link($0) }
            let begun = ContinuousClock.now
            // As a server does every second.
            let indexing = Task {
                while !Task.isCancelled {
                    while try await store.updateIndexes(all: false), !Task.isCancelled {}
                    try await Task.sleep(for: .seconds(1))
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in 0..<64 {
                    group.addTask {
                        for index in stride(from: client, to: drafts.count, by: 64) {
                            _ = try await store.create([drafts[index]], idempotency: nil)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let seconds = begun.duration(to: .now).seconds
            indexing.cancel()
            await store.close()
            return Double(links) / seconds
        }

        private func bare(_ path: String, from first: Int) throws -> Double {
            let drafts = (first..<first + links).compactMap { options.generator.link($0) }
            let database = try BareDatabase(path)
            let begun = ContinuousClock.now
            for start in stride(from: 0, to: drafts.count, by: 64) {
                try database.add(drafts[start..<min(drafts.count, start + 64)])
            }
            return Double(links) / begun.duration(to: .now).seconds
        }
    }

    struct Visit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Visit links of a running server at random, and say what memory its process takes.")

        @OptionGroup var options: Options
        @Option(name: .long, help: "The server's port.") var port: UInt16
        @Option(name: .long, help: "Its process.") var process: Int32
        @Option(name: .long, help: "How many links it has.") var links: Int
        @Option(name: .long, help: "Visits.") var visits = 300_000

        mutating func run() async throws {
            let client = try Client(port: port)
            let generator = options.generator
            var random = UInt64(99)
            print("before-rss-mib \(ProcessMemory.residentMebibytes(of: process))")
            let begun = ContinuousClock.now
            for _ in 0..<visits / 32 {
                var requests: [UInt8] = []
                for _ in 0..<32 {
                    random = LinkGenerator.mixed(random)
                    let slug = generator.slug(Int(random % UInt64(links)))
                    requests += Array(
                        "GET /\(slug) HTTP/1.1\r\nHost: \(LinkGenerator.host)\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\n\r\n"
                            .utf8)
                }
                try client.exchange(requests, answers: 32, status: 302)
            }
            print("visits-per-second \(Int(Double(visits) / begun.duration(to: .now).seconds))")
            print("after-rss-mib \(ProcessMemory.residentMebibytes(of: process))")
        }
    }

    static func addApplication(to store: any LinkStore) async throws {
        guard let id = ApplicationID(LinkGenerator.application), let host = HostName(LinkGenerator.host) else { return }
        let document = """
            {"id": "shop", "name": "Shop", "domains": ["\(LinkGenerator.host)"], "web": {"baseURL": "https://shop.example.com"},
             "templates": [{"name": "product", "route": "products/:product_id",
                            "urls": {"web": "https://shop.example.com/products/:product_id"}}]}
            """
        let known = try await store.applications().contains { $0.id == id }
        guard !known else { return }
        let application = StoredApplication(id: id, domains: [host], document: Array(document.utf8))
        _ = try await store.put(application, expecting: nil) { _ in true }
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
    var milliseconds: Int { Int(seconds * 1e3) }
    var microseconds: Int { Int(seconds * 1e6) }
    var nanoseconds: Int { Int(seconds * 1e9) }
}
