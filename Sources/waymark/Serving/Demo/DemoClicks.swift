import WaymarkAPI
import WaymarkBytes
import WaymarkLinks
import WaymarkService
import WaymarkStores

/// Made-up clicks of the last four weeks: the same on the same day. More in the evening and at weekends, and more from week to week.
struct DemoClicks {
    private static let days = 28
    private static let clicksOfADay = 420

    private let now: Timestamp
    private var random: UInt64

    init(now: Timestamp) {
        self.now = now
        random = UInt64(now.seconds / Timestamp.secondsOfDay)
    }

    private mutating func next() -> UInt64 {
        random &+= 0x9E37_79B9_7F4A_7C15
        var bits = random
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// One of the values, by their weights.
    private mutating func choice<Value>(_ values: [(Value, Int)]) -> Value {
        var rest = Int(next() % UInt64(values.reduce(0) { $0 + $1.1 }))
        for (value, weight) in values {
            rest -= weight
            if rest < 0 { return value }
        }
        return values[0].0
    }

    /// Writes applications' links and their clicks.
    func fill(_ store: any LinkStore) async throws(StoreError) {
        var generator = self
        try await generator.write(to: store)
    }

    private mutating func write(to store: any LinkStore) async throws(StoreError) {
        let today = Int(now.seconds / Timestamp.secondsOfDay)
        let first = Timestamp(seconds: Int64(today - Self.days - 3) * Timestamp.secondsOfDay)
        let rows = DemoLinks.links(createdAt: first)
        guard case .done(let outcomes) = try await store.create(rows.map(\.link), idempotency: nil) else { return }
        var links: [(LinkID, Int)] = []
        var campaigns: [LinkID: Click.Name] = [:]
        for (row, outcome) in zip(rows, outcomes) {
            guard case .created(let link) = outcome else { continue }
            links.append((link.id, row.weight))
            campaigns[link.id] = row.link.content.campaign?.name.map { Click.Name($0) }
        }
        guard !links.isEmpty else { return }
        var counts: [LinkID: Int] = [:]
        var number = Int64(0)
        for day in (today - Self.days + 1)...today {
            let clicks = clicks(on: day, links: links, campaigns: campaigns)
            for click in clicks where click.isCounted { counts[click.link, default: 0] += 1 }
            let salt = SipHash(key: (0..<16).map { UInt8(truncatingIfNeeded: day &* 7 &+ $0) })
            let blocks = ClickBatch(clicks).blocks(salts: salt.map { [day: $0] } ?? [:]) {
                number += 1
                return number
            }
            try await store.clickRecords.append(blocks.map(\.block))
        }
        let sorted = counts.map { (id: $0.key, count: $0.value) }.sorted { $0.id.rawValue < $1.id.rawValue }
        let write = WriteID(
            writer: Array(repeating: 0, count: 16), batch: 1,
            expiresAt: now.advanced(byMilliseconds: WriteID.lifetime))
        try await store.addClicks(ClickCounts(rising: sorted[...]), as: write)
    }

    private mutating func clicks(on day: Int, links: [(LinkID, Int)], campaigns: [LinkID: Click.Name]) -> [Click] {
        let start = Int64(day) * Timestamp.secondsOfDay
        // 1970-01-01 was a Thursday.
        let isWeekend = [2, 3].contains(day % 7)
        let week = (day - Int(now.seconds / Timestamp.secondsOfDay) + Self.days) / 7
        let count = Self.clicksOfADay * (isWeekend ? 14 : 10) / 10 * (10 + week) / 10 + Int(next() % 80)
        var clicks: [Click] = []
        for _ in 0..<count {
            let second = start + Int64(choice(Self.hours)) * 3_600 + Int64(next() % 3_600)
            let link = choice(links)
            let kind = choice(Self.visitors)
            let country = choice(Self.countries)
            let referrer = choice(Self.referrers)
            let subscriber = next() % 9_000
            // The rest of today has not come yet.
            guard second < now.seconds else { continue }
            clicks.append(
                Click(
                    link: link, time: Timestamp(seconds: second), kind: UserAgent.classify(kind.userAgent),
                    destination: kind.destination, country: country.flatMap { Self.code($0) },
                    referrerHost: referrer.map { Click.Name($0) }, campaign: campaigns[link],
                    subscriber: subscriber))
        }
        return clicks.sorted { $0.time < $1.time }
    }

    private static func code(_ letters: String) -> CountryCode? {
        let bytes = Array(letters.utf8)
        return bytes.count == 2 ? CountryCode(bytes[0], bytes[1]) : nil
    }

    private static let hours = [2, 1, 1, 1, 1, 2, 4, 7, 8, 8, 9, 10, 12, 11, 10, 10, 11, 13, 16, 18, 19, 16, 10, 5]
        .enumerated().map { ($0.offset, $0.element) }

    private static let countries: [(String?, Int)] = [
        ("DE", 38), ("AT", 12), ("CH", 9), ("FR", 9), ("US", 8), ("GB", 6), ("ES", 5), ("JP", 4), ("IT", 4), (nil, 5),
    ]

    private static let referrers: [(String?, Int)] = [
        (nil, 46), ("instagram.com", 18), ("mail.google.com", 9), ("facebook.com", 8), ("t.co", 6),
        ("google.com", 8), ("news.example.org", 3), ("youtube.com", 2),
    ]

    private static let visitors: [((userAgent: String, destination: Click.Destination), Int)] = [
        ((iPhone, .app), 26), ((iPhone, .store), 10), ((android, .app), 22), ((android, .store), 9), ((mac, .web), 12),
        ((windows, .web), 18), ((bot, .preview), 3),
    ]

    private static let iPhone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1"
    private static let android =
        "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36"
    private static let mac =
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"
    private static let windows =
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"
    private static let bot = "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)"
}
