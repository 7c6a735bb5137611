import WaymarkLinks

/// Where a link leads on one device according to its source.
enum ExpectedAnswer: Sendable, Equatable {
    /// A redirect.
    case web(String)
    /// The app is opened: by a page on Apple's devices, by an `intent:` URL on Android. Without a fallback, any one is
    /// accepted.
    case app(link: String, package: String?, fallback: String?)
    /// The source does not say: any answer is accepted that is not an error.
    case any

    /// For the report.
    var text: String {
        switch self {
        case .web(let url): url
        case .app(let link, _, let fallback): fallback.map { "\(link) (else \($0))" } ?? link
        case .any: ""
        }
    }
}

extension ForeignLink {
    /// All answers that are right on the device while the link is active: several if rules choose between them.
    func expected(on device: VisitDevice) -> [ExpectedAnswer] {
        if !firebase.isEmpty { return [firebaseAnswer(on: device, firebase)] }
        if let parameters = draft.firebase {
            let values = Dictionary(parameters.entries.map { ($0.name, $0.value) }) { first, _ in first }
            return [firebaseAnswer(on: device, values)]
        }
        if branch != nil { return [.any] }
        var answers = [answer(on: device, urls: draft.urls)]
        for rule in draft.rules {
            if let url = rule.url { answers.append(Self.answer(URLEntryDraft(link: url))) }
            if let urls = rule.urls { answers.append(answer(on: device, urls: urls)) }
        }
        return answers
    }

    /// Why the link must not lead to its destination; nil if it must.
    func inactivity(at now: Timestamp) -> String? {
        if hasPassword { return "the link has a password" }
        if draft.disabled == true { return "the link is disabled" }
        if let end = draft.expiresAt.flatMap({ Timestamp(rfc3339: $0) }), end <= now { return "the link has expired" }
        if let start = draft.validFrom.flatMap({ Timestamp(rfc3339: $0) }), start > now {
            return "the link is not valid yet"
        }
        return nil
    }

    private func answer(on device: VisitDevice, urls: [String: URLEntryDraft]) -> ExpectedAnswer {
        for platform in device.lookupOrder {
            if let entry = urls[platform], !entry.link.isEmpty {
                // A variable is filled in from the template's parameters, which the source does not have.
                guard draft.route == nil, draft.routeParameters.isEmpty else { return .any }
                return Self.answer(entry)
            }
        }
        return .any
    }

    private static func answer(_ entry: URLEntryDraft) -> ExpectedAnswer {
        guard !isWeb(entry.link) else { return .web(entry.link) }
        return .app(link: entry.link, package: nil, fallback: entry.fallback.flatMap { isWeb($0) ? $0 : nil })
    }

    static func isWeb(_ url: String) -> Bool {
        let start = url.prefix(8).lowercased()
        return start.hasPrefix("https://") || start.hasPrefix("http://")
    }

    private func firebaseAnswer(on device: VisitDevice, _ values: [FirebaseParameter: String]) -> ExpectedAnswer {
        func value(_ name: FirebaseParameter) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }
        guard let link = value(.link) else { return .any }
        switch device {
        case .desktop: return .web(value(.ofl) ?? link)
        case .android:
            guard let package = value(.apn) else { return .web(link) }
            let store = "https://play.google.com/store/apps/details?id=\(package)"
            return .app(link: value(.al) ?? link, package: package, fallback: value(.afl) ?? store)
        case .iphone, .ipad:
            let isPad = device == .ipad && (value(.ipbi) != nil || value(.ipfl) != nil)
            guard (isPad ? value(.ipbi) : nil) ?? value(.ibi) != nil else { return .web(link) }
            let page = (isPad ? value(.ipfl) : nil) ?? value(.ifl)
            let store = value(.isi).map { "https://apps.apple.com/app/id\($0)" }
            let fallback = page ?? store ?? link
            let isImmediate = ["1", "true"].contains(value(.efr)?.lowercased() ?? "")
            return isImmediate ? .web(fallback) : .app(link: link, package: nil, fallback: fallback)
        }
    }
}
