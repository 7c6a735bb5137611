import WaymarkHTTP
import WaymarkServer

/// Compresses the responses of compressible routes for one client. Not for files, which `StaticFiles` compresses.
struct ResponseCoding {
    private let compression: CompressionCache
    private let isGzipPreferred: Bool

    init(_ compression: CompressionCache, _ head: RequestHead, _ bytes: Span<UInt8>) {
        self.compression = compression
        isGzipPreferred = CodingPreference(head, in: bytes).prefersGzip
    }

    /// - Parameter isKept: whether the same response will be sent again, so that its compressed form should be cached.
    func reply(_ response: Response, isKept: Bool) -> Reply {
        guard response.status == .ok, case .bytes(let content) = response.body, content.count >= Gzip.least else {
            return .now(response)
        }
        var plain = response
        plain.fields.append(.vary, "Accept-Encoding" as StaticString)
        guard isGzipPreferred else { return .now(plain) }
        return .later { [plain, compression] in
            guard let coded = await compression.compressed(content, isKept: isKept) else { return plain }
            var response = plain
            response.fields.append(.contentEncoding, "gzip" as StaticString)
            response.body = .bytes(coded)
            return response
        }
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
