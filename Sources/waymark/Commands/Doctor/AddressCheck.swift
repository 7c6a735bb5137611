import WaymarkBytes
import WaymarkClient
import WaymarkSockets

/// This machine's connectivity, so that a local outage is not reported as a host's fault.
struct DoctorNetwork: Sendable, Equatable {
    /// A host that every machine with access to the internet reaches.
    static let reference = "app-site-association.cdn-apple.com"

    /// Whether the reference has addresses.
    var resolvesNames: Bool
    /// Whether the reference accepts a connection.
    var reachesInternet: Bool
}

/// Addresses of a host.
enum AddressCheck {
    static func finding(_ addresses: [IPAddress], _ network: DoctorNetwork) -> DoctorFinding {
        guard !addresses.isEmpty else {
            return network.resolvesNames
                ? .finding(.dns, "the name has no address", fix: "add an A or AAAA record for it")
                : .skipped(.dns, "this machine resolves no names")
        }
        let texts = addresses.map(\.text).joined(separator: ", ")
        let hidden = addresses.filter { !AddressRule.isPublic($0) }
        guard !hidden.isEmpty else { return .ok(.dns, texts) }
        let (loopback, others) = (hidden.filter(\.isLoopback), hidden.filter { !$0.isLoopback })
        let problems =
            loopback.map { "\($0.text) is this machine's loopback address" }
            + others.map { "\($0.text) is a private or reserved address" }
        return .finding(
            .dns, problems.joined(separator: ", ") + ": visitors, Apple and Google don't reach it",
            fix: "point the record to the server's public address")
    }
}

/// Whether a port accepts connections.
enum PortCheck {
    /// - Parameter outcomes: one for each address of the host.
    static func finding(
        _ check: DoctorCheck, port: Int, _ outcomes: [(address: IPAddress, outcome: PortProbe.Outcome)],
        _ network: DoctorNetwork
    ) -> DoctorFinding {
        func addresses(_ outcome: PortProbe.Outcome) -> String {
            outcomes.filter { $0.outcome == outcome }.map(\.address.text).joined(separator: ", ")
        }
        guard !outcomes.isEmpty else { return .skipped(check, "the name has no address") }
        let refusing = addresses(.refused)
        guard refusing.isEmpty else {
            return .finding(
                check, "\(refusing) refuses connections to port \(port)",
                fix: "let the server or its proxy listen there, or remove the record")
        }
        let silent = addresses(.timeout)
        guard silent.isEmpty else {
            guard network.reachesInternet || outcomes.contains(where: { $0.outcome == .connected }) else {
                return .skipped(check, "this machine reaches no other")
            }
            return .finding(
                check, "\(silent) does not answer on port \(port)", fix: "open the port in the firewall")
        }
        let connected = addresses(.connected)
        return connected.isEmpty
            ? .skipped(check, "there is no route from this machine to \(addresses(.noRoute))")
            : .ok(check, "port \(port) accepts connections")
    }
}
