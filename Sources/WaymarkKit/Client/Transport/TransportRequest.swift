/// One request to the service. Its description leaves values of fields and the body out, because one is the key and the
/// other may be private.
public struct TransportRequest: Sendable, Equatable {
    /// The method; the client uses `POST` only.
    public var method: String
    /// The whole address.
    public var url: String
    /// The header fields that are to be sent, by name.
    public var fields: [String: String]
    /// The body as it is to be sent.
    public var body: [UInt8]
    /// How long the exchange may take, from the first connection attempt to the last byte of the answer.
    public var timeLimit: Duration
    /// How many bytes of body the answer may have.
    public var answerLimit: Int

    /// A request as given.
    public init(
        method: String = "POST", url: String, fields: [String: String], body: [UInt8], timeLimit: Duration,
        answerLimit: Int
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.timeLimit = timeLimit
        self.answerLimit = answerLimit
    }
}

extension TransportRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Method and address.
    public var description: String { "\(method) \(url)" }
    /// As `description`.
    public var debugDescription: String { description }
    /// Only what `description` says, so that `dump` shows no key.
    public var customMirror: Mirror { Mirror(self, children: ["method": method, "url": url]) }
}
