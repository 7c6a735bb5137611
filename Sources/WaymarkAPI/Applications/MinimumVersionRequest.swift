import WaymarkJSON

/// The oldest app versions that a link works in: `{"ios": "4.2", "android": "412"}`.
public struct MinimumVersionRequest: Sendable, Hashable {
    /// Dot-separated numbers.
    public var ios: String?
    /// Dot-separated numbers, or a version code.
    public var android: String?

    public init(ios: String? = nil, android: String? = nil) {
        self.ios = ios
        self.android = android
    }

    package static let members = MemberTable<MinimumVersionRequest> {
        Member("ios", .text, \.ios)
        Member("android", .version, \.android)
    }
}

extension ObjectReader {
    /// The version of an Android app: text, or its version code as a number.
    mutating func version(_ name: String) -> String? {
        guard let value = value(name) else { return nil }
        if let code = value.integer { return String(code) }
        if let text = value.string { return text }
        reject(name, "must be a string or an integer, not \(value.number == nil ? value.noun : "this number")")
        return nil
    }
}
