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
    private let http: any HTTPFetching

    package init(base: String, fields: [(name: String, value: String)], http: any HTTPFetching) {
        var base = base
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
        self.fields = fields + [("Accept", "application/json")]
        self.http = http
    }

    /// Nil for 404.
    ///
    /// - Throws: `SourceError` with what the service said.
    package func json(_ target: String) async throws -> JSONValue? {
        var problem = ""
        for attempt in 0..<Self.attempts {
            let pause: Int
            do {
                let answer = try await http.get(base + target, fields: fields)
                switch answer.status {
                case 200..<300:
                    // As it is first: a control character is a mistake that only some services make.
                    if let value = try? JSONValue(parsing: answer.body) { return value }
                    if let value = try? JSONValue(parsing: JSONText.cleaned(answer.body)) { return value }
                    problem = "its answer to \(target) is no JSON"
                    pause = 1 << attempt
                case 404: return nil
                case 429, 500...599:
                    problem = "it answered \(answer.status) to \(target)"
                    pause = answer.retryAfter ?? (answer.status == 429 ? 5 << attempt : 1 << attempt)
                case 401, 403: throw Refused("it refuses the API key (\(answer.status))")
                default: throw Refused("it answered \(answer.status) to \(target)\(Self.saying(answer.body))")
                }
            } catch let error as Refused {
                throw SourceError("\(base): \(error.reason)")
            } catch let error as SourceError {
                problem = error.description
                pause = 1 << attempt
            }
            guard attempt < Self.attempts - 1, pause <= Self.longestPause else { break }
            try await http.pause(seconds: pause)
        }
        throw SourceError("\(base): \(problem); run the same command again later, what is there is not imported twice")
    }

    /// What trying again does not help against.
    private struct Refused: Error {
        let reason: String
        init(_ reason: String) { self.reason = reason }
    }

    private static func saying(_ body: [UInt8]) -> String {
        guard let value = try? JSONValue(parsing: body) else { return "" }
        let said = value["message"] ?? value["detail"] ?? value["error"] ?? value["title"]
        return said?.string.map { ": \($0.prefix(200))" } ?? ""
    }

    /// Everything but unreserved characters encoded.
    static func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                encoded.unicodeScalars.append(UnicodeScalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.utf8.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return encoded
    }
}
