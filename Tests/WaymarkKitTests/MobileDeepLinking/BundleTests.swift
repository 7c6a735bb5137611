import Foundation
import Testing
import WaymarkKit
import WaymarkKitCompatibility

/// The names of the library for iOS, and the configuration in the app's bundle.
@MainActor
@Suite struct BundleTests {
    /// As the library's own example: a storyboard that stands twice, a key that nothing reads, strings for flags.
    private static let example = """
        {
          "logging": "false",
          "version": 2,
          "defaultRoute": {
            "storyboard": {"iPhone": "Main"},
            "storyboard": "Main",
            "identifier": "Home"
          },
          "routes": {
            "sale/:saleId": {"class": "SaleViewController", "handlers": ["mark", "read"]},
            "data": {"class": "DataViewController", "routeParameters": {"q": {"required": true}}}
          }
        }
        """

    private func bundle(with text: String?, named name: String = "MobileDeepLinkingConfig") throws -> Bundle {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try text.map { try Data($0.utf8).write(to: folder.appendingPathComponent(name + ".json")) }
        return try #require(Bundle(path: folder.path))
    }

    @Test(arguments: ["MobileDeepLinkingConfig", "MobileDeepLinking"])
    func readsTheExampleOfTheLibraryInABundle(name: String) throws {
        let bundle = try bundle(with: Self.example, named: name)
        defer { try? FileManager.default.removeItem(at: bundle.bundleURL) }
        let routing = MobileDeepLinking(bundle: bundle)
        #expect(routing.configurationError == nil)
        let configuration = routing.configuration
        #expect(configuration.routes.count == 2)
        #expect(configuration.defaultRoute?.storyboard?.iPhone == "Main")
        #expect(configuration.warnings.map { "\($0.line):\($0.column) \($0.path)" } == ["6:5 storyboard"])
        // The library for iOS compared `required` with a string.
        #expect(routing.route("shop://data").destination == .route("data"))
        #expect(throws: MobileDeepLinkingConfigurationError.self) {
            try MobileDeepLinkingConfiguration(bundle: bundle)
        }
    }

    @Test(arguments: [
        (MobileDeepLinkingConfiguration.RepeatedMembers.first, "A", "the first counts"),
        (.last, "B", "the last counts"),
    ])
    func countsOneOfRepeatedMembers(
        which: MobileDeepLinkingConfiguration.RepeatedMembers, className: String, words: String
    ) throws {
        let json = Array(#"{"defaultRoute": {"class": "A", "class": "B"}, "routes": {"/x": {}}}"#.utf8)
        let configuration = try MobileDeepLinkingConfiguration(json: json, repeatedMembers: which)
        #expect(configuration.defaultRoute?.className == className)
        #expect(configuration.warnings.count == 2)
        #expect(configuration.warnings.first?.problem == "stands twice in one object; \(words)")
        #expect(throws: MobileDeepLinkingConfigurationError.self) { try MobileDeepLinkingConfiguration(json: json) }
    }

    @Test(arguments: [nil, "{"])
    func `a bad configuration gives no route and the reason`(text: String?) throws {
        let bundle = try bundle(with: text)
        defer { try? FileManager.default.removeItem(at: bundle.bundleURL) }
        let routing = MobileDeepLinking(bundle: bundle)
        #expect(routing.configurationError?.problems.count == 1)
        #expect(routing.route("shop://sale/3").destination == .none)
        routing.routeUsingUrl(nil)
    }

    @Test func passesHandlersADictionaryThatTheyMayChange() throws {
        final class Order {}
        let order = Order()
        let bundle = try bundle(with: Self.example)
        defer { try? FileManager.default.removeItem(at: bundle.bundleURL) }
        let routing = MobileDeepLinking(bundle: bundle)
        var read: [String] = []
        routing.registerHandlerWithName("mark") { params in
            params["handlerName"] = "mark"
            params["order"] = order
            params.removeObject(forKey: "none")
        }
        routing.registerHandlerWithName("read") { (params: NSDictionary) in
            read = params.allKeys.compactMap { $0 as? String }.sorted()
        }
        let outcome = routing.route("shop://sale/3")
        #expect(read == ["handlerName", "order", "saleId"])
        #expect(outcome.parameters["saleId"] as? String == "3")
        #expect(outcome.parameters["handlerName"] as? String == "mark")
        #expect(outcome.parameters["order"] as? Order === order)
        #expect(outcome.view == .code(className: "SaleViewController"))
    }

    @Test func `the library has one shared instance`() {
        #expect(MobileDeepLinking.sharedInstance() === MobileDeepLinking.sharedInstance())
        // The tests' bundle has no configuration.
        #expect(MobileDeepLinking.sharedInstance().configurationError != nil)
    }
}
