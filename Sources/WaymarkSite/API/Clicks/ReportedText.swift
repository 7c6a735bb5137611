import WaymarkAPI
import WaymarkLinks

/// What apps say of themselves, checked.
enum ReportedText {
    /// Of an id that an app has made up: nil where it may be one.
    static func problem(ofID text: String) -> String? {
        guard !text.isEmpty else { return "must not be empty" }
        guard text.utf8.count <= 255 else { return "must be at most 255 bytes long" }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return "must not hold control characters" }
        return nil
    }

    static let platformProblem = "must be one of \(Platform.allCases.map(\.rawValue).joined(separator: ", "))"
}
