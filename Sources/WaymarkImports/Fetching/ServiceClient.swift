import WaymarkClient
package import WaymarkJSON

/// One service's interface: waits where it asks to, tries again where it fails for a moment, and reads JSON that is not quite
/// JSON.
package struct ServiceClient: Sendable {
    /// How often a request is sent.
    static let attempts = 6
    /// The longest that a service may make an import wait at once, in seconds.
    static let longestPause = 3_600

    let base: String
    let fields: [(name: String, value: String)]
    private let key: String
    private let connection: ServiceConnection

    /// - Parameter key: never part of an error, whatever the service answers.
    init(
        base: String, key: String, fields: [(name: String, value: String)], over connection: ServiceConnection
    ) {
        var base = base
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
        self.key = key
        self.fields = fields + [("Accept", "application/json")]
        self.connection = connection
    }

    /// As `json`; nil as well where the service refuses or fails.
    func jsonIfAny(
        _ target: String, adding more: [(name: String, value: String)] = []
    ) async throws -> JSONValue? {
        do { return try await json(target, adding: more) } catch is SourceError { return nil }
    }

    /// Nil for 404.
    ///
    /// - Parameter isOfOneLink: The answer has the limits of a line of a file.
    /// - Throws: `SourceError` with what the service said.
    package func json(
        _ target: String, isOfOneLink: Bool = false, adding more: [(name: String, value: String)] = []
    ) async throws -> JSONValue? {
        let mostBytes = isOfOneLink ? LineReader.longest : .max
        let mostValues = isOfOneLink ? JSONText.mostValues : JSONText.mostValuesOfAnswer
        var problem = ""
        // Some services take the key in the query.
        let place = String(target.prefix { $0 != "?" })
        for attempt in 0..<Self.attempts {
            try Task.checkCancellation()
            let pause: Int
            do {
                let answer = try await connection.get(base + target, fields: fields + more)
                switch answer.status {
                case 200..<300 where answer.isCutOff || answer.body.count > mostBytes:
                    throw Refused("its answer to \(place) is too large")
                case 200..<300 where !JSONText.hasFewValues(answer.body, mostValues):
                    throw Refused("its answer to \(place) has too many values")
                case 200..<300:
                    // As it is first: a control character is a mistake that only some services make.
                    if let value = try? JSONValue(parsing: answer.body) { return value }
                    if let value = try? JSONValue(parsing: JSONText.cleaned(answer.body)) { return value }
                    problem = "its answer to \(place) is not JSON"
                    pause = 1 << attempt
                case 404: return nil
                case 429, 500...599:
                    problem = "it answered \(answer.status) to \(place)"
                    pause = max(1, answer.retryAfter ?? (answer.status == 429 ? 5 << attempt : 1 << attempt))
                case 300..<400:
                    throw Refused(
                        "it redirects \(place); give the address of its API with --api-url: the key is sent to no other"
                    )
                case 401, 403: throw Refused("it refuses the API key (\(answer.status)); check the key and its rights")
                default: throw Refused("it answered \(answer.status) to \(place)\(said(answer.body))")
                }
            } catch let error as Refused {
                throw SourceError("\(base): \(error.reason)")
            } catch HTTPFailure.unreadable(.tooLarge, _) {
                throw SourceError("\(base): its answer to \(place) is too large")
            } catch let failure as HTTPFailure {
                problem = failure.sentence
                pause = 1 << attempt
            }
            guard attempt < Self.attempts - 1, pause <= Self.longestPause else { break }
            try await connection.pause(seconds: pause)
        }
        throw SourceError("\(base): \(problem); run the same command again later, what is there is not imported twice")
    }

    /// What trying again does not help against.
    private struct Refused: Error {
        let reason: String
        init(_ reason: String) { self.reason = reason }
    }

    private func said(_ body: [UInt8]) -> String {
        guard let value = JSONText.value(body) else { return "" }
        let said = value["message"] ?? value["detail"] ?? value["error"] ?? value["title"]
        guard let text = said?.string else { return "" }
        // Some services repeat the key that they refuse.
        let hidden =
            key.isEmpty ? text : text.split(separator: key, omittingEmptySubsequences: false).joined(separator: "…")
        return ": " + hidden.excerpt(200)
    }
}
