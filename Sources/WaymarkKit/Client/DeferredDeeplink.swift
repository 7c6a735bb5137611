public import WaymarkAPI

/// The deep link that waited for the app's installation.
public struct DeferredDeeplink: Sendable, Hashable {
    /// How the service knows that the link belongs to this installation.
    public enum Match: Sendable, Hashable {
        /// Google Play handed on what the link had told it.
        case referrer
        /// The smart link stood on the clipboard, where its page had put it when a button was pressed.
        case clipboard
        /// A way that a newer service has.
        case other(String)
    }

    /// Where the app is to go, with the metadata.
    public var answer: ResolveResponse
    /// How it was matched.
    public var match: Match
    /// The click that led to the installation; nil where the trace of it could be read by the service only.
    public var clickID: String?

    /// A link as given.
    public init(answer: ResolveResponse, match: Match, clickID: String? = nil) {
        self.answer = answer
        self.match = match
        self.clickID = clickID
    }

    /// Nil where nothing waited.
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

    /// What only the app may know; nil where there is none, and where it is used up.
    public var metadata: DeeplinkMetadata? { answer.metadata.map(DeeplinkMetadata.init(json:)) }
}

extension Deeplinking {
    /// Opens the deep link that waited for the installation, with its metadata and `isDeferred` set; as `open(smartlink:)`
    /// does where it leads to a web page or has no URL for this platform.
    ///
    /// - Returns: how it ended, never `failed`.
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
