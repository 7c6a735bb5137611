import Foundation
import WaymarkJSON

/// What a receiver of webhooks was sent.
struct ToldEvents: Sendable {
    struct Message: Sendable {
        var id: String
        var body: String
        var type: String
        var slug: String?
        /// The number at the end of the link's URL.
        var value: Int?
        var redeemed: Int?
    }

    var messages: [Message] = []

    /// - Parameter requests: Heads and bodies.
    init(requests: [String]) {
        for request in requests {
            guard let end = request.range(of: "\r\n\r\n") else { continue }
            let fields = request[..<end.lowerBound].split(separator: "\r\n").map {
                $0.split(separator: ": ", maxSplits: 1)
            }
            let id = fields.first { $0.first == "webhook-id" }?.last.map(String.init)
            let body = String(request[end.upperBound...])
            guard let id, let json = try? JSONValue(parsing: Array(body.utf8)), let type = json["type"]?.string else {
                continue
            }
            let link = json["data"]?["link"]
            messages.append(
                Message(
                    id: id, body: body, type: type, slug: link?["slug"]?.string,
                    value: link?["urls"]?["web"]?.string?.split(separator: "/").last.flatMap { Int($0) },
                    redeemed: link?["redeem"]?["used"]?.integer))
        }
    }

    init(messages: [Message]) { self.messages = messages }
}

extension HistoryChecker {
    /// A sentence for each acknowledged change that was not told, each told one that was not made, and each id of two
    /// events.
    func violations(in history: History, told: ToldEvents) -> [String] {
        var found: [String] = []
        var bodies: [String: String] = [:]
        var ids: [String: String] = [:]
        for message in told.messages {
            if let other = bodies.updateValue(message.body, forKey: message.id), other != message.body {
                found.append("\(message.id) was sent with two bodies")
            }
            if let other = ids.updateValue(message.id, forKey: message.body), other != message.id {
                found.append("\(message.slug ?? message.type) was sent as \(other) and as \(message.id)")
            }
        }
        let messages = Dictionary(grouping: told.messages) { $0.slug ?? "" }
        for (link, events) in Dictionary(grouping: history.events, by: \.link) {
            found += contents(of: link, events, messages[link] ?? [])
            found += redeems(of: link, events, messages[link] ?? [])
        }
        return found
    }

    private func contents(
        of link: String, _ events: [History.Event], _ messages: [ToldEvents.Message]
    ) -> [String] {
        var found: [String] = []
        let written = Set(messages.filter { ["link.created", "link.updated"].contains($0.type) }.compactMap(\.value))
        let isDeletionTold = messages.contains { $0.type == "link.deleted" }
        var tried: Set<Int> = []
        var isDeletionTried = false
        for event in events {
            switch event.action {
            case .write(let value, let ending):
                tried.insert(value)
                if ending == .acknowledged, !written.contains(value) {
                    found.append("\(link): value \(value) was not told")
                }
            case .delete(let ending):
                isDeletionTried = true
                if ending == .acknowledged, !isDeletionTold { found.append("\(link): its deletion was not told") }
            default: break
            }
        }
        for value in written.subtracting(tried) {
            found.append("\(link): value \(value) was told, and nobody wrote it")
        }
        // What was read last is the last value that was committed, unless the link is gone.
        let last = events.filter { if case .read = $0.action { true } else { false } }.max { $0.end < $1.end }
        if case .read(let value?) = last?.action, let told = written.max(), told > value {
            found.append("\(link): value \(told) was told, and \(value) is there")
        }
        if isDeletionTold, !isDeletionTried { found.append("\(link): a deletion was told that nobody wanted") }
        if isDeletionTold, case .read(.some) = last?.action {
            found.append("\(link): its deletion was told, and it is there")
        }
        return found
    }

    private func redeems(
        of link: String, _ events: [History.Event], _ messages: [ToldEvents.Message]
    ) -> [String] {
        let told = messages.filter { $0.type == "link.redeemed" }.compactMap(\.redeemed)
        var found: [String] = []
        for case .redeem(let key, .taken(let number)) in events.map(\.action) where !told.contains(number) {
            found.append("\(link): redeem \(number) of \(key) was not told")
        }
        for case .total(let redeemed) in events.map(\.action) where Set(told) != Set(1..<max(1, redeemed + 1)) {
            found.append("\(link): redeems \(Set(told).sorted()) were told, and \(redeemed) were taken")
        }
        return found
    }
}
