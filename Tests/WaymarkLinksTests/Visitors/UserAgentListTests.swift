import FoundationEssentials
import Testing

@testable import WaymarkLinks

/// Public lists of User-Agents, where they are at hand beside the package.
@Suite struct UserAgentListTests {
    private static let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()

    private struct Systems: Decodable {
        struct Case: Decodable {
            let userAgent: String
            let os: String
        }
        let cases: [Case]
    }

    private struct Crawlers: Decodable {
        struct Crawler: Decodable {
            let tags: [String]?
            let instances: [String]
        }
        let crawlers: [Crawler]
    }

    private static func read<List: Decodable>(_ name: String, _: List.Type) throws -> List? {
        guard let data = FileManager.default.contents(atPath: "\(root)/../shared/data/\(name)") else { return nil }
        return try JSONDecoder().decode(List.self, from: data)
    }

    /// The texts that the exceptions name.
    private static let exceptions: [Substring] = {
        guard let data = FileManager.default.contents(atPath: "\(root)/Tests/UserAgents/exceptions.tsv") else {
            return []
        }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: "\t").last }
    }()

    private static func isException(_ userAgent: String) -> Bool {
        exceptions.contains { userAgent.firstRange(of: $0) != nil }
    }

    @Test func tellsTheSystemsOfTheList() throws {
        guard let list = try Self.read("user-agents-os.json", Systems.self) else { return }
        let platforms: [String: Set<Platform>] = [
            "iOS": [.iphone, .ipad, .ios], "Android": [.android], "Windows": [.windows], "Mac OS X": [.macos],
            "Linux": [.linux],
        ]
        for (system, allowed) in platforms {
            let cases = list.cases.filter { $0.os == system }
            #expect(!cases.isEmpty)
            let wrong = cases.filter { !allowed.contains(UserAgent.classify($0.userAgent).platform) }
            #expect(wrong.count * 100 <= cases.count, "\(system): \(wrong.map(\.userAgent))")
        }
    }

    @Test func tellsTheCrawlersOfTheList() throws {
        guard let list = try Self.read("crawlers.json", Crawlers.self) else { return }
        var (count, missed) = (0, [String]())
        for crawler in list.crawlers {
            for userAgent in crawler.instances {
                let bot = UserAgent.classify(userAgent).bot
                if crawler.tags?.contains("social-preview") == true {
                    #expect(bot == .preview || Self.isException(userAgent), "\(userAgent)")
                } else {
                    count += 1
                    if bot == nil { missed.append(userAgent) }
                }
            }
        }
        #expect(missed.count * 50 <= count)
        for userAgent in missed { #expect(Self.isException(userAgent), "\(userAgent)") }
    }

    /// Whoever has a browser's engine on one of the five systems, and is no crawler by the list, is a person.
    @Test func takesNoBrowserOfTheListForAProgram() throws {
        guard let list = try Self.read("user-agents-os.json", Systems.self),
            let crawlers = try Self.read("crawlers.json", Crawlers.self)
        else { return }
        let known = Set(crawlers.crawlers.flatMap(\.instances))
        let programs = [
            "Googlebot", "AspiegelBot", "Google-InspectionTool", "Datanyze", "Google Web Preview", "YottaaMonitor",
        ]
        for example in list.cases where example.userAgent.hasPrefix("Mozilla/") && !known.contains(example.userAgent) {
            if programs.contains(where: { example.userAgent.firstRange(of: $0) != nil }) { continue }
            #expect(UserAgent.classify(example.userAgent).bot == nil, "\(example.userAgent)")
        }
    }
}
