import Foundation

/// One conversation between a client and a server, as a file under `Cases` tells it: the bytes that the client sends, and
/// what must come back. Files, so that programs in other languages can read them too.
///
///     # name                    one word of letters, digits and hyphens
///     > GET /now HTTP/1.1       a line that is sent, with CRLF behind it
///     > X: {300*a}\             no CRLF: there is a backslash at the end; {N*text} is a text N times
///     * chunked                 the head of a POST with a chunked body; "chunked names" for one to /names
///     < 200 keep body=/now      an answer
///     ! handler                 holds for `ConformanceHandler`, not for every server
///     ! alone                   nothing may stand behind it, because it would end a line that has no end
///
/// Escapes are `\r \n \t \0 \\ \xHH`. What is sent behind an answer is sent when that has come. The status of an answer is
/// a number, or `any` for whatever the server does not refuse by itself; words behind it: `keep`, `close` (in the last
/// answer, one of them), `head` (no body, as of a HEAD), `times=N`, `field=Name` or `field=Name:value`, and `body=` with
/// the rest of the line. `< silent` is the end of the connection without an answer, after the client has ended its side.
package struct ConformanceCase: Sendable, CustomStringConvertible {
    package struct Answer: Sendable {
        /// Nil for any that is no refusal by the server itself.
        package var status: Int?
        package var isToHead = false
        package var field: (name: String, value: String?)?
        package var body: String?
    }

    package struct Step: Sendable {
        package var bytes: [UInt8] = []
        package var answers: [Answer] = []
    }

    package enum End: Sendable { case keeps, closes, silent }

    /// The file's name, a slash, and the name in the file.
    package let name: String
    package internal(set) var steps: [Step] = []
    package internal(set) var end = End.silent
    /// Whether the answers are those of `ConformanceHandler` in particular.
    package internal(set) var isForHandler = false
    /// Whether a request behind it would become part of it.
    package internal(set) var isAlone = false

    package var description: String { name }

    /// All that the client sends.
    package var bytes: [UInt8] { steps.flatMap(\.bytes) }

    init(name: String) {
        self.name = name
    }

    /// The folder of this file.
    package static let folder = String(#filePath.prefix(upTo: #filePath.lastIndex(of: "/") ?? #filePath.startIndex))

    /// The cases of all files, in order.
    package static let all: [ConformanceCase] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/Cases")) ?? []
        return names.filter { $0.hasSuffix(".txt") }.sorted().flatMap { name in
            let data = FileManager.default.contents(atPath: "\(folder)/Cases/\(name)") ?? Data()
            return ConformanceCaseReader(topic: String(name.dropLast(4))).read(String(decoding: data, as: UTF8.self))
        }
    }()

    /// The request heads among the fixtures of the parser that it must refuse, each with the status that its name gives.
    package static let refusals: [ConformanceCase] = {
        let fixtures = folder + "/../WaymarkHTTPTests/Fixtures/reject"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: fixtures)) ?? []
        return names.filter { $0.hasSuffix(".http") }.sorted().map { name in
            var result = ConformanceCase(name: "reject/" + name.dropLast(5))
            let bytes = Array(FileManager.default.contents(atPath: "\(fixtures)/\(name)") ?? Data())
            var answer = Answer(status: Int(name.prefix(3)))
            answer.isToHead = String(decoding: bytes, as: UTF8.self).hasPrefix("HEAD ")
            result.steps = [Step(bytes: bytes, answers: [answer])]
            result.end = .closes
            return result
        }
    }()
}
