#if PostgreSQL
    internal import CWaymarkPostgres

    #if canImport(Glibc)
        internal import Glibc
    #else
        internal import Darwin
    #endif

    /// One connection, always in libpq's pipeline mode: any number of statements is sent at once, and all results
    /// arrive in one round trip.
    ///
    /// Blocks the calling thread, but never beyond its deadline, so it runs on a Dispatch queue. A failure of the
    /// connection itself, including a missed deadline, closes it: whether the server ran the last statements is
    /// unknown then.
    ///
    /// Safe because the handle never leaves it: it returns only copies, and results that own their memory.
    @safe final class Connection {
        struct Command: Sendable {
            enum Kind: Sendable {
                /// Prepared on every connection.
                case statement(Statement)
                case preparation(Statement)
                case text(String)
            }
            var kind: Kind
            var arguments: [Argument]

            init(_ statement: Statement, _ arguments: Argument...) {
                kind = .statement(statement)
                self.arguments = arguments
            }

            init(preparing statement: Statement) {
                kind = .preparation(statement)
                arguments = []
            }

            init(sql: String, _ arguments: Argument...) {
                kind = .text(sql)
                self.arguments = arguments
            }
        }

        /// The connections' `application_name`, unless the URL sets another.
        static let applicationName = "waymark"

        /// Nil once closed.
        private var handle: OpaquePointer?
        /// The counter shard of this connection, so that servers don't wait for each other's row locks.
        let share = Int64.random(in: 0..<16)
        /// Whether the server was a replica when `ConnectionSettings` asked it.
        var isReplica = false

        /// Connects, until the server is ready; `ConnectionSettings` does the rest.
        ///
        /// - Parameter host: only this one of the URL's; nil: libpq tries all of them, until one refuses the user.
        init(to url: PostgresURL, host: PostgresURL.Host? = nil) throws(PostgresFailure) {
            // Keywords before `dbname` are defaults that the URL may override, because libpq processes them in order.
            let handle = unsafe Self.connect(
                [
                    ("connect_timeout", "\(TimeLimit.connecting / 1_000)"),
                    ("fallback_application_name", Self.applicationName),
                    ("dbname", url.text), ("client_encoding", "UTF8"),
                ] + (host?.settings ?? []))
            guard let handle = unsafe handle else {
                throw .disconnected("there is not enough memory for a connection to the database")
            }
            // Sound because the function uses only its arguments. It keeps libpq from writing to standard error.
            unsafe PQsetNoticeProcessor(handle, { _, _ in }, nil)
            guard unsafe PQstatus(handle) == CONNECTION_OK else {
                let failure = unsafe ConnectionRejection.failure(String(cString: PQerrorMessage(handle)))
                unsafe PQfinish(handle)
                throw failure
            }
            guard unsafe PQsetnonblocking(handle, 1) == 0, unsafe PQenterPipelineMode(handle) == 1 else {
                unsafe PQfinish(handle)
                throw .lost
            }
            unsafe self.handle = unsafe handle
        }

        deinit { close() }

        var isOpen: Bool { unsafe handle != nil }

        func close() {
            // Sound because the handle is discarded with it.
            if let handle = unsafe handle { unsafe PQfinish(handle) }
            unsafe handle = nil
        }

        /// Runs the commands in order, as a unit: the first failure skips the ones after it.
        func exchange(_ commands: [Command], by deadline: Deadline) throws(PostgresFailure) -> [QueryResult] {
            for command in commands { try send(command) }
            try sendSync()
            var results: [QueryResult] = []
            results.reserveCapacity(commands.count)
            var failure: PostgresFailure?
            for _ in commands {
                switch try receive(by: deadline) {
                case .success(let result): results.append(result)
                case .failure(let reason): if failure == nil { failure = reason }
                }
            }
            try receiveSync(by: deadline)
            if let failure { throw failure }
            return results
        }

        /// Runs the commands in order, each independently.
        func exchangeEach(
            _ commands: [Command], by deadline: Deadline
        ) throws(PostgresFailure) -> [Result<QueryResult, PostgresFailure>] {
            for command in commands {
                try send(command)
                try sendSync()
            }
            var results: [Result<QueryResult, PostgresFailure>] = []
            for _ in commands {
                results.append(try receive(by: deadline))
                try receiveSync(by: deadline)
            }
            return results
        }

        func run(_ command: Command, by deadline: Deadline) throws(PostgresFailure) -> QueryResult {
            guard let result = try exchange([command], by: deadline).first else { throw .lost }
            return result
        }

        /// Waits until the server sends a notification, the other descriptor is readable, or the time is up; then
        /// returns the notifications' payloads.
        func notifications(waking descriptor: Int32, by deadline: Deadline) throws(PostgresFailure) -> [String] {
            // Unsafe only because the handle is a C object: it exists as long as the connection is open.
            guard let handle = unsafe handle else { throw .lost }
            // Some may have arrived with the result of a command.
            let early = unsafe takeNotifications(handle)
            guard early.isEmpty else { return early }
            try wait(for: Int16(POLLIN), or: descriptor, by: deadline)
            guard unsafe PQconsumeInput(handle) == 1 else { throw lose(.lost) }
            return unsafe takeNotifications(handle)
        }

        private func takeNotifications(_ handle: OpaquePointer) -> [String] {
            var payloads: [String] = []
            // Sound because each notification is libpq's memory until it is freed here, and its text is copied.
            while let notification = unsafe PQnotifies(handle) {
                unsafe payloads.append(String(cString: notification.pointee.extra))
                unsafe PQfreemem(notification)
            }
            return payloads
        }

        // MARK: libpq

        private static func connect(_ settings: [(keyword: String, value: String)]) -> OpaquePointer? {
            var keywords: [UnsafePointer<CChar>?] = unsafe []
            var values: [UnsafePointer<CChar>?] = unsafe []
            // Sound because the copies live until both arrays, which are nil-terminated as libpq requires, have been
            // read.
            let copies = unsafe settings.map { unsafe (strdup($0.keyword), strdup($0.value)) }
            defer {
                for unsafe(keyword, value) in unsafe copies {
                    unsafe free(keyword)
                    unsafe free(value)
                }
            }
            for unsafe(keyword, value) in unsafe copies {
                unsafe keywords.append(UnsafePointer(keyword))
                unsafe values.append(UnsafePointer(value))
            }
            unsafe keywords.append(nil)
            unsafe values.append(nil)
            return unsafe PQconnectdbParams(keywords, values, 1)
        }

        private func send(_ command: Command) throws(PostgresFailure) {
            guard let handle = unsafe handle else { throw .lost }
            // Sound because libpq copies texts, types and arguments before a call returns.
            let sent: Int32
            switch command.kind {
            case .preparation(let statement):
                sent = unsafe PQsendPrepare(handle, statement.rawValue, statement.sql, 0, nil)
            case .statement(let statement):
                sent = unsafe withArguments(command.arguments) { count, values, lengths, formats in
                    unsafe PQsendQueryPrepared(handle, statement.rawValue, count, values, lengths, formats, 1)
                }
            case .text(let sql):
                let types = command.arguments.map(\.type)
                sent = unsafe withArguments(command.arguments) { count, values, lengths, formats in
                    unsafe PQsendQueryParams(handle, sql, count, types, values, lengths, formats, 1)
                }
            }
            guard sent == 1 else { throw lose(.lost) }
        }

        private func withArguments(
            _ arguments: [Argument],
            _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>) -> Int32
        ) -> Int32 {
            let buffer = ArgumentBuffer(arguments)
            let lengths = buffer.indexes.map { Int32(clamping: $0?.count ?? 0) }
            let formats = Array(repeating: 1 as Int32, count: arguments.count)
            // Sound because libpq copies everything before the call returns, and the ranges lie within the buffer.
            return unsafe buffer.bytes.withUnsafeBytes { bytes in
                let start = unsafe bytes.bindMemory(to: CChar.self).baseAddress
                let values = unsafe buffer.indexes.map { index in
                    unsafe index.flatMap { index in unsafe start.map { unsafe $0 + index.lowerBound } }
                }
                return unsafe body(Int32(clamping: arguments.count), values, lengths, formats)
            }
        }

        private func sendSync() throws(PostgresFailure) {
            guard let handle = unsafe handle, unsafe PQpipelineSync(handle) == 1 else { throw lose(.lost) }
        }

        /// The result of the next command.
        private func receive(by deadline: Deadline) throws(PostgresFailure) -> Result<QueryResult, PostgresFailure> {
            guard let result = unsafe try next(by: deadline) else { throw lose(.lost) }
            let status = unsafe PQresultStatus(result)
            // Read before the result is passed on or freed, because the text is part of it.
            let state = unsafe PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { unsafe String(cString: $0) }
            let answer = unsafe QueryResult(result)
            // A NULL ends each command's results.
            while let further = unsafe try next(by: deadline) { unsafe PQclear(further) }
            switch status {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK: return .success(answer)
            case PGRES_PIPELINE_ABORTED: return .failure(.raced)
            default:
                guard let state else { throw lose(.lost) }
                // A replica has the same state for what it can't do as a server whose tables have changed.
                let failure =
                    isReplica && ["0A000", "25006"].contains(state) ? .replica : PostgresFailure(state: state)
                if case .disconnected = failure { throw lose(failure) }
                return .failure(failure)
            }
        }

        private func receiveSync(by deadline: Deadline) throws(PostgresFailure) {
            guard let result = unsafe try next(by: deadline) else { throw lose(.lost) }
            let status = unsafe PQresultStatus(result)
            // Freed at once, because only its status matters.
            unsafe PQclear(result)
            guard status == PGRES_PIPELINE_SYNC else { throw lose(.lost) }
        }

        private func next(by deadline: Deadline) throws(PostgresFailure) -> OpaquePointer? {
            guard let handle = unsafe handle else { throw .lost }
            while true {
                // The server stops reading while it can't write, so input is consumed while output is still pending.
                let unsent = unsafe PQflush(handle)
                guard unsent >= 0 else { throw lose(.lost) }
                // Sound because a result is only fetched once it is complete: otherwise libpq would block.
                guard unsafe PQisBusy(handle) == 1 else { return unsafe PQgetResult(handle) }
                try wait(for: Int16(unsent == 1 ? POLLIN | POLLOUT : POLLIN), or: -1, by: deadline, late: true)
                guard unsafe PQconsumeInput(handle) == 1 else { throw lose(.lost) }
            }
        }

        private func wait(
            for events: Int16, or descriptor: Int32, by deadline: Deadline, late: Bool = false
        ) throws(PostgresFailure) {
            guard let handle = unsafe handle else { throw .lost }
            var polled = [
                pollfd(fd: unsafe PQsocket(handle), events: events, revents: 0),
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard polled[0].fd >= 0 else { throw lose(.lost) }
            while true {
                let milliseconds = deadline.remainingMilliseconds
                // Sound because the count is the array's; a negative descriptor is ignored.
                let ready = unsafe poll(&polled, 2, Int32(clamping: milliseconds))
                if ready > 0 { return }
                if ready < 0 && errno != EINTR { throw lose(.lost) }
                if deadline.hasPassed {
                    if late { throw lose(.late) }
                    return
                }
            }
        }

        private func lose(_ failure: PostgresFailure) -> PostgresFailure {
            close()
            return failure
        }
    }
#endif
