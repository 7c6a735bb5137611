import Foundation
import WaymarkHTTP
import WaymarkImports
import WaymarkSockets

/// Asks services' interfaces with the command line's own client.
struct CommandFetching: HTTPFetching {
    private let client: HTTPClient

    /// - Parameters:
    ///   - patience: the time limit of each exchange, in seconds.
    ///   - bodyLimit: in bytes.
    ///   - addressRule: which addresses may be connected to; nil: all.
    init(patience: Int = 60, bodyLimit: Int = 8 << 20, addressRule: AddressRule? = nil) {
        client = HTTPClient(patience: patience, bodyLimit: bodyLimit, addressRule: addressRule)
    }

    func get(_ url: String, fields: [(name: String, value: String)]) async throws -> FetchedAnswer {
        let request = HTTPClient.Request(url: url, fields: fields + [("User-Agent", "waymark/\(Version.text)")])
        let answer: HTTPClient.Answer
        do throws(HTTPClient.Failure) {
            answer = try await client.answer(to: request)
        } catch {
            // Its length was announced, so nothing of it was read.
            if case .unreadable(.tooLarge, _) = error {
                return FetchedAnswer(status: 200, body: [], isCutOff: true)
            }
            throw SourceError(error.sentence)
        }
        let asked = answer.response["Retry-After"]
        return FetchedAnswer(
            status: answer.response.status, body: answer.response.body, isCutOff: answer.isCutOff,
            retryAfter: asked.flatMap { Self.seconds($0, now: Int64(Date().timeIntervalSince1970)) })
    }

    /// The value of `Retry-After`: seconds, or a date.
    static func seconds(_ retryAfter: String, now: Int64) -> Int? {
        if let seconds = Int(retryAfter) { return max(0, seconds) }
        let bytes = Array(retryAfter.utf8)
        return HTTPDate(bytes.span, ByteRange(0, bytes.count), reference: now).map { Int(max(0, $0.unixSeconds - now)) }
    }

    func pause(seconds: Int) async throws {
        if seconds >= 5 { Exit.line("the service asks to wait for \(seconds) s") }
        try await Task.sleep(for: .seconds(seconds))
    }
}
