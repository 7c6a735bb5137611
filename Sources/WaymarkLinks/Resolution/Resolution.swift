/// How a visit is answered: a case for every kind of response, with the values needed to render it.
///
/// Created by one pure function, `Link.resolve`, and converted to a response in one place.
package enum Resolution: Sendable, Equatable {
    /// A redirect to an http(s), store or `intent:` URL.
    case redirect(Destination)
    /// The page with a button that opens the app; nothing opens automatically.
    case openApp(AppOpening)
    /// The page with a QR code for a phone, where the link leads nowhere on the visitor's own device.
    case scan(Scan)
    /// The social card for link-preview crawlers.
    case preview(SocialCard, url: String)
    /// An iPad may identify as a Mac: a page distinguishes them.
    case distinguishMac(mac: Resolution.OnDevice, ipad: Resolution.OnDevice)
    /// The form that asks for the link's password.
    case locked
    /// The application has changed since and has no destination for this visitor: a page, 404.
    case nowhere
    case disabled
    case expired
    case exhausted
    case scheduled

    /// The response for one of the two devices that the page distinguishes.
    package enum OnDevice: Sendable, Equatable {
        case redirect(Destination)
        case openApp(AppOpening)
        case scan(Scan)
    }

    /// A complete URL and its source.
    package struct Destination: Sendable, Equatable {
        package enum Kind: Sendable { case web, store, intent }
        /// Absolute and encoded; safe as a header value.
        package var url: String
        package var kind: Kind
        package var source: DestinationSource

        package init(url: String, kind: Kind, source: DestinationSource) {
            self.url = url
            self.kind = kind
            self.source = source
        }
    }

    /// The contents of the page with a QR code.
    package struct Scan: Sendable, Equatable {
        /// In the code: the smart link as opened.
        package var smartlink: String
        /// The app's pages in the stores.
        package var stores: [Destination]

        package init(smartlink: String, stores: [Destination]) {
            self.smartlink = smartlink
            self.stores = stores
        }
    }

    /// The contents of the page that opens the app.
    package struct AppOpening: Sendable, Equatable {
        /// The button's URL: the same slug on `openHost`, or the custom scheme's URL.
        package var open: String
        /// Always visible: the store or web page.
        package var fallback: Destination
        /// The text that a button copies to the clipboard for the app's first launch, if the fallback is a store: the
        /// smart link as opened, with the click ID.
        package var handover: String?
        /// Set in an in-app browser, which may block the button's URL: the smart link itself, to open in a browser
        /// instead.
        package var elsewhere: String?
        /// Whether the visitor most likely has no app: a universal link would have opened it, and the button's custom
        /// scheme shows an error then.
        package var isAppMissing: Bool

        package init(
            open: String, fallback: Destination, handover: String? = nil, elsewhere: String? = nil,
            isAppMissing: Bool = false
        ) {
            self.open = open
            self.fallback = fallback
            self.handover = handover
            self.elsewhere = elsewhere
            self.isAppMissing = isAppMissing
        }
    }
}

/// The resolution of a visit, and all destinations considered.
package struct Decision: Sendable, Equatable {
    package var resolution: Resolution
    /// The rule that decided; nil if none did, or if an iPad and a Mac get theirs by different ones.
    package var rule: AppliedRule?
    package var candidates: [Candidate]
}

/// A possible source of a destination.
package struct Candidate: Sendable, Equatable {
    /// `link.urls.iphone`, `template product, ios`…
    package var source: String
    /// Nil if it has none.
    package var url: String?
    package var taken: Bool
    package var why: String
}

/// Records how a decision is made. The decision is generic over it, so that there is no overhead if only the outcome
/// is needed: with `NoTrace`, all calls are optimised away, with `RuleTrace` nearly all.
protocol DecisionTrace {
    init()
    mutating func note(
        _ source: DestinationSource, url: @autoclosure () -> String?, taken: Bool, why: @autoclosure () -> String)
    /// Adds the notes of another decision about the same visit, with `label` before each source.
    mutating func take(_ other: Self, label: StaticString)
}

struct NoTrace: DecisionTrace {
    @inline(__always)
    mutating func note(
        _ source: DestinationSource, url: @autoclosure () -> String?, taken: Bool, why: @autoclosure () -> String
    ) {}

    @inline(__always)
    mutating func take(_ other: NoTrace, label: StaticString) {}
}

/// The rule that decided.
struct RuleTrace: DecisionTrace {
    var rule: AppliedRule?

    @inline(__always)
    mutating func note(
        _ source: DestinationSource, url: @autoclosure () -> String?, taken: Bool, why: @autoclosure () -> String
    ) {
        guard taken else { return }
        switch source {
        case .linkRule(let index): rule = .link(index)
        case .applicationRule(let index): rule = .application(index)
        default: break
        }
    }

    mutating func take(_ other: RuleTrace, label: StaticString) {
        if rule != other.rule { rule = nil }
    }
}

struct CandidateTrace: DecisionTrace {
    var candidates: [Candidate] = []
    var rule = RuleTrace()

    mutating func note(
        _ source: DestinationSource, url: @autoclosure () -> String?, taken: Bool, why: @autoclosure () -> String
    ) {
        candidates.append(Candidate(source: source.text, url: url(), taken: taken, why: why()))
        rule.note(source, url: nil, taken: taken, why: "")
    }

    mutating func take(_ other: CandidateTrace, label: StaticString) {
        rule.take(other.rule, label: label)
        for var candidate in other.candidates {
            candidate.source = "\(label): \(candidate.source)"
            candidates.append(candidate)
        }
    }
}
