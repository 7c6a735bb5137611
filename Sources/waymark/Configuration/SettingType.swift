import Foundation
import WaymarkHTTP
import WaymarkJSON

/// How a value is written: as JSON in the configuration file, as text in a flag or an environment variable.
struct SettingType<Value: Sendable>: Sendable {
    /// The allowed values, for messages, help and documentation: `a number from 1 to 256`.
    let allowed: String
    /// The same for a single flag, if the file has an array.
    let allowedText: String
    /// The placeholder of a flag's value in the help.
    let placeholder: String
    /// Whether its flag may be repeated and its variable has several values, separated by commas.
    let isList: Bool
    /// - Throws: `CommandFailure` with the source and the allowed values.
    let read: @Sendable (JSONValue, SettingSource) throws -> Value
    let write: @Sendable (Value) -> JSONValue

    init(
        _ allowed: String, asText allowedText: String? = nil, placeholder: String = "value", isList: Bool = false,
        read: @escaping @Sendable (JSONValue, SettingSource) throws -> Value,
        write: @escaping @Sendable (Value) -> JSONValue
    ) {
        self.allowed = allowed
        self.allowedText = allowedText ?? allowed
        self.placeholder = placeholder
        self.isList = isList
        self.read = read
        self.write = write
    }

    /// A number, a boolean or another JSON value; `convert` returns nil for an invalid value.
    init(
        _ allowed: String, placeholder: String = "value", convert: @escaping @Sendable (JSONValue) -> Value?,
        write: @escaping @Sendable (Value) -> JSONValue
    ) {
        self.init(
            allowed, placeholder: placeholder,
            read: { given, source in
                var value = given
                if source.isText, let text = given.string, let parsed = try? JSONValue(parsing: text) { value = parsed }
                if let converted = convert(value) { return converted }
                // Only shown for numbers that are not strings: a number in place of a string may be a secret without
                // quotes.
                if let number = given.number { throw source.failure("\(number.text) is not allowed; give \(allowed)") }
                throw source.refusal(given, allowed: allowed)
            }, write: write)
    }

    /// A value that is a string in the file, too; `convert` returns nil for an invalid one.
    static func string(
        _ allowed: String, placeholder: String = "value",
        convert: @escaping @Sendable (String, SettingSource) throws -> Value?,
        write: @escaping @Sendable (Value) -> String
    ) -> SettingType {
        SettingType(
            allowed, placeholder: placeholder,
            read: { value, source in
                guard let text = value.string else { throw source.refusal(value, allowed: allowed) }
                guard let converted = try convert(text, source) else {
                    throw source.refusal(text: text, allowed: allowed)
                }
                return converted
            }, write: { JSONValue(write($0)) })
    }

    /// One of several keywords.
    static func choice() -> SettingType where Value: CaseIterable & RawRepresentable<String> {
        string(Value.list, placeholder: "kind", convert: { text, _ in Value(rawValue: text) }, write: \.rawValue)
    }

    /// The same type with nil for an unset setting.
    var optional: SettingType<Value?> {
        SettingType<Value?>(
            allowed, asText: allowedText, placeholder: placeholder, isList: isList, read: read,
            write: { $0.map(write) ?? .null })
    }

    func read(text: String, from source: SettingSource) throws -> Value { try read(JSONValue(text), source) }
}

extension CaseIterable where Self: RawRepresentable<String> {
    /// The values as a message lists them: `epoll, dispatch`.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension SettingType<Int> {
    static func integer(_ range: ClosedRange<Int>) -> SettingType {
        SettingType(
            "a number from \(range.lowerBound) to \(range.upperBound)", placeholder: "n",
            convert: { $0.integer.flatMap { range.contains($0) ? $0 : nil } }, write: { JSONValue($0) })
    }
}

extension SettingType<Bool> {
    static var boolean: SettingType { SettingType("true or false", convert: \.bool, write: { JSONValue($0) }) }
}

extension SettingType<Duration> {
    /// Seconds with up to three decimals. Zero is not allowed, because everything would time out immediately.
    static func seconds(_ range: ClosedRange<Int>) -> SettingType {
        let least = max(1, Double(range.lowerBound) * 1_000)
        return SettingType(
            "seconds from \(range.lowerBound == 0 ? "0.001" : "\(range.lowerBound)") to \(range.upperBound)",
            placeholder: "seconds",
            convert: { value in
                guard let seconds = value.number?.double else { return nil }
                let milliseconds = (seconds * 1_000).rounded()
                guard milliseconds >= least, milliseconds <= Double(range.upperBound) * 1_000 else { return nil }
                return .milliseconds(Int64(milliseconds))
            },
            write: { duration in
                let (seconds, attoseconds) = duration.components
                if attoseconds == 0 { return JSONValue(Int(seconds)) }
                return JSONValue(Double(seconds) + Double(attoseconds) / 1e18) ?? .null
            })
    }
}

extension SettingType<HeaderName> {
    static var headerName: SettingType {
        string("the name of a header field", convert: { text, _ in HeaderName(text) }, write: \.text)
    }
}

extension SettingType {
    /// An array in the file, strings from a repeated flag, or one string from a variable, which `separate` splits.
    static func array<Element>(
        of element: SettingType<Element>, _ allowed: String, allowsNone: Bool = true,
        separate: @escaping @Sendable (String) -> [String] = {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    ) -> SettingType where Value == [Element] {
        SettingType(
            allowed, asText: element.allowed, placeholder: element.placeholder, isList: true,
            read: { value, source in
                let texts = source.isText ? value.string.map(separate) : nil
                guard let elements = value.array ?? texts?.map({ JSONValue($0) }) else {
                    throw source.refusal(value, allowed: allowed)
                }
                guard allowsNone || !elements.isEmpty else {
                    throw source.failure("the array is empty; give \(element.allowed)")
                }
                return try elements.enumerated().map { try element.read($1, source.element($0)) }
            }, write: { JSONValue($0.map(element.write)) })
    }
}
