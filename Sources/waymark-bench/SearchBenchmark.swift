import ArgumentParser
import WaymarkBytes
import WaymarkLinks
import WaymarkSQLite
import WaymarkStores

#if PostgreSQL
    import WaymarkPostgres
#endif

/// Searches by words in a database with many titled links, beside pages without a search.
struct SearchBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Search a database with many titled links.",
        discussion: "Fills the database first, as far as it is not filled, and indexes it.")

    @OptionGroup var options: LinksBenchmark.Options
    @Option(name: .long, help: "A file, or postgres://…") var database: String
    @Option(name: .long, help: "How many links it has.") var links: Int
    @Option(name: .long, help: "Searches of each kind.") var searches = 250

    mutating func run() async throws {
        let store = try open()
        try await LinksBenchmark.addApplication(to: store)
        try await fill(store)
        try await index(store)
        var random = UInt64(11)
        func next(_ count: Int) -> Int {
            random = LinkGenerator.mixed(random)
            return Int(random % UInt64(count))
        }
        let generator = options.generator
        let links = links
        let plain = try await measure("plain", store) {
            LinkListing(limit: 50, after: LinkPosition(LinkID(rawValue: Int64(next(links) + 1))))
        }
        let kinds: [(String, () -> String)] = [
            ("common-prefix", { String(TitleGenerator.word(next(100)).prefix(2 + next(2))) }),
            ("rare-word", { generator.slug(next(links)) }),
            ("two-common-words", { "\(TitleGenerator.word(next(50))) \(TitleGenerator.word(next(50)))" }),
            ("no-hit", { "\(TitleGenerator.word(next(50))) zz\(next(1_000_000))" }),
        ]
        var all: [Duration] = []
        for (name, text) in kinds {
            all += try await measure(name, store) { LinkListing(LinkFilter(search: SearchWords(text()))) }
        }
        all.sort()
        let p99 = all[all.count * 99 / 100]
        print(
            "search-p50-us \(all[all.count / 2].microseconds) search-p99-us \(p99.microseconds) search-max-us \(all[all.count - 1].microseconds)"
        )
        let ratio = all[all.count / 2].seconds / max(1e-9, plain[plain.count / 2].seconds)
        let worst = p99.seconds / max(1e-9, plain[plain.count * 99 / 100].seconds)
        print("search-to-plain-p50 \(Int(ratio * 100))% search-to-plain-p99 \(Int(worst * 100))%")
        await store.close()
    }

    private func open() throws -> any LinkStore {
        #if PostgreSQL
            if database.hasPrefix("postgres") { return try PostgresLinkStore(url: database) }
        #endif
        return try SQLiteLinkStore(path: database)
    }

    private func measure(
        _ name: String, _ store: any LinkStore, _ listing: () -> LinkListing
    ) async throws -> [Duration] {
        var times: [Duration] = []
        var found = 0
        var cut = 0
        for _ in 0..<searches {
            let listing = listing()
            let begun = ContinuousClock.now
            let page = try await store.list(listing)
            times.append(begun.duration(to: .now))
            found += page.links.count
            if page.next != nil, page.links.count < listing.limit { cut += 1 }
        }
        times.sort()
        print(
            "\(name)-p50-us \(times[times.count / 2].microseconds) \(name)-p99-us \(times[times.count * 99 / 100].microseconds) links \(found / searches) cut \(cut)"
        )
        return times
    }

    private func fill(_ store: any LinkStore) async throws {
        let generator = options.generator
        var number =
            try await store.list(LinkListing(limit: 1)).links.first.map { link in
                Int((link.createdAt.rawValue - LinkGenerator.start) / 1_000) + 1
            } ?? 0
        let first = number
        let begun = ContinuousClock.now
        while number < links {
            let end = min(links, number + 2_000)
            let drafts = (number..<end).compactMap { number -> NewLink? in
                var draft = generator.link(number)
                draft?.content.title = TitleGenerator.title(number)
                return draft
            }
            _ = try await store.create(drafts, idempotency: nil)
            number = end
            if number % 500_000 == 0 { print("\(number) links") }
        }
        print("filled \(number - first) links in \(begun.duration(to: .now).milliseconds) ms")
    }

    private func index(_ store: any LinkStore) async throws {
        let begun = ContinuousClock.now
        var steps = 0
        while try await store.updateIndexes(all: true) { steps += 1 }
        print("indexed in \(steps) steps and \(begun.duration(to: .now).milliseconds) ms")
    }
}

/// Titles of four words of 5,000, of which the first ones are frequent.
enum TitleGenerator {
    static func title(_ number: Int) -> String {
        var random = UInt64(truncatingIfNeeded: number) &* 0xD1B5_4A32_D192_ED03
        return (0..<4).map { _ in
            random = LinkGenerator.mixed(random)
            // Half as likely from one power of two to the next.
            let range = 1 << Int(random % 13)
            random = LinkGenerator.mixed(random)
            return word(min(4_999, range + Int(random % UInt64(range))))
        }.joined(separator: " ")
    }

    static func word(_ number: Int) -> String {
        let syllables = [
            "ba", "le", "mi", "no", "ru", "sta", "ke", "pri", "do", "va", "su", "fe", "gli", "ho", "ja", "tu",
        ]
        var rest = number + 17
        var word = ""
        while rest > 0 {
            word += syllables[rest % syllables.count]
            rest /= syllables.count
        }
        return word
    }
}
