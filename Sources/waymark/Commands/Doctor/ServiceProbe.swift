import WaymarkClient

/// What a server with this configuration says of itself on this machine.
enum ServiceProbe {
    /// In seconds.
    private static let timeout = 5
    /// In bytes. `/metrics` has about 40 KB.
    private static let pageLimit = 16 << 20

    /// How many descriptors the server's process may have open; nil: no server answers at the configured address.
    static func descriptors(of configuration: Configuration) async -> Int? {
        guard let base = configuration.localURL else { return nil }
        let request = HTTPRequest(base + "/metrics", timeout: timeout, bodyLimit: pageLimit)
        // The last number of a text that was cut off may be, too.
        guard let response = try? await HTTPClient().response(to: request), response.status == 200, !response.isCutOff
        else { return nil }
        return descriptors(inMetrics: String(decoding: response.body, as: UTF8.self))
    }

    static func descriptors(inMetrics text: String) -> Int? {
        MetricSamples(text).sum("process_max_fds").flatMap { Int(exactly: $0) }
    }
}
