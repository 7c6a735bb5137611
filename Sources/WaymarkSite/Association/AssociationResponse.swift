import Synchronization
import WaymarkHTTP
import WaymarkServer

/// The response with one association file, uncompressed and, once requested, compressed.
///
/// Safe to use from any thread.
final class AssociationResponse: Sendable {
    /// Always 200 with the whole file, even if the request has a matching entity tag: Apple's and Google's fetchers
    /// expect a file, not a 304.
    let plain: Response
    private let content: [UInt8]
    private let tag: String
    private let coded = Mutex<Response?>(nil)

    /// - Parameter sha256: computes the digest for the entity tag.
    init(_ content: [UInt8], sha256: ([UInt8]) -> [UInt8]) {
        self.content = content
        tag = ContentTag.text(of: content, sha256: sha256)
        plain = Response(.ok, fields: Self.fields(tag, isVaried: content.count >= Gzip.least), body: .bytes(content))
    }

    /// - Parameter isGzipPreferred: whether the client prefers a compressed response.
    func reply(isGzipPreferred: Bool, _ compression: CompressionCache) -> Reply {
        guard isGzipPreferred, content.count >= Gzip.least else { return .now(plain) }
        if let coded = coded.withLock({ $0 }) { return .now(coded) }
        return .later { [self] in
            guard let compressed = await compression.compressed(content, isKept: true) else { return plain }
            // The tag differs from the uncompressed one, because strong tags compare bytes (RFC 9110 section 8.8.1).
            var fields = Self.fields(tag + "-gz", isVaried: true)
            fields.append(.contentEncoding, "gzip" as StaticString)
            let response = Response(.ok, fields: fields, body: .bytes(compressed))
            coded.withLock { $0 = response }
            return response
        }
    }

    private static func fields(_ tag: String, isVaried: Bool) -> HeaderFields {
        var fields = HeaderFields(
            (.contentType, "application/json"), (.cacheControl, "public, max-age=300"),
            (.xContentTypeOptions, "nosniff"))
        // Hexadecimal digits are always accepted.
        _ = fields.append(.eTag, "\"\(tag)\"")
        if isVaried { fields.append(.vary, "Accept-Encoding" as StaticString) }
        return fields
    }
}
