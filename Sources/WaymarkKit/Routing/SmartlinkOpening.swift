/// How opening a link ended.
public enum SmartlinkOpening: Sendable {
    /// Its route was found, and its target has run.
    case opened(Deeplink)
    /// It was not opened: no route matches, a filter held it back, or another link was opened before the service answered.
    /// In the first two cases it is the current deep link unless the dialect drops links without a route.
    case notOpened(Deeplink)
    /// It could not be resolved; the error is the resolver's.
    case failed(any Error)

    /// The deep link that the smart link leads to, with its metadata; nil where it could not be resolved.
    public var deeplink: Deeplink? {
        switch self {
        case .opened(let deeplink), .notOpened(let deeplink): deeplink
        case .failed: nil
        }
    }
}
