#if PostgreSQL
    import Foundation
    import WaymarkTestSupport
    import Synchronization
    import WaymarkJSON

    /// Two servers on one database, all of which can be killed and brought back.
    final class Fleet: Sendable {
        private struct State {
            var servers: [RunningServer?]
            var outages: [ClosedRange<Double>] = []
        }

        let database: PostgresServer
        private let installations: [Installation]
        private let state: Mutex<State>
        private let begin = ContinuousClock.now

        init(servers count: Int = 2, configuration: JSONObject = JSONObject()) throws {
            database = try PostgresServer()
            let url = try database.database()
            var members: JSONObject = ["database": JSONValue(url), "accessLog": "off"]
            for member in configuration.members { members[member.name] = member.value }
            installations = try (0..<count).map { [members] _ in try Installation(configuration: members) }
            state = Mutex(State(servers: try installations.map { try $0.start() }))
        }

        var count: Int { installations.count }

        /// Seconds since the beginning, on a clock that never jumps.
        var now: Double {
            let (seconds, attoseconds) = (ContinuousClock.now - begin).components
            return Double(seconds) + Double(attoseconds) * 1e-18
        }

        var outages: [ClosedRange<Double>] { state.withLock { $0.outages } }

        /// Where a server listens; nil while there is none.
        func port(of location: Int) -> UInt16? { state.withLock { $0.servers[location]?.port } }

        func killServer(_ location: Int) throws {
            let server = state.withLock { state in
                defer { state.servers[location] = nil }
                return state.servers[location]
            }
            try server?.crash()
        }

        /// Starts it and waits until it is ready. The database may be away when it starts.
        ///
        /// - Parameter port: where it is to listen; nil: wherever there is room.
        func startServer(_ location: Int, at port: UInt16? = nil, meanwhile: () throws -> Void = {}) throws {
            let program = try installations[location].serve(port.map { ["--listen", "127.0.0.1:\($0)"] } ?? [])
            try meanwhile()
            let server = try RunningServer(program, in: installations[location])
            state.withLock { $0.servers[location] = server }
        }

        /// Kills the database and brings it back.
        func bounceDatabase(meanwhile: () throws -> Void) throws {
            let start = now
            try database.kill()
            try meanwhile()
            try database.recover()
            let end = now
            state.withLock { $0.outages.append(start...end) }
        }

        /// Notes how long this machine does not let anybody run, until `isOver`: nothing can be promised then.
        func watchStalls(until isOver: () -> Bool) {
            var last = now
            while !isOver() {
                Thread.sleep(forTimeInterval: 0.02)
                let time = now
                if time - last > 0.2 { state.withLock { $0.outages.append(last...time) } }
                last = time
            }
        }
    }
#endif
