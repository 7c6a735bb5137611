public import WaymarkAPI

/// A deep link that was opened before the app was installed.
public struct DeferredDeeplink: Sendable, Hashable {
    /// How the service matched the link to this installation.
    public enum Match: Sendable, Hashable {
        /// Google Play passed on the link's install referrer.
        case referrer
        /// The smart link was on the clipboard, where its page had copied it when the user pressed a button.
        case clipboard
        /// A method added by a newer service.
        case other(String)
    }

    /// The link's destination, with its metadata.
    public var answer: ResolveResponse
    /// How it was matched.
    public var match: Match
    /// The click that led to the installation; nil if only the service could read the trace.
    public var clickID: String?

    /// Where the client keeps it; nil if the app made it.
    let kept: KeptReference?

    /// Creates a deferred deep link.
    public init(answer: ResolveResponse, match: Match, clickID: String? = nil) {
        self.init(answer: answer, match: match, clickID: clickID, kept: nil)
    }

    private init(answer: ResolveResponse, match: Match, clickID: String?, kept: KeptReference?) {
        self.answer = answer
        self.match = match
        self.clickID = clickID
        self.kept = kept
    }

    /// Nil if there is no deferred deep link.
    init?(_ claim: ClaimResponse, clickID: String?, kept: KeptReference) {
        guard let method = claim.method else { return nil }
        self.init(answer: claim.resolved, match: Match(method), clickID: clickID, kept: kept)
    }

    init?(_ link: KeptLink, _ kept: KeptReference) {
        guard let answer = link.answer, let match = link.match else { return nil }
        self.init(answer: answer, match: Match(match), clickID: link.clickID, kept: kept)
    }

    public static func == (left: DeferredDeeplink, right: DeferredDeeplink) -> Bool {
        left.answer == right.answer && left.match == right.match && left.clickID == right.clickID
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(answer)
        hasher.combine(match)
        hasher.combine(clickID)
    }

    /// The link's metadata; nil if it has none or its redeem limit is reached.
    public var metadata: DeeplinkMetadata? { answer.metadata.map(DeeplinkMetadata.init(json:)) }
}

extension DeferredDeeplink.Match {
    /// The service's name of the method.
    init(_ name: String) {
        self =
            switch name {
            case "referrer": .referrer
            case "clipboard": .clipboard
            default: .other(name)
            }
    }
}

extension Deeplinking {
    /// Opens the deferred deep link with its metadata and `isDeferred` set. If it leads to a web page or has no URL
    /// for this platform, it is opened as in `open(smartlink:)`.
    ///
    /// - Returns: the outcome, never `failed`. If a filter or the target waits, `opened` before it has ended.
    @discardableResult
    public func open(_ deferred: DeferredDeeplink) -> SmartlinkOpening {
        let opening = opening(of: deferred)
        return perform(opening).isOpenedOrWaiting ? .opened(opening.deeplink) : .notOpened(opening.deeplink)
    }

    func opening(of deferred: DeferredDeeplink, isRecorded: Bool = false) -> Opening {
        opening(
            of: deferred.answer,
            Origin(isDeferred: true, clickID: deferred.clickID, isRecorded: isRecorded, kept: deferred.kept))
    }
}
