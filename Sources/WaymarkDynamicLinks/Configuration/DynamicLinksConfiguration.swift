import Foundation
package import WaymarkKit

/// The settings of `DynamicLinks`.
package struct DynamicLinksConfiguration: Sendable {
    /// Nil if the settings are missing or not valid; `problem` says why.
    let client: WaymarkClient?
    /// A sentence for developers, which says what to do.
    let problem: String?
    let domains: LinkDomains
    /// In lower case. Never empty.
    let urlSchemes: [String]
    let information: BundleInformation

    /// The scheme of URLs that `resolveShortLink` returns.
    var scheme: String { urlSchemes[0] }

    /// - Parameter client: the app's own client.
    package init(
        client: WaymarkClient, domainURIPrefixes: [String]? = nil, urlSchemes: [String]? = nil,
        information: BundleInformation
    ) {
        self.init(
            client, problem: nil, domains: domainURIPrefixes ?? information.customDomains, urlSchemes: urlSchemes,
            information)
    }

    /// Reads everything from Info.plist. The key goes to the client only, so that no description has it.
    ///
    /// - Parameter storage: persistent storage of the client.
    package init(
        infoDictionary: [String: Any], bundleIdentifier: String?,
        storage: () throws -> any ClientStorage = { try Self.storage() }
    ) {
        let information = BundleInformation(infoDictionary, bundleIdentifier: bundleIdentifier)
        let key = BundleInformation.text("WaymarkKey", in: infoDictionary)
        let made = Result { try Self.client(information, key: key, storage) }
        let problem: String? =
            switch made {
            case .success: nil
            case .failure(let error as MissingSetting): error.description
            case .failure(let error): "WaymarkDynamicLinks can't use its settings in Info.plist: \(error)."
            }
        self.init(
            try? made.get(), problem: problem, domains: information.customDomains, urlSchemes: nil, information)
    }

    private init(
        _ client: WaymarkClient?, problem: String?, domains: [String]?, urlSchemes: [String]?,
        _ information: BundleInformation
    ) {
        self.client = client
        self.problem = problem
        self.information = information
        self.domains = LinkDomains(domains ?? client?.domains.sorted().map { "https://" + $0 } ?? [])
        let schemes = (urlSchemes ?? information.urlSchemes) + [information.bundleIdentifier].compactMap { $0 }
        self.urlSchemes = schemes.isEmpty ? [Self.fallbackScheme] : schemes.map { $0.lowercased() }
    }

    /// The folder `WaymarkDynamicLinks` in the user's application support folder: not that of
    /// `FileStorage.applicationSupport()`, which a client of the app's own may use.
    static func storage() throws -> FileStorage {
        let support = try FileStorage.applicationSupport().folder.deletingLastPathComponent()
        return FileStorage(folder: support.appendingPathComponent("WaymarkDynamicLinks", isDirectory: true))
    }

    /// For programs that aren't bundles, such as tests.
    private static let fallbackScheme = "waymark"

    private static func client(
        _ information: BundleInformation, key: String?, _ storage: () throws -> any ClientStorage
    ) throws -> WaymarkClient {
        guard let service = information.service, let key else {
            throw MissingSetting(
                names: [("WaymarkService", information.service), ("WaymarkKey", key)].compactMap {
                    $0.1 == nil ? $0.0 : nil
                })
        }
        let domains = information.customDomains.map { LinkDomains($0).hosts } ?? []
        return try WaymarkClient(
            service: service, key: key, options: ClientOptions(app: information.app, domains: domains),
            storage: storage())
    }
}

/// Keys that Info.plist lacks.
private struct MissingSetting: Error, CustomStringConvertible {
    let names: [String]

    var description: String {
        "WaymarkDynamicLinks is not configured: Info.plist has no \(names.joined(separator: " and no ")). Add it, or call DynamicLinks.configure(client:) before links are handled."
    }
}

/// The values in Info.plist that `DynamicLinks` reads, but for the key, which must not appear in dumps.
package struct BundleInformation: Sendable {
    let service: String?
    let app: String?
    /// Nil without `FirebaseDynamicLinksCustomDomains`.
    let customDomains: [String]?
    let urlSchemes: [String]
    let bundleIdentifier: String?

    init(_ bundle: Bundle) {
        self.init(bundle.infoDictionary ?? [:], bundleIdentifier: bundle.bundleIdentifier)
    }

    package init(_ dictionary: [String: Any], bundleIdentifier: String?) {
        service = Self.text("WaymarkService", in: dictionary)
        app = Self.text("WaymarkApp", in: dictionary)
        customDomains = dictionary["FirebaseDynamicLinksCustomDomains"] as? [String]
        let types = dictionary["CFBundleURLTypes"] as? [[String: Any]] ?? []
        urlSchemes = types.flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }
        self.bundleIdentifier = bundleIdentifier
    }

    /// Nil also for an empty text: a build setting that is not set leaves one.
    static func text(_ name: String, in dictionary: [String: Any]) -> String? {
        (dictionary[name] as? String).flatMap { $0.isEmpty ? nil : $0 }
    }
}
