import FoundationEssentials
import Testing

@testable import WaymarkLinks

/// The list of browsers inside apps that the service shares with the JavaScript client.
@Suite struct InAppBrowserListTests {
    private struct List: Decodable {
        struct Case: Decodable {
            let userAgent: String
            let device: String
        }
        let tokens: [String: [String]]
        let passesURLs: [String]
        let cases: [Case]
    }

    /// Nil where the clients are not beside the package.
    private static func read() throws -> List? {
        let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()
        guard let data = FileManager.default.contents(atPath: "\(root)/Clients/in-app-browsers.json") else {
            return nil
        }
        return try JSONDecoder().decode(List.self, from: data)
    }

    @Test func `the shared list has the tokens of the service`() throws {
        guard let list = try Self.read() else { return }
        var own: [String: [String]] = [:]
        for line in SystemTokens.lines.split(separator: "\n") {
            guard let colon = line.firstRange(of: ": "),
                let app = VisitorClass.InApp(rawValue: String(line[..<colon.lowerBound]))
            else { continue }
            own[app.rawValue, default: []] += line[colon.upperBound...].split(separator: ", ").map(String.init)
        }
        #expect(own == list.tokens)
        #expect(VisitorClass.InApp.allCases.filter { !$0.swallowsSchemes }.map(\.rawValue) == list.passesURLs)
    }

    @Test func holdsCasesThatTheServiceAnswersAlike() throws {
        guard let list = try Self.read() else { return }
        for example in list.cases {
            let kind = UserAgent.classify(example.userAgent)
            let isPhone = kind.platform.isApple || kind.platform == .android
            let device =
                !isPhone
                ? "other"
                : kind.inApp?.swallowsSchemes == true ? "inApp" : kind.platform == .android ? "android" : "ios"
            #expect(device == example.device, "\(example.userAgent)")
        }
    }
}
