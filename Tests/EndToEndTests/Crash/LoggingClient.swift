#if PostgreSQL
    import Foundation
    import Synchronization
    import WaymarkJSON

    /// One client: does this and that on a connection to one server or the other, and notes what it was answered.
    final class LoggingClient {
        /// What the clients share: whose links there are.
        final class Board: Sendable {
            struct Links: Sendable {
                /// Made by somebody; for everyone to read.
                var written: [String] = []
                var redeemable: String?
                var clickable: String?
                var limits: [String: Int] = [:]
            }
            let links = Mutex(Links())
        }

        private let number: Int
        private let fleet: Fleet
        private let board: Board
        private var random: SplitMix
        private var location: Int
        private var connection: Connection?
        private(set) var events: [History.Event] = []
        /// Its own links that are there for certain, with their last value.
        private var own: [(slug: String, value: Int)] = []
        private var made = 0

        init(_ number: Int, fleet: Fleet, board: Board, seed: UInt64) {
            self.number = number
            self.fleet = fleet
            self.board = board
            random = SplitMix(state: seed &+ UInt64(number) &* 0x9E37_79B9)
            location = number % fleet.count
        }

        func work(until isOver: () -> Bool) {
            while !isOver() {
                step()
                // People do not ask without a pause, and the machine has others.
                Thread.sleep(forTimeInterval: 0.002)
            }
        }

        private func step() {
            if random.below(20) == 0 { turnTo(random.below(fleet.count)) }
            switch random.below(100) {
            case ..<10: create()
            case ..<25: patch()
            case ..<28: delete()
            case ..<45: redeem()
            case ..<50: click()
            case ..<65: read()
            default: visit()
            }
        }

        // MARK: Changes

        private func create() {
            made += 1
            let slug = "c\(number)-\(made)"
            let ending = change(slug, .create(Self.body(slug, 0)), 201) { .write(0, $0) }
            board.links.withLock { $0.written.append(slug) }
            // Of a link that may be there or not, nothing more is written.
            if ending == .acknowledged { own.append((slug, 0)) }
        }

        private func patch() {
            guard !own.isEmpty else { return create() }
            let location = random.below(own.count)
            own[location].value += 1
            let (slug, value) = own[location]
            _ = change(
                slug, .api("PATCH", "/links/\(Shop.host)/\(slug)", #"{"urls": {"web": "\#(Self.url(slug, value))"}}"#),
                200
            ) { .write(value, $0) }
        }

        private func delete() {
            guard own.count > 4 else { return create() }
            let slug = own.remove(at: random.below(own.count)).slug
            _ = change(slug, .api("DELETE", "/links/\(Shop.host)/\(slug)"), 204) { .delete($0) }
        }

        private func change(
            _ slug: String, _ request: Request, _ success: Int, _ action: (History.Ending) -> History.Action
        ) -> History.Ending {
            let start = fleet.now
            let status = exchange(request)?.status
            // Whatever is answered but success may come after a commit whose answer got lost.
            let ending: History.Ending = status == success ? .acknowledged : .unknown
            note(start, slug, action(ending))
            // Only links that are there for certain are changed.
            if status == 404 { note(start, slug, .read(nil)) }
            return ending
        }

        private static func url(_ slug: String, _ value: Int) -> String { "https://shop.example.com/\(slug)/\(value)" }

        private static func body(_ slug: String, _ value: Int, more: String = "") -> String {
            #"{"slug": "\#(slug)", "urls": {"web": "\#(url(slug, value))"}\#(more)}"#
        }

        // MARK: Limits

        /// One redeem of the link that everybody redeems, tried with its key until it is answered.
        private func redeem() {
            guard let slug = limited(\.redeemable, "r", #", "metadata": {"coupon": "20"}, "redeemLimit": "#) else {
                return
            }
            let key = "k\(number)-\(random.next())"
            for _ in 0..<200 {
                let start = fleet.now
                let answer = exchange(
                    .resolve(#"{"smartlink": "https://\#(Shop.host)/\#(slug)"}"#, idempotencyKey: key))
                let outcome: History.Redeem
                if answer?.status == 200, let answer {
                    outcome =
                        answer.json["redeem"]?["used"]?.integer.flatMap { number in
                            answer.json["metadata"] == ["coupon": "20"] ? .taken(number: number) : nil
                        } ?? .exhausted
                } else if answer?.status == 404 {
                    note(start, slug, .read(nil))
                    return revoke(slug, \.redeemable)
                } else {
                    outcome = .unknown
                }
                note(start, slug, .redeem(key: key, outcome))
                if outcome == .exhausted { revoke(slug, \.redeemable) }
                if outcome != .unknown { return }
                Thread.sleep(forTimeInterval: 0.02)
            }
        }

        private func click() {
            guard let slug = limited(\.clickable, "m", #", "maxClicks": "#) else { return }
            let start = fleet.now
            guard let answer = exchange(.get("/\(slug)", userAgent: Browser.desktop)) else { return }
            if answer.status == 302 { note(start, slug, .click(wasAdmitted: true)) }
            if answer.status == 404 { note(start, slug, .visit(nil)) }
            if answer.status == 410 || answer.status == 404 { revoke(slug, \.clickable) }
        }

        /// The link with a limit that is in use now; nil where this client has just made it.
        private func limited(
            _ current: any WritableKeyPath<Board.Links, String?> & Sendable, _ prefix: String, _ limitField: String
        ) -> String? {
            if let slug = board.links.withLock({ $0[keyPath: current] }) { return slug }
            made += 1
            let slug = "\(prefix)\(number)-\(made)"
            let limit = 20 + random.below(60)
            let request = Request.create(Self.body(slug, 0, more: limitField + "\(limit)"))
            guard change(slug, request, 201, { .write(0, $0) }) == .acknowledged else { return nil }
            board.links.withLock { links in
                links.limits[slug] = limit
                links[keyPath: current] = slug
            }
            return nil
        }

        private func revoke(_ slug: String, _ current: any WritableKeyPath<Board.Links, String?> & Sendable) {
            board.links.withLock { links in
                if links[keyPath: current] == slug { links[keyPath: current] = nil }
            }
        }

        // MARK: Looks

        private func visit() {
            guard let slug = someSlug() else { return }
            let start = fleet.now
            guard let answer = exchange(.get("/\(slug)", userAgent: Browser.desktop)) else { return }
            switch answer.status {
            case 302: note(start, slug, .visit(Self.value(answer["Location"]) ?? -1))
            case 404: note(start, slug, .visit(nil))
            default: break
            }
        }

        private func read() {
            guard let slug = someSlug() else { return }
            look(at: slug)
        }

        /// What the interface says of a link.
        func look(at slug: String) {
            let start = fleet.now
            guard let answer = exchange(.api("GET", "/links/\(Shop.host)/\(slug)")) else { return }
            switch answer.status {
            case 200: note(start, slug, .read(Self.value(answer.json["urls"]?["web"]?.string) ?? -1))
            case 404: note(start, slug, .read(nil))
            default: break
            }
        }

        /// What the store has counted in the end.
        func total(of slug: String) {
            let start = fleet.now
            guard let answer = exchange(.api("GET", "/links/\(Shop.host)/\(slug)")) else { return }
            // Where there is no such link, no redeem of it is there either.
            note(start, slug, .total(redeemed: answer.json["redeem"]?["used"]?.integer ?? -1))
        }

        private func someSlug() -> String? {
            board.links.withLock { links in
                // Mostly those that are new: they are in caches, and change.
                let count = links.written.count
                guard count > 0 else { return nil }
                return links.written[max(0, count - 1 - random.below(random.below(2) == 0 ? 12 : count))]
            }
        }

        /// The number at the end.
        private static func value(_ url: String?) -> Int? {
            url?.split(separator: "/").last.flatMap { Int($0) }
        }

        // MARK: The wire

        private func note(_ start: Double, _ slug: String, _ action: History.Action) {
            events.append(History.Event(start: start, end: fleet.now, link: slug, action: action))
        }

        private func turnTo(_ other: Int) {
            if other != location { connection = nil }
            location = other
        }

        /// nil where no answer came.
        private func exchange(_ request: Request) -> Answer? {
            do {
                if connection == nil {
                    guard let port = fleet.port(of: location) else { throw Connection.Failure.refused }
                    connection = try Connection(port: port)
                }
                let answer = try connection?.exchange(request)
                if answer?.status == 503 { Thread.sleep(forTimeInterval: 0.01) }
                return answer
            } catch {
                connection = nil
                turnTo((location + 1) % fleet.count)
                Thread.sleep(forTimeInterval: 0.01)
                return nil
            }
        }
    }

    /// SplitMix64 (Steele, Lea and Flood, 2014): the same steps for the same seed.
    struct SplitMix {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return word ^ (word >> 31)
        }

        mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }
    }
#endif
