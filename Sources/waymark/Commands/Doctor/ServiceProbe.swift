import WaymarkClient

/// What a server with this configuration says of itself on this machine.
enum ServiceProbe {
    /// In seconds.
    private static let timeout = 5
    /// In bytes. `/metrics` has about 40 KB.
    private static let pageLimit = 16 << 20

    /// Nil: no server answers at the configured address.
    static func metrics(of configuration: Configuration) async -> MetricSamples? {
        guard let base = configuration.localURL else { return nil }
        let request = HTTPRequest(base + "/metrics", timeout: timeout, bodyLimit: pageLimit)
        // The last number of a text that was cut off may be, too.
        guard let response = try? await HTTPClient().response(to: request), response.status == 200, !response.isCutOff
        else { return nil }
        return MetricSamples(String(decoding: response.body, as: UTF8.self))
    }

    /// How many descriptors the server's process may have open.
    static func descriptors(in metrics: MetricSamples) -> Int? {
        metrics.sum("process_max_fds").flatMap { Int(exactly: $0) }
    }
}
