import Foundation

/// What a test waited for did not come.
struct DidNotHappen: Error, CustomStringConvertible {
    let description: String
}

/// Asks again and again until `body` gives a value, for at most `seconds`; then it throws.
///
/// The limit is generous because it only decides how long a broken server is waited for.
@discardableResult
func eventually<Value>(
    _ expectation: String, within seconds: Double = 20, _ body: () throws -> Value?
) throws -> Value {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while true {
        if let value = try body() { return value }
        guard Date() < deadline else { throw DidNotHappen(description: "not within \(seconds) s: \(expectation)") }
        Thread.sleep(forTimeInterval: 0.005)
    }
}

func eventually(_ expectation: String, within seconds: Double = 20, holds body: () throws -> Bool) throws {
    try eventually(expectation, within: seconds) { try body() ? () : nil }
}
