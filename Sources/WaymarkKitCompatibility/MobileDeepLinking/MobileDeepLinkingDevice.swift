/// The kinds of device that a configuration can name storyboards for.
public enum MobileDeepLinkingDevice: Sendable, Hashable {
    /// iPhones, and everything else that is no iPad.
    case iPhone
    /// iPads.
    case iPad
}
