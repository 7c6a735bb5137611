#if PostgreSQL
    internal import WaymarkStores
    internal import WaymarkLinks

    /// The payload of NOTIFY: lines of text, first the format and the sending store, then one line for each change, or a
    /// message.
    enum ChangeNotice {
        /// Distinguishes a store's own notices from those of others.
        struct Origin: Hashable, Sendable {
            fileprivate let text: String
            init() { text = String(UInt64.random(in: .min ... .max), radix: 36) }
        }

        /// PostgreSQL's limit is below 8,000 bytes.
        static let longest = 7_900

        /// The channel of messages between servers, which are no changes. Nobody has to receive one.
        static let messageChannel = "waymark_messages"

        static func message(_ text: String, from origin: Origin) -> String { "message \(origin.text)\n\(text)" }

        static func payloads(of changes: [StoreChange], from origin: Origin) -> [String] {
            var payloads: [String] = []
            var payload = ""
            var seen: Set<StoreChange> = []
            for change in changes where seen.insert(change).inserted {
                let line = "\n" + line(for: change)
                if payload.isEmpty || payload.utf8.count + line.utf8.count > longest {
                    if !payload.isEmpty { payloads.append(payload) }
                    payload = "1 " + origin.text
                }
                payload += line
            }
            if !payload.isEmpty { payloads.append(payload) }
            return payloads
        }

        /// The changes of another store; empty if the sender is this one. An unreadable text, for example of a later
        /// version, means that everything may have changed.
        static func changes(in payload: String, unless own: Origin) -> [StoreChange] {
            if payload.hasPrefix("message ") {
                guard let end = payload.firstIndex(of: "\n"),
                    payload[..<end].dropFirst("message ".count) != own.text
                else { return [] }
                return [.message(String(payload[payload.index(after: end)...]))]
            }
            let lines = payload.split(separator: "\n", omittingEmptySubsequences: false)
            guard let first = lines.first, first.hasPrefix("1 ") else { return [.everything] }
            if first.dropFirst(2) == own.text { return [] }
            let changes = lines.dropFirst().map { change(in: $0) }
            return changes.contains(.everything) ? [.everything] : changes
        }

        private static func line(for change: StoreChange) -> String {
            switch change {
            case .link(let id, let domain, let slug): "L \(id.rawValue) \(domain.text) \(slug.text)"
            case .applications: "A"
            case .keys: "K"
            case .documents: "D"
            case .everything, .interrupted, .message: "E"
            }
        }

        private static func change(in line: Substring) -> StoreChange {
            let words = line.split(separator: " ")
            switch words.first {
            case "L" where words.count == 4:
                guard let id = Int64(words[1]), let domain = HostName(String(words[2])),
                    let slug = Slug(String(words[3]))
                else { return .everything }
                return .link(LinkID(rawValue: id), domain, slug)
            case "A": return .applications
            case "K": return .keys
            case "D": return .documents
            default: return .everything
            }
        }
    }
#endif
