/// A client's connection, plain or not, that moves bytes as they are.
package protocol ConformanceWire {
    /// False where the server takes no more.
    func sendBytes(_ bytes: [UInt8]) async -> Bool
    /// What comes next; empty at the end.
    func receiveBytes() async -> [UInt8]
    func endSide() async
    /// Whether the connection was reset instead of closed.
    var isReset: Bool { get async }
}

/// One conversation held with a server, and what was wrong with it.
package struct ConformanceRun<Wire: ConformanceWire> {
    package enum Pace: Sendable, CaseIterable {
        /// As fast as it goes.
        case atOnce
        case byteByByte
        /// With a request behind it, which nobody may answer where the connection closes.
        case withARequestBehind
    }

    private let wire: Wire
    private let pace: Pace
    /// Whether the server answers as `ConformanceHandler` does.
    private let hasHandler: Bool
    private var received: [UInt8] = []
    private var problems: [String] = []

    /// - Parameter hasHandler: whether `ConformanceHandler` is asked; another one may answer with any status to what it
    ///   says 200 to. Default: true.
    package init(over wire: Wire, pace: Pace, hasHandler: Bool = true) {
        self.wire = wire
        self.pace = pace
        self.hasHandler = hasHandler
    }

    /// Holds the conversation and returns what did not go as it must.
    package mutating func hold(_ conversation: ConformanceCase) async -> [String] {
        for (number, step) in conversation.steps.enumerated() {
            var bytes = step.bytes
            let isLast = number == conversation.steps.count - 1
            if isLast, pace == .withARequestBehind, conversation.end == .closes, !conversation.isAlone {
                bytes += Self.request("smuggled")
            }
            await send(bytes)
            if isLast, conversation.end == .silent { await wire.endSide() }
            for (index, answer) in step.answers.enumerated() {
                let ends = isLast && index == step.answers.count - 1 && conversation.end == .closes
                guard await check(answer, ends: ends) else { return problems }
            }
        }
        if conversation.end == .keeps {
            await send(Self.request("probe"))
            guard await check(.init(), ends: true) else { return problems }
        }
        while case let more = await wire.receiveBytes(), !more.isEmpty { received += more }
        if !received.isEmpty { complain("something follows: \(Self.shown(received))") }
        // Whoever asks for the end and sends on all the same (RFC 9112 section 9.6 forbids it) may find the connection
        // gone by the next byte; the answer was there.
        let hasSaidGoodbye = conversation.steps.contains {
            String(decoding: $0.bytes, as: UTF8.self).contains("Connection: close")
        }
        if await wire.isReset, pace != .byteByByte || !hasSaidGoodbye { complain("the connection was reset") }
        return problems
    }

    private static func request(_ name: String) -> [UInt8] {
        Array("GET /\(name) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)
    }

    private static func shown(_ bytes: [UInt8]) -> String {
        String(String(decoding: bytes, as: UTF8.self).debugDescription.prefix(300))
    }

    private mutating func complain(_ problem: String) { problems.append(problem) }

    private func send(_ bytes: [UInt8]) async {
        // The longest ones are about sizes, not about places to cut.
        guard pace == .byteByByte, bytes.count < 2_000 else {
            _ = await wire.sendBytes(bytes)
            return
        }
        // Behind a refusal the server takes no more, and what it has answered is there.
        for byte in bytes where await !wire.sendBytes([byte]) { return }
    }

    /// Reads the next answer and holds it against what is expected; false where it is not there.
    private mutating func check(_ expected: ConformanceCase.Answer, ends: Bool) async -> Bool {
        while true {
            guard let answer = await next(isToHead: expected.isToHead) else { return false }
            // A client that is slow with its body is told to go on with it.
            if answer.status == 100, expected.status != 100, pace == .byteByByte { continue }
            for problem in answer.problems(ends: ends) { complain("\(problem) in \(Self.shown(answer.head))") }
            if let status = expected.status, hasHandler || ConformanceAnswer.refusals.contains(status) || status < 200 {
                if answer.status != status { complain("\(answer.status) instead of \(status)") }
            } else if ConformanceAnswer.refusals.contains(answer.status), answer.status != 405 {
                complain("\(answer.status), a refusal")
            }
            if let field = expected.field, hasHandler || expected.status == answer.status {
                let value = answer.values(field.name).first
                if value == nil || (field.value != nil && value != field.value) {
                    complain("\(field.name) is \(value ?? "not there")")
                }
            }
            if hasHandler, let body = expected.body, answer.body != Array(body.utf8) {
                complain("the body is \(Self.shown(answer.body)) instead of \(body)")
            }
            return true
        }
    }

    private mutating func next(isToHead: Bool) async -> ConformanceAnswer? {
        while true {
            if let answer = ConformanceAnswer(&received, isToHead: isToHead) { return answer }
            let more = await wire.receiveBytes()
            if more.isEmpty {
                complain("no answer, only \(Self.shown(received))")
                return nil
            }
            received += more
        }
    }
}
