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

    /// Creates a deferred deep link.
    public init(answer: ResolveResponse, match: Match, clickID: String? = nil) {
        self.answer = answer
        self.match = match
        self.clickID = clickID
    }

    /// Nil if there is no deferred deep link.
    init?(_ claim: ClaimResponse, clickID: String?) {
        guard let method = claim.method else { return nil }
        let match: Match =
            switch method {
            case "referrer": .referrer
            case "clipboard": .clipboard
            default: .other(method)
            }
        self.init(answer: claim.resolved, match: match, clickID: clickID)
    }

    /// The link's metadata; nil if it has none or its redeem limit is reached.
    public var metadata: DeeplinkMetadata? { answer.metadata.map(DeeplinkMetadata.init(json:)) }
}

extension Deeplinking {
    /// Opens the deferred deep link with its metadata and `isDeferred` set. If it leads to a web page or has no URL
    /// for this platform, it is opened as in `open(smartlink:)`.
    ///
    /// - Returns: the outcome, never `failed`.
    @discardableResult
    public func open(_ deferred: DeferredDeeplink) -> SmartlinkOpening {
        result(of: opening(of: deferred))
    }

    func opening(of deferred: DeferredDeeplink) -> Opening {
        opening(
            of: url(of: deferred.answer), Origin(isDeferred: true, clickID: deferred.clickID),
            metadata: deferred.metadata, update: deferred.answer.update)
    }
}
