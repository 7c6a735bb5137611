import WaymarkKit

/// Says when an exchange is over.
struct ReportingTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let report: @Sendable () -> Void

    init(_ transport: any HTTPTransport, report: @escaping @Sendable () -> Void) {
        self.transport = transport
        self.report = report
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        defer { report() }
        return try await transport.send(request)
    }
}
