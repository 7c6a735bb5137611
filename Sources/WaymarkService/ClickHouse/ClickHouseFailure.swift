package import WaymarkClient

/// Why ClickHouse did not do what it was asked for.
package enum ClickHouseFailure: Error, Sendable {
    case connection(HTTPFailure)
    /// - Parameters:
    ///   - code: ClickHouse's own; nil if the answer has none, such as a proxy's.
    ///   - reason: the first line of the answer, bounded.
    case refused(status: Int, code: Int?, reason: String)
    /// Its tables are not there, or are of a later version.
    case tables(String)
    /// An earlier attempt to send the same has not ended there.
    case underWay
    /// What came back is no answer to what was asked.
    ///
    /// - Parameter reason: part of a sentence.
    case answer(String)
    /// A report has no time left for further queries.
    case late

    /// Numbers that ClickHouse gives to errors.
    enum Code {
        static let unknownTable = 60
        static let unknownDatabase = 81
        static let unknownSetting = 115
    }

    package var code: Int? {
        if case .refused(_, let code, _) = self { code } else { nil }
    }

    /// Whether a table or database is missing.
    var isOfMissingTables: Bool { code == Code.unknownTable || code == Code.unknownDatabase }

    /// The same for failures that one line in the log stands for.
    var kind: String {
        switch self {
        case .connection: "connection"
        case .refused(let status, let code, _): "refused \(status) \(code ?? 0)"
        case .tables: "tables"
        case .underWay: "under way"
        case .answer: "answer"
        case .late: "late"
        }
    }

    /// One sentence without a full stop.
    package var sentence: String {
        switch self {
        case .connection(let failure): failure.sentence
        case .refused(let status, _, let reason):
            "ClickHouse answers \(status)\(reason.isEmpty ? "" : ": \(reason)")"
        case .tables(let sentence): sentence
        case .underWay: "ClickHouse still works on an earlier attempt to send the same clicks"
        case .answer(let reason): "ClickHouse's answer is not one to what was asked: \(reason)"
        case .late: "ClickHouse takes too long"
        }
    }
}
