import Logging
import WaymarkServer

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
