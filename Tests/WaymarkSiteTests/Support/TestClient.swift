import Testing

/// Sends requests to a site, whichever way they get there.
protocol TestClient: Sendable {
    func send(_ request: TestRequest) async throws -> TestAnswer
}

/// The two ways: every test that takes one runs both.
enum TransportKind: Sendable, CaseIterable, CustomTestStringConvertible {
    case inProcess, socket

    var testDescription: String { self == .inProcess ? "in process" : "over a socket" }
}
