import Logging
import WaymarkServer
import WaymarkSockets

/// Divides the file descriptors of the process: some are reserved for the store, files and listeners, so that many
/// clients can't make the database fail.
struct DescriptorBudget: Sendable {
    /// Nil if unknown.
    let descriptors: Int?
    private let reserved: Int

    /// Raises the process's limit as far as possible.
    init(threads: Int) {
        self.init(threads: threads, descriptors: DescriptorLimit.raise())
    }

    /// Of another process.
    init(threads: Int, descriptors: Int?) {
        self.descriptors = descriptors
        // A loop has its epoll, its eventfd, its reserve and its listeners; the store opens a few files per reader.
        reserved = 64 + threads * 8
    }

    /// The limits, with connections reduced to the available descriptors.
    func applied(to limits: ServerLimits) -> ServerLimits {
        var limits = limits
        limits.connections = min(limits.connections, most)
        return limits
    }

    /// A warning for the operator; nil if there are enough descriptors.
    func shortage(of limits: ServerLimits) -> String? {
        guard let descriptors, limits.connections > most else { return nil }
        return
            "limits.connections is \(limits.connections), but the process may open only \(descriptors) descriptors: "
            + "at most \(most) connections are accepted (see ulimit -n, LimitNOFILE)"
    }

    private var most: Int {
        guard let descriptors else { return .max }
        // With few, the server's own take about half.
        return max(1, descriptors - min(reserved, descriptors - descriptors / 3))
    }
}

/// Logs that clients were rejected: one line per exhausted resource, at most once per interval.
struct PressureWatch {
    static let interval = Duration.seconds(10)

    private var last = ServerStatistics()

    /// The events since the last call.
    mutating func look(_ statistics: ServerStatistics) -> [String] {
        defer { last = statistics }
        let address = statistics.connectionsRefusedByAddress - last.connectionsRefusedByAddress
        let refused = statistics.connectionsRefused - last.connectionsRefused - address
        let failed = statistics.acceptFailures - last.acceptFailures
        let shed = statistics.requestsShed - last.requestsShed
        var lines: [String] = []
        if failed > 0 { lines.append("accepting failed \(failed) times: descriptors or memory ran out") }
        if refused > 0 { lines.append("\(refused) connections were turned away: all places were taken") }
        if address > 0 { lines.append("\(address) connections were turned away: their addresses had their share") }
        if shed > 0 { lines.append("\(shed) requests were answered with 503: too many were waiting") }
        return lines
    }
}
