import Foundation
import Testing
import WaymarkKit

@testable import WaymarkDynamicLinks

@Suite struct ConfigurationTests {
    private static func links(_ dictionary: [String: Any]) -> DynamicLinks {
        DynamicLinks(
            DynamicLinksConfiguration(
                infoDictionary: dictionary, bundleIdentifier: "com.example.shop",
                storage: { MemoryStorage() }))
    }

    private static var complete: [String: Any] {
        [
            "WaymarkService": "https://go.example.com", "WaymarkKey": "wm_app", "WaymarkApp": "shop",
            "CFBundleURLTypes": [["CFBundleURLSchemes": ["shop"]], ["CFBundleURLName": "x"]],
        ]
    }

    @Test func readsInfoPlist() throws {
        let links = Self.links(Self.complete)
        let configuration = links.configuration
        let client = try #require(configuration.client)
        #expect(client.description == "WaymarkClient(https://go.example.com)")
        #expect(client.options.app == "shop")
        #expect(configuration.problem == nil)
        #expect(configuration.urlSchemes == ["shop", "com.example.shop"])
        #expect(links.matchesShortLinkFormat(try url("https://go.example.com/x")))
    }

    @Test func takesTheDomainsThatFirebaseHad() throws {
        var dictionary = Self.complete
        dictionary["FirebaseDynamicLinksCustomDomains"] = ["https://links.example.com/a/", "no URL", "ftp://x"]
        let links = Self.links(dictionary)
        #expect(links.matchesShortLinkFormat(try url("https://links.example.com/a/x")))
        #expect(!links.matchesShortLinkFormat(try url("https://links.example.com/x")))
        #expect(!links.matchesShortLinkFormat(try url("https://go.example.com/x")))
        #expect(links.configuration.client?.domains == ["links.example.com"])
    }

    @Test(arguments: [
        (["WaymarkKey": "wm_app"], "Info.plist has no WaymarkService."),
        (["WaymarkService": "https://go.example.com", "WaymarkKey": ""], "Info.plist has no WaymarkKey."),
        ([:], "Info.plist has no WaymarkService and no WaymarkKey."),
        (["WaymarkService": "http://go.example.com", "WaymarkKey": "k"], "must begin with https"),
    ])
    func saysWhatIsMissing(dictionary: [String: String], problem: String) async throws {
        let links = Self.links(dictionary)
        #expect(links.configuration.problem?.contains(problem) == true)
        do {
            _ = try await links.dynamicLink(fromUniversalLink: try url("https://go.example.com/x"))
            Issue.record("there was no error")
        } catch let error as NSError {
            #expect(error.domain == DynamicLinksErrorDomain)
            #expect(error.code == DynamicLinksErrorCode.notConfigured.rawValue)
            #expect(error.localizedDescription.contains(problem))
        }
        let (text, hasErrors) = links.diagnostics()
        #expect(hasErrors && text.contains(problem))
    }

    @Test func readsURLsWithTheAppsSchemeWithoutAService() throws {
        let links = Self.links([:])
        let link = links.dynamicLink(
            fromCustomSchemeURL: try url(
                "com.example.shop://google/link/?deep_link_id=https%3A%2F%2Fa.example&_hk_cid=c"))
        #expect(link?.url?.absoluteString == "https://a.example")
    }

    @Test func diagnosesWithoutTheKey() {
        let (text, hasErrors) = Self.links(Self.complete).diagnostics()
        #expect(!hasErrors, "\(text)")
        #expect(text.contains("https://go.example.com") && text.contains("shop, com.example.shop"))
        #expect(!text.contains("wm_app"))
        var dictionary = Self.complete
        dictionary["CFBundleURLTypes"] = nil
        dictionary["FirebaseDynamicLinksCustomDomains"] = ["go.example.com"]
        let broken = Self.links(dictionary).diagnostics()
        #expect(broken.hasErrors)
        #expect(broken.text.contains("No link domain is known"))
        #expect(broken.text.contains("CFBundleURLTypes"))
        #expect(broken.text.hasSuffix("\n2 errors were found."))
        dictionary["FirebaseDynamicLinksCustomDomains"] = nil
        #expect(Self.links(dictionary).diagnostics().text.hasSuffix("\n1 error was found."))
    }

    @Test func reportsDomainsThatTheClientLacks() throws {
        let client = try RecordingTransport(.failure(.offline)).client()
        let links = DynamicLinks(
            DynamicLinksConfiguration(
                client: client,
                domainURIPrefixes: [
                    "https://GO.example.com", "https://links.example.com/a", "https://links.example.com/b",
                ],
                urlSchemes: ["shop"], information: BundleInformation([:], bundleIdentifier: nil)))
        let warnings = links.diagnostics().text.split(separator: "\n").filter { $0.hasPrefix("WARNING") }
        #expect(
            warnings == [
                "WARNING: ClientOptions.domains lacks links.example.com, so pending links on it can't be claimed."
            ])
    }

    @Test func doesNotKeepTheKey() throws {
        let links = Self.links(Self.complete)
        #expect(links.configuration.client != nil)
        var text = ""
        dump(links, to: &text)
        dump(links.configuration, to: &text)
        #expect(text.contains("com.example.shop"))
        #expect(!text.contains("wm_app"))
    }

    @Test func `the storage has a folder of its own`() throws {
        let folder = try DynamicLinksConfiguration.storage().folder
        let appsFolder = try FileStorage.applicationSupport().folder
        #expect(folder.lastPathComponent == "WaymarkDynamicLinks")
        #expect(folder.deletingLastPathComponent().path == appsFolder.deletingLastPathComponent().path)
    }
}
