internal import WaymarkJSON

/// Whether an association file names the apps of an application. Files that the service generates do; those that an operator
/// wrote, or that another service has stored, may not.
package enum AssociationIdentities {
    package enum Difference: Sendable, Equatable {
        /// The bundle identifier is there, with another team.
        case team(String)
        /// The package is there, with other certificates only.
        case fingerprint(String)
        /// No app of the application is there.
        case missing(String)

        /// One sentence without a full stop.
        package var sentence: String {
            switch self {
            case .team(let text), .fingerprint(let text), .missing(let text): text
            }
        }
    }

    /// Nil if the file names at least one of the apps rightly, if the application has none of this kind, or if the file can't be
    /// read.
    package static func difference(
        of file: [UInt8], _ kind: AssociationKind, from source: AssociationSource
    ) -> Difference? {
        guard file.count <= AssociationLint.sizeLimit, let root = try? JSONValue(parsing: file) else { return nil }
        return switch kind {
        case .apple: apple(root, source.apple.details.flatMap(\.appIDs))
        case .assetLinks: android(certificates(in: root), source.assetLinks.apps, file: kind.rawValue)
        }
    }

    /// - Parameter answer: of Google's Digital Asset Links API, `statements:list`.
    package static func difference(ofStatements answer: [UInt8], from source: AssociationSource) -> Difference? {
        guard answer.count <= AssociationLint.sizeLimit, let root = try? JSONValue(parsing: answer),
            // Google could not read the file, and does not know.
            root["errorCode"] == nil
        else { return nil }
        var found: [String: Set<String>] = [:]
        for statement in root["statements"]?.array ?? []
        where statement["relation"]?.string == AndroidDocument.linkRelation {
            guard let app = statement["target"]?["androidApp"], let package = app["packageName"]?.string,
                let text = app["certificate"]?["sha256Fingerprint"]?.string
            else { continue }
            found[package, default: []].insert(text.uppercased())
        }
        return android(found, source.assetLinks.apps, file: "what Google has of \(AssociationKind.assetLinks.rawValue)")
    }

    private static func apple(_ root: JSONValue, _ apps: [AppID]) -> Difference? {
        guard !apps.isEmpty else { return nil }
        let found = AppleDocument(root, budget: WorkBudget()).entries.flatMap(\.appIDs)
        guard !apps.contains(where: { found.contains($0.text) }) else { return nil }
        for app in apps {
            guard let other = found.first(where: { $0.drop { $0 != "." }.dropFirst() == app.bundleID })
            else { continue }
            return .team("the file names \(shortened(other)), the application \(app.text)")
        }
        return .missing("the file does not name \(apps[0].text)")
    }

    private static func certificates(in root: JSONValue) -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        for statement in root.array ?? [] {
            guard let target = statement["target"], let package = target["package_name"]?.string,
                (statement["relation"]?.array ?? []).contains(where: { $0.string == AndroidDocument.linkRelation })
            else { continue }
            let texts = (target["sha256_cert_fingerprints"]?.array ?? []).compactMap(\.string)
            // Android compares capitals.
            found[package, default: []].formUnion(texts)
        }
        return found
    }

    private static func android(
        _ found: [String: Set<String>], _ apps: [AssetLinks.App], file: String
    ) -> Difference? {
        guard let first = apps.first else { return nil }
        let known = apps.filter { found[$0.package.text] != nil }
        guard let named = known.first else { return .missing("\(file) does not name \(first.package.text)") }
        let isRight = known.contains { app in
            app.fingerprints.contains { found[app.package.text]?.contains($0.text) == true }
        }
        return isRight
            ? nil
            : .fingerprint("\(file) lacks the application's certificate fingerprints for \(named.package.text)")
    }
}
