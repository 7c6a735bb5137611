/// How the events of the app stand.
public struct EventCounts: Sendable, Hashable {
    /// Not yet confirmed by the service.
    public var waiting: Int
    /// Given up since the installation because there were too many, or too old.
    public var dropped: Int
    /// Given up since the installation because the service will not have them.
    public var refused: Int

    /// Counts as given.
    public init(waiting: Int, dropped: Int, refused: Int) {
        self.waiting = waiting
        self.dropped = dropped
        self.refused = refused
    }
}
