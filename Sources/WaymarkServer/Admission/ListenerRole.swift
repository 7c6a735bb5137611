/// What a listening address is for. The handler sees it in `Peer.role` and decides what it answers there.
package enum ListenerRole: String, Sendable, CaseIterable {
    /// Open to everybody.
    case `public`
    /// For operators only.
    case admin
    /// Plain HTTP that is sent to HTTPS.
    case redirect
}
