internal import WaymarkJSON

/// Reads the parts of an application's document that association files are generated from, and collects all problems
/// with their paths. After a problem it continues with the rest.
struct AssociationReader {
    private(set) var problems: [AssociationProblem] = []

    mutating func note(_ problem: String, at field: String) {
        guard problems.count < AssociationSource.problemLimit else { return }
        problems.append(AssociationProblem(field: field, problem: problem))
    }

    mutating func note(_ problems: [AssociationProblem]) {
        for problem in problems { note(problem.problem, at: problem.field) }
    }
}

// MARK: - iOS

extension AssociationReader {
    /// - Parameter generated: the rules of entries that have none.
    mutating func apple(_ value: JSONValue?, generated: [AssociationComponent]) -> AppleAppSiteAssociation {
        guard let ios = optionalObject(value, at: "ios") else { return AppleAppSiteAssociation(details: []) }
        let details: [AppLinksEntry]
        if let given = present(ios["details"]) {
            if ["appIDs", "components", "paths"].contains(where: { present(ios[$0]) != nil }) {
                note("must not be given together with appIDs, components or paths, its short form", at: "ios.details")
            }
            details = entries(given, generated: generated)
        } else {
            details = shortEntry(ios, generated: generated).map { [$0] } ?? []
        }
        return AppleAppSiteAssociation(
            details: details,
            webCredentials: appIDs(ios["webCredentials"], at: "ios.webCredentials"),
            appClips: appIDs(ios["appClips"], at: "ios.appClips"))
    }

    private mutating func entries(_ value: JSONValue, generated: [AssociationComponent]) -> [AppLinksEntry] {
        var entries: [AppLinksEntry] = []
        for (location, element) in elements(value, at: "ios.details") {
            guard let object = object(element, at: location) else { continue }
            reportUnknownMembers(of: object, allowed: ["appIDs", "components", "paths"], at: location)
            let appIDs = self.appIDs(object["appIDs"], at: "\(location).appIDs")
            if isAbsentOrEmpty(object["appIDs"]) {
                note("must name at least one app", at: "\(location).appIDs")
            }
            let rules = self.rules(object, at: location, generated: generated)
            entries.append(AppLinksEntry(appIDs: appIDs, rules: rules))
        }
        return entries
    }

    /// Nil if `ios` has no app that opens links; it may still have a scheme, credentials or App Clips.
    private mutating func shortEntry(_ ios: JSONObject, generated: [AssociationComponent]) -> AppLinksEntry? {
        let appIDs = self.appIDs(ios["appIDs"], at: "ios.appIDs")
        let rules = self.rules(ios, at: "ios", generated: generated)
        if isAbsentOrEmpty(ios["appIDs"]) {
            for name in ["components", "paths"] where !isAbsentOrEmpty(ios[name]) {
                note("needs the apps that it is for, in appIDs", at: "ios.\(name)")
            }
            return nil
        }
        return AppLinksEntry(appIDs: appIDs, rules: rules)
    }

    private mutating func rules(
        _ object: JSONObject, at field: String, generated: [AssociationComponent]
    ) -> AppLinksEntry.Rules {
        let components = present(object["components"]).map { self.components($0, at: "\(field).components") }
        let paths = present(object["paths"]).map { self.strings($0, at: "\(field).paths") }
        switch (components, paths) {
        case (let components?, nil):
            return .components(components)
        case (let components?, _?):
            note("must not be given together with components", at: "\(field).paths")
            return .components(components)
        case (nil, let paths?):
            return .paths(paths)
        case (nil, nil):
            return .components(generated)
        }
    }

    private mutating func appIDs(_ value: JSONValue?, at field: String) -> [AppID] {
        guard let value = present(value) else { return [] }
        var appIDs: [AppID] = []
        for (location, element) in elements(value, at: field) {
            guard let text = string(element, at: location) else { continue }
            guard let appID = AppID(text) else {
                note(AppID.shape, at: location)
                continue
            }
            appIDs.append(appID)
        }
        return appIDs.withoutRepetition
    }
}

// MARK: - Components

extension AssociationReader {
    private mutating func components(_ value: JSONValue, at field: String) -> [AssociationComponent] {
        var components: [AssociationComponent] = []
        for (location, element) in elements(value, at: field) {
            guard let object = object(element, at: location) else { continue }
            components.append(component(object, at: location))
        }
        return components
    }

    /// Devices ignore members they don't know, which can make a rule wider than intended. So each member is either
    /// valid or an error, and `null` does not count as absent.
    private mutating func component(_ object: JSONObject, at field: String) -> AssociationComponent {
        reportUnknownMembers(of: object, allowed: AssociationComponent.members, at: field)
        return AssociationComponent(
            path: object["/"].flatMap { string($0, at: "\(field)./") },
            query: object["?"].flatMap { query($0, at: "\(field).?") },
            fragment: object["#"].flatMap { string($0, at: "\(field).#") },
            exclude: object["exclude"].flatMap { bool($0, at: "\(field).exclude") },
            caseSensitive: object["caseSensitive"].flatMap { bool($0, at: "\(field).caseSensitive") },
            percentEncoded: object["percentEncoded"].flatMap { bool($0, at: "\(field).percentEncoded") },
            comment: object["comment"].flatMap { string($0, at: "\(field).comment") })
    }

    private mutating func query(_ value: JSONValue, at field: String) -> AssociationComponent.Query? {
        switch value.kind {
        case .string(let pattern):
            return .text(pattern)
        case .object(let object):
            var items: [AssociationComponent.QueryItem] = []
            for member in object.members {
                guard let pattern = string(member.value, at: location(of: member.name, in: field)) else { continue }
                items.append(AssociationComponent.QueryItem(name: member.name, pattern: pattern))
            }
            return .items(items)
        default:
            note("must be a string or an object of strings, not \(value.noun)", at: field)
            return nil
        }
    }
}

// MARK: - Android

extension AssociationReader {
    /// - Parameter generated: the dynamic rules of apps that have none.
    mutating func assetLinks(_ value: JSONValue?, generated: [AssociationComponent]) -> AssetLinks {
        guard let android = optionalObject(value, at: "android") else { return AssetLinks(apps: []) }
        // A package without fingerprints is only a link destination, which is also valid together with `apps`.
        let package = self.package(android["package"], at: "android.package")
        let fingerprints = self.fingerprints(android["sha256CertFingerprints"], at: "android.sha256CertFingerprints")
        let components = dynamicRules(android["components"], at: "android.components")
        if let given = present(android["apps"]) {
            if ["sha256CertFingerprints", "components"].contains(where: { present(android[$0]) != nil }) {
                note(
                    "must not be given together with sha256CertFingerprints or components, its short form",
                    at: "android.apps")
            }
            return AssetLinks(apps: apps(given, generated: generated))
        }
        if !fingerprints.isEmpty, present(android["package"]) == nil {
            note("needs the app that it is for, in package", at: "android.sha256CertFingerprints")
        }
        if components != nil,
            present(android["package"]) == nil || isAbsentOrEmpty(android["sha256CertFingerprints"])
        {
            note(
                "needs the app that it is for, in package and sha256CertFingerprints", at: "android.components")
        }
        guard let package, !fingerprints.isEmpty else { return AssetLinks(apps: []) }
        return AssetLinks(apps: [
            AssetLinks.App(package: package, fingerprints: fingerprints, components: components ?? generated)
        ])
    }

    private mutating func apps(_ value: JSONValue, generated: [AssociationComponent]) -> [AssetLinks.App] {
        var apps: [AssetLinks.App] = []
        var packagesWithRules: Set<PackageName> = []
        for (location, element) in elements(value, at: "android.apps") {
            guard let object = object(element, at: location) else { continue }
            reportUnknownMembers(
                of: object, allowed: ["package", "sha256CertFingerprints", "components"], at: location)
            let package = self.package(object["package"], at: "\(location).package")
            if present(object["package"]) == nil { note("must be given", at: "\(location).package") }
            let list = object["sha256CertFingerprints"]
            let fingerprints = self.fingerprints(list, at: "\(location).sha256CertFingerprints")
            if isAbsentOrEmpty(list) { note("must hold at least one", at: "\(location).sha256CertFingerprints") }
            let components = dynamicRules(object["components"], at: "\(location).components")
            guard let package else { continue }
            if components != nil, !packagesWithRules.insert(package).inserted {
                note("is given for this package in an earlier entry", at: "\(location).components")
            }
            apps.append(
                AssetLinks.App(package: package, fingerprints: fingerprints, components: components ?? generated))
        }
        return apps
    }

    /// Android drops all rules if one is malformed or empty (Google, Configure website associations), so each of these
    /// is an error here. Nil if absent.
    private mutating func dynamicRules(_ value: JSONValue?, at field: String) -> [AssociationComponent]? {
        guard let value = present(value) else { return nil }
        if value.array?.isEmpty == true {
            note("must hold at least one rule, because Android drops an empty list; leave it out", at: field)
        }
        var rules: [AssociationComponent] = []
        for (location, element) in elements(value, at: field) {
            guard let object = object(element, at: location) else { continue }
            rules.append(dynamicRule(object, at: location))
        }
        return rules
    }

    private mutating func dynamicRule(_ object: JSONObject, at field: String) -> AssociationComponent {
        reportUnknownMembers(of: object, allowed: AssociationComponent.androidMembers, at: field)
        if let comment = object["comment"] { _ = string(comment, at: "\(field).comment") }
        let rule = AssociationComponent(
            path: object["/"].flatMap { pattern($0, at: "\(field)./") },
            query: object["?"].flatMap { queryItems($0, at: "\(field).?") },
            fragment: object["#"].flatMap { pattern($0, at: "\(field).#") },
            exclude: object["exclude"].flatMap { bool($0, at: "\(field).exclude") })
        if ["/", "?", "#"].allSatisfy({ object[$0] == nil }) {
            note("must have a pattern in /, ? or #; \"/\": \"*\" fits every URL", at: field)
        }
        return rule
    }

    private mutating func pattern(_ value: JSONValue, at field: String) -> String? {
        let pattern = string(value, at: field)
        if pattern?.isEmpty == true { note("must not be empty, because Android drops all rules then", at: field) }
        return pattern
    }

    private mutating func queryItems(_ value: JSONValue, at field: String) -> AssociationComponent.Query? {
        guard let object = value.object else {
            note("must be an object of strings on Android, not \(value.noun)", at: field)
            return nil
        }
        if object.isEmpty { note("must not be empty, because Android drops all rules then", at: field) }
        var items: [AssociationComponent.QueryItem] = []
        for member in object.members {
            let location = location(of: member.name, in: field)
            if member.name.isEmpty { note("must have a name, because Android drops all rules then", at: location) }
            guard let pattern = pattern(member.value, at: location) else { continue }
            items.append(AssociationComponent.QueryItem(name: member.name, pattern: pattern))
        }
        return .items(items)
    }

    private mutating func package(_ value: JSONValue?, at field: String) -> PackageName? {
        guard let value = present(value), let text = string(value, at: field) else { return nil }
        guard let package = PackageName(text) else {
            note(PackageName.shape, at: field)
            return nil
        }
        return package
    }

    private mutating func fingerprints(_ value: JSONValue?, at field: String) -> [CertificateFingerprint] {
        guard let value = present(value) else { return [] }
        var fingerprints: [CertificateFingerprint] = []
        for (location, element) in elements(value, at: field) {
            guard let text = string(element, at: location) else { continue }
            guard let fingerprint = CertificateFingerprint(text) else {
                note(CertificateFingerprint.shape, at: location)
                continue
            }
            fingerprints.append(fingerprint)
        }
        return fingerprints.withoutRepetition
    }
}
