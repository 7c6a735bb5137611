import WaymarkServer
import WaymarkSockets

/// How the descriptors that the process may open are shared out: connections leave some for the store, for files and for
/// the listeners, so that a crowd of clients can't make a database fail.
struct DescriptorBudget: Sendable {
    /// Nil where it is not known.
    let descriptors: Int?
    private let reserved: Int

    /// Raises the process's limit as far as it goes.
    init(threads: Int) {
        descriptors = DescriptorLimit.raise()
        // A loop has its epoll, its eventfd, its reserve and its listeners; the store opens a few files for each reader.
        reserved = 64 + threads * 8
    }

    /// The limits with no more connections than there are descriptors for.
    func applied(to limits: ServerLimits) -> ServerLimits {
        var limits = limits
        limits.connections = min(limits.connections, most)
        return limits
    }

    /// What to tell the operator; nil where nothing falls short.
    func shortage(of limits: ServerLimits) -> String? {
        guard let descriptors, limits.connections > most else { return nil }
        return
            "limits.connections is \(limits.connections), but the process may open only \(descriptors) descriptors: "
            + "at most \(most) connections are accepted (see ulimit -n, LimitNOFILE)"
    }

    private var most: Int {
        guard let descriptors else { return .max }
        return max(1, descriptors - min(reserved, descriptors / 2))
    }
}
