import Foundation
import Testing

@testable import WaymarkKit
@testable import WaymarkKitCompatibility

/// What fuzzing begins with, and what it has found, stays right.
@MainActor
@Suite struct FuzzCorpusTests {
    private nonisolated static func inputs(_ folder: String) -> [[UInt8]] {
        let corpus = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fuzz/Corpus/\(folder)")
        let files = (try? FileManager.default.contentsOfDirectory(at: corpus, includingPropertiesForKeys: nil)) ?? []
        return files.sorted { $0.path < $1.path }.compactMap { try? Array(Data(contentsOf: $0)) }
    }

    @Test(arguments: inputs("DeepLinkURL"))
    func cutsURLs(input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        let url = DeepLinkURL(text)
        let again = DeepLinkURL(
            scheme: url.scheme, authority: url.authority, path: url.path, query: url.query, fragment: url.fragment)
        #expect(again.text.utf8.elementsEqual(text.utf8))
        #expect(url.separatingServiceParameters().url.separatingServiceParameters().service == ServiceParameters())
    }

    @Test(arguments: inputs("Configuration"))
    func readsConfigurations(input: [UInt8]) {
        do {
            let configuration = try MobileDeepLinkingConfiguration(json: input)
            for route in configuration.routes { _ = configuration.match("x://" + route.pattern) }
        } catch {
            #expect((1...100).contains(error.problems.count))
        }
    }

    @Test(arguments: inputs("Routes"), [RoutingDialect.standard, .ios, .android])
    func findsTheFirstRouteByPriority(input: [UInt8], dialect: RoutingDialect) {
        let lines = String(decoding: input, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let deeplinking = Deeplinking(dialect: dialect)
        for format in lines.dropFirst() where !RouteFormat(String(format)).text.isEmpty {
            try? deeplinking.map(String(format)) { _ in }
        }
        let first = deeplinking.mappedRoutes.first { format in
            var table = RouteTable<Void>(dialect: dialect)
            _ = table.map(RouteFormat(format), to: ())
            return table.match(DeepLinkURL(String(lines[0]))) != nil
        }
        #expect(deeplinking.open(String(lines[0])) == (first != nil))
        #expect(deeplinking.currentDeeplink?.route == first)
    }
}
