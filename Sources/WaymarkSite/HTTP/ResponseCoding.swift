import WaymarkHTTP
import WaymarkServer

/// Compresses the responses of compressible routes for one client. Not for files, which `StaticFiles` compresses.
struct ResponseCoding: Sendable {
    private let compression: CompressionCache
    private let isGzipPreferred: Bool

    init(_ compression: CompressionCache, _ head: RequestHead, _ bytes: Span<UInt8>) {
        self.compression = compression
        isGzipPreferred = CodingPreference(head, in: bytes).prefersGzip
    }

    /// - Parameter isKept: whether the same response will be sent again, so that its compressed form should be cached.
    func reply(_ response: Response, isKept: Bool) -> Reply {
        guard let plain = varied(response) else { return .now(response) }
        guard isGzipPreferred else { return .now(plain) }
        return .later { await coded(plain, isKept: isKept) }
    }

    /// The same on a task, for a response that is sent once.
    func response(_ response: Response) async -> Response {
        guard let plain = varied(response) else { return response }
        return isGzipPreferred ? await coded(plain, isKept: false) : plain
    }

    /// Nil for a response that is never compressed.
    private func varied(_ response: Response) -> Response? {
        guard response.status == .ok, case .bytes(let content) = response.body, content.count >= Gzip.least else {
            return nil
        }
        var response = response
        response.fields.append(.vary, "Accept-Encoding" as StaticString)
        return response
    }

    private func coded(_ plain: Response, isKept: Bool) async -> Response {
        guard case .bytes(let content) = plain.body,
            let coded = await compression.compressed(content, isKept: isKept)
        else { return plain }
        var response = plain
        response.fields.append(.contentEncoding, "gzip" as StaticString)
        response.body = .bytes(coded)
        return response
    }
}

extension ResponseCoding? {
    /// Responses of routes that are not compressible are sent unchanged.
    func reply(_ response: Response, isKept: Bool = true) -> Reply {
        self?.reply(response, isKept: isKept) ?? .now(response)
    }

    /// The same for a response that takes too long to make on the event loop.
    func reply(isKept: Bool, _ make: @escaping @Sendable () -> Response) -> Reply {
        .later {
            switch reply(make(), isKept: isKept) {
            case .now(let response): response
            case .later(_, let operation): await operation()
            case .body, .stream: preconditionFailure("no body is asked for to compress an answer")
            }
        }
    }
}
