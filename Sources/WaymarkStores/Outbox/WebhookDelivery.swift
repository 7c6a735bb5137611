package import WaymarkLinks

/// One event on its way to one endpoint.
package struct WebhookDelivery: Sendable, Equatable {
    package enum State: UInt8, Sendable, CaseIterable {
        case waiting = 0
        case delivered = 1
        /// All attempts failed.
        case failed = 2
    }

    /// A request to the endpoint.
    package struct Attempt: Sendable, Equatable {
        /// Bytes of an answer that are kept.
        package static let answerLimit = 1_024

        package var at: Timestamp
        /// Nil if there was no answer.
        package var status: Int?
        /// Why there was no answer, or why it does not count as success; nil for success.
        package var error: String?
        package var milliseconds: Int
        /// The beginning of the answer's body.
        package var answer: [UInt8]

        package init(at: Timestamp, status: Int?, error: String?, milliseconds: Int, answer: [UInt8]) {
            self.at = at
            self.status = status
            self.error = error
            self.milliseconds = milliseconds
            self.answer = Array(answer.prefix(Self.answerLimit))
        }
    }

    /// The number of its event, which orders deliveries.
    package var number: Int64
    /// Of its event; the same for all endpoints and attempts.
    package var messageID: String
    package var type: EventType
    /// When the event happened.
    package var at: Timestamp
    package var state: State
    /// Nil unless it is waiting.
    package var nextAttempt: Timestamp?
    /// In their order.
    package var attempts: [Attempt]

    package init(
        number: Int64, messageID: String, type: EventType, at: Timestamp, state: State, nextAttempt: Timestamp?,
        attempts: [Attempt]
    ) {
        self.number = number
        self.messageID = messageID
        self.type = type
        self.at = at
        self.state = state
        self.nextAttempt = nextAttempt
        self.attempts = attempts
    }
}

extension WebhookDelivery.Attempt {
    package static func encode(_ attempts: [Self]) -> [UInt8] {
        var writer = BinaryWriter()
        for attempt in attempts {
            writer.signed(attempt.at.rawValue)
            writer.number(UInt64(clamping: attempt.status ?? 0))
            writer.text(attempt.error ?? "")
            writer.number(UInt64(clamping: attempt.milliseconds))
            writer.run(attempt.answer)
        }
        return writer.bytes
    }

    /// - Throws: `.corrupt` for bytes that `encode` did not write.
    package static func decode(_ bytes: [UInt8]) throws(StoreError) -> [Self] {
        var reader = BinaryReader(bytes[...])
        var attempts: [Self] = []
        while !reader.isAtEnd {
            guard let time = reader.signed(), let status = reader.number(), let error = reader.text(),
                let milliseconds = reader.number(), let answer = reader.run()
            else { throw .corrupt("the attempts of a delivery are damaged") }
            attempts.append(
                Self(
                    at: Timestamp(rawValue: time), status: status == 0 ? nil : Int(clamping: status),
                    error: error.isEmpty ? nil : error, milliseconds: Int(clamping: milliseconds), answer: Array(answer)
                ))
        }
        return attempts
    }
}
