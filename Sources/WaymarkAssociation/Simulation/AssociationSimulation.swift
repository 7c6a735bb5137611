import WaymarkBytes
internal import WaymarkJSON

/// Simulation from the text of a file: detects its kind and whether systems read it at all.
package enum AssociationSimulation {
    package enum Platform: String, Sendable, CaseIterable {
        case ios, android
    }

    package enum Outcome: Sendable, Equatable {
        case answer(SimulationResult)
        /// No result; one sentence on one line, without a full stop.
        case unusable(String)
    }

    /// - Parameters:
    ///   - file: the bytes of the file as served; at most `AssociationLint.sizeLimit`.
    ///   - app: the only installed app: an app identifier, or a package name on Android; nil if all apps of the file
    ///     are installed.
    ///   - platform: nil to detect it: Apple's file is an object, Android's an array.
    ///   - domains: the entries of the app's entitlement; not checked if empty.
    ///   - context: how the user gets to the URL; nil if unspecified: then the warnings list the possibilities.
    package static func simulate(
        file: [UInt8], url text: String, app: String? = nil, platform: Platform? = nil, domains: [String] = [],
        context: NavigationContext? = nil
    ) -> Outcome {
        simulate(
            file: file, url: text, app: app, platform: platform, domains: domains, context: context,
            budget: WorkBudget())
    }

    /// - Parameter budget: the budget of the whole request.
    static func simulate(
        file: [UInt8], url text: String, app: String? = nil, platform: Platform? = nil, domains: [String] = [],
        context: NavigationContext? = nil, budget: WorkBudget
    ) -> Outcome {
        if let problem = AssociationURL.problem(of: text) { return .unusable("\(quoted(text)) \(problem)") }
        guard let url = AssociationURL(text) else { return .unusable("\(quoted(text)) must be an absolute URL") }
        guard file.count <= AssociationLint.sizeLimit else {
            return .unusable(AssociationLint.tooLarge(file.count))
        }
        let reading = AssociationText(file, budget)
        guard let document = reading.document else {
            return .unusable(reading.faults.first.map { "not JSON: \($0.sentence)" } ?? "not JSON")
        }
        let root = document.root
        guard root.object != nil || root.array != nil else { return .unusable("the file is \(root.noun)") }
        let platform = platform ?? (root.array == nil ? .ios : .android)
        var answer: SimulationResult
        switch platform {
        case .ios:
            guard file.count <= AppleAppSiteAssociation.sizeLimit else {
                answer = SimulationResult()
                answer.warnings = [
                    "The file has \(file.count) bytes; Apple's systems take \(AppleAppSiteAssociation.sizeLimit)."
                ]
                return .answer(answer)
            }
            guard root.object != nil else {
                return .unusable("the file is an array, which is Android's assetlinks.json; Apple's is an object")
            }
            let document = AppleDocument(root, budget: budget)
            answer = AppleSimulation(document, url: url, app: app, budget: budget).answer()
        case .android:
            guard root.array != nil else {
                return .unusable("the file is an object, which is Apple's; Android's assetlinks.json is an array")
            }
            let document = AndroidDocument(root, budget: budget)
            answer = AndroidSimulation(document, url: url, app: app, budget: budget).answer()
        }
        guard !answer.isUndecided else { return .answer(answer) }
        if document.hasRepeatedMembers {
            answer.documented = false
            answer.warnings.insert("Not documented: \(Ambiguity.repeatedMember.sentence).", at: 0)
        }
        if reading.hasByteOrderMark {
            answer.warnings.append("The file begins with a byte order mark, which JSON has no place for (RFC 8259).")
        }
        if platform == .ios {
            apply(domains, to: url, &answer)
            apply(context, &answer)
        }
        if answer.opens, context == nil { answer.warnings += NavigationContext.warnings(platform) }
        return .answer(answer)
    }

    /// An app only gets links of the hosts in its entitlement.
    private static func apply(_ domains: [String], to url: AssociationURL, _ answer: inout SimulationResult) {
        guard !domains.isEmpty else { return }
        guard let entry = AssociatedDomain.entry(for: url, among: domains) else {
            answer.close(
                because: "No entry of the app's entitlement fits \(url.host)\(url.port.map { ":\($0)" } ?? "").")
            return
        }
        answer.warnings.append("\(entry.text) decides: the file of \(entry.fileHost) is the one that counts.")
    }

    private static func apply(_ context: NavigationContext?, _ answer: inout SimulationResult) {
        guard let context, answer.opens else { return }
        switch context.opensApp {
        case true?: break
        case false?: answer.close(because: "The file opens it, but not for \(context.action).")
        case nil:
            answer.documented = false
            answer.warnings.append("Not documented: \(context.action) may or may not hand the link to the app.")
        }
    }
}

extension SimulationResult {
    fileprivate mutating func close(because reason: String) {
        guard opens else { return }
        (opens, appID) = (false, nil)
        warnings.append(reason)
    }
}

/// An entry for links in an app's Associated Domains entitlement: `applinks:example.com`, `applinks:*.example.com`,
/// with an optional `?mode=…`.
package struct AssociatedDomain: Hashable, Sendable {
    package let text: String
    /// The host whose file is fetched; the parent domain for a wildcard. In lower case.
    package let fileHost: String
    package let isWildcard: Bool

    /// Nil for entries that systems ignore: another service, a port, a path, or no host.
    package init?(_ text: String) {
        let prefix = "applinks:"
        guard text.hasPrefix(prefix) else { return nil }
        let parts = text.dropFirst(prefix.count).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let host = parts.first else { return nil }
        if parts.count > 1, !["mode=developer", "mode=managed", "mode=developer+managed"].contains(parts[1]) {
            return nil
        }
        let isWildcard = host.hasPrefix("*.")
        let name = isWildcard ? host.dropFirst(2) : host
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard
            labels.allSatisfy({ label in
                !label.isEmpty
                    && label.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 >= 0x80 }
            })
        else { return nil }
        self.text = text
        self.isWildcard = isWildcard
        fileHost = name.lowercased()
    }

    private func covers(_ host: String) -> Bool {
        isWildcard ? host.hasSuffix("." + fileHost) : host == fileHost
    }

    /// The entry used by the system: an exact one before a wildcard, then the longest. Nil if none matches, and for
    /// all URLs with a port, which entries can't contain.
    package static func entry(for url: AssociationURL, among texts: [String]) -> AssociatedDomain? {
        guard url.isWeb, url.port == nil else { return nil }
        let fitting = texts.compactMap { AssociatedDomain($0) }.filter { $0.covers(url.host) }
        return fitting.first { !$0.isWildcard } ?? fitting.max { $0.fileHost.utf8.count < $1.fileHost.utf8.count }
    }
}
