/// An answer, whoever gave it.
public struct TransportResponse: Sendable, Equatable {
    /// The HTTP status.
    public var status: Int
    /// The body, whole.
    public var body: [UInt8]
    private var fields: [String: String]

    /// - Parameter fields: the header fields by name; case does not count.
    public init(status: Int, fields: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.body = body
        self.fields = Dictionary(fields.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
    }

    /// The header field of that name, without regard to case; nil where the answer has none.
    public func field(_ name: String) -> String? { fields[name.lowercased()] }
}
