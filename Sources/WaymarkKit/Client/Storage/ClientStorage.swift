/// Where the client keeps what must outlast the app: events that are not sent yet, the keys of requests without an answer,
/// and the installation's id.
///
/// The client calls it from any thread, but never twice at once for one name, also on the main actor; what is
/// written is some kilobytes. One storage belongs to one client.
public protocol ClientStorage: Sendable {
    /// The bytes that were written last under the name; nil where there are none. Throws where they may be there and
    /// can't be read now (a device that was not unlocked since its start); the client then asks again later.
    func read(_ name: String) throws -> [UInt8]?
    /// Replaces what is there under the name. Whoever is killed in the middle leaves the old bytes or the new ones,
    /// never a part.
    func write(_ bytes: [UInt8], to name: String) throws
    /// Moves bytes that make no sense out of the way, so that nothing is there under the name and whoever looks for the
    /// cause can still see them. What was set aside before under that name may go.
    func setAside(_ name: String)
}
