import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A `waymark serve` that answers.
final class RunningServer: Sendable {
    let program: Program
    let port: UInt16
    /// Kept, because its folder goes with it.
    private let installation: Installation

    /// Waits until `/readyz` says 200. The port is read from what the server logs.
    init(_ program: Program, in installation: Installation) throws {
        self.program = program
        self.installation = installation
        let port = try eventually("waymark says where it listens") { () throws -> UInt16? in
            if let port = Self.port(in: program.errorText) { return port }
            guard program.isRunning else {
                throw DidNotHappen(description: "waymark ended: \(program.errorText)")
            }
            return nil
        }
        self.port = port
        try eventually(
            "ready",
            holds: {
                guard let connection = try? Connection(port: port) else { return false }
                return try connection.exchange(.get("/readyz")).status == 200
            })
    }

    static func port(in log: String) -> UInt16? {
        guard let address = log.firstRange(of: "http://127.0.0.1:") else { return nil }
        let digits = log[address.upperBound...].prefix(while: \.isNumber)
        // Without the character behind it the number may be half written.
        guard log[digits.endIndex...].first != nil else { return nil }
        return UInt16(digits)
    }

    func connect() throws -> Connection { try Connection(port: port, keeping: self) }

    /// On a connection of its own.
    func exchange(_ request: Request) throws -> Answer { try connect().exchange(request) }

    /// Ends it as a crash or the kernel would: no handler runs.
    func crash() throws {
        program.send(signal: SIGKILL)
        try program.wait()
    }

    /// Ends it in order.
    @discardableResult
    func stop(_ signal: Int32 = SIGTERM) throws -> Program.End {
        program.send(signal: signal)
        return try program.wait()
    }
}
