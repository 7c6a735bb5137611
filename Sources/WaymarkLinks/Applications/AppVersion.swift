import WaymarkBytes

/// A version of an app: numbers with dots between them, such as `4.2.1`, or one number, such as Android's version code.
///
/// Compared number by number; missing numbers are 0, so `4.2` and `4.2.0` are the same version.
package struct AppVersion: Sendable, Equatable, Comparable {
    /// The original text.
    package let text: String

    package static let rule =
        "must be a version such as 4.2.1 or 412: up to 8 numbers of up to 18 digits, dots between them"

    /// Nil for text that violates `rule`.
    package init?(_ text: String) {
        let numbers = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...8).contains(numbers.count),
            numbers.allSatisfy({ (1...18).contains($0.count) && $0.allSatisfy(\.isDigit) })
        else { return nil }
        self.text = text
    }

    private var numbers: [Int64] {
        text.utf8.split(separator: UInt8(ascii: ".")).map { $0.reduce(0) { $0 * 10 + Int64($1 - 0x30) } }
    }

    package static func == (one: AppVersion, other: AppVersion) -> Bool { !(one < other) && !(other < one) }

    package static func < (one: AppVersion, other: AppVersion) -> Bool {
        let (ones, others) = (one.numbers, other.numbers)
        for index in 0..<max(ones.count, others.count) {
            let (left, right) = (index < ones.count ? ones[index] : 0, index < others.count ? others[index] : 0)
            if left != right { return left < right }
        }
        return false
    }

    static func check(_ text: String) -> Checked<AppVersion> {
        AppVersion(text).map { .valid($0) } ?? .problem(rule)
    }
}
