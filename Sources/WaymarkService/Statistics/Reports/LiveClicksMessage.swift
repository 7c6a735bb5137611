import WaymarkLinks
import WaymarkStores

/// What servers of one database send each other while somebody watches clicks: which applications are watched, and what each
/// server counted in a second.
enum LiveClicksMessage {
    /// An application, or all of them.
    struct Subject: Hashable {
        /// Nil: all.
        let application: ApplicationID?

        init(_ application: ApplicationID?) { self.application = application }

        /// More of one watcher than this would leave no room for others'.
        private static let limit = 8

        static func all(in reach: ApplicationReach) -> [Subject] {
            guard let applications = reach.applications, applications.count <= limit else { return [Subject(nil)] }
            return applications.map { Subject($0) }
        }

        var reach: ApplicationReach { application.map { .one($0) } ?? .all }
    }

    case watch([Subject])
    case counts([(LinkID, ClickCount)])

    private static let watchName = "clicks-watch"
    private static let countName = "clicks-counted"

    static func watch(_ subjects: some Sequence<Subject>) -> String {
        subjects.reduce(into: watchName) { $0 += " " + ($1.application?.text ?? "*") }
    }

    /// As many messages as are needed.
    static func counts(_ counts: [LinkID: ClickCount]) -> [String] {
        var messages: [String] = []
        var message = countName
        for (id, count) in counts {
            let line = "\n\(id.rawValue) \(count.people) \(count.bots)"
            if message.utf8.count + line.utf8.count > StoreChange.longestMessage {
                messages.append(message)
                message = countName
            }
            message += line
        }
        if message != countName { messages.append(message) }
        return messages
    }

    /// Nil for a message about something else.
    init?(_ text: String) {
        let lines = text.split(separator: "\n")
        let words = lines.first?.split(separator: " ") ?? []
        switch words.first.map(String.init) {
        case Self.watchName:
            self = .watch(
                words.dropFirst().compactMap { word in
                    word == "*" ? Subject(nil) : ApplicationID(String(word)).map { Subject($0) }
                })
        case Self.countName:
            self = .counts(
                lines.dropFirst().compactMap { line in
                    let numbers = line.split(separator: " ").compactMap { Int64($0) }
                    guard numbers.count == 3, let people = Int(exactly: numbers[1]),
                        let bots = Int(exactly: numbers[2]),
                        (0..<1 << 40).contains(people), (0..<1 << 40).contains(bots)
                    else { return nil }
                    return (LinkID(rawValue: numbers[0]), ClickCount(people: people, bots: bots))
                })
        default: return nil
        }
    }
}
