import Synchronization
import WaymarkHTTP
import WaymarkServer

/// One association file as it is sent, plain and, once somebody has wanted it so, compressed.
///
/// Safe to use from any thread.
final class AssociationResponse: Sendable {
    /// Always the whole file and 200, also where the question names a tag that the asker has: Apple's and Google's
    /// fetchers are promised a file, not an answer about one.
    let plain: Response
    private let content: [UInt8]
    private let tag: String
    private let coded = Mutex<Response?>(nil)

    /// - Parameter sha256: gives the digest that the entity tag is made of.
    init(_ content: [UInt8], sha256: ([UInt8]) -> [UInt8]) {
        self.content = content
        tag = ContentTag.text(of: content, sha256: sha256)
        plain = Response(.ok, fields: Self.fields(tag, isVaried: content.count >= Gzip.least), body: .bytes(content))
    }

    /// - Parameter isGzipPreferred: whether the client would rather have it compressed.
    func reply(isGzipPreferred: Bool, _ compression: CompressionCache) -> Reply {
        guard isGzipPreferred, content.count >= Gzip.least else { return .now(plain) }
        if let coded = coded.withLock({ $0 }) { return .now(coded) }
        return .later { [self] in
            guard let compressed = await compression.compressed(content, isKept: true) else { return plain }
            // Another tag than the plain one: what is compared byte by byte must tell the two apart (RFC 9110 section 8.8.1).
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
        // Hexadecimal digits are never refused.
        _ = fields.append(.eTag, "\"\(tag)\"")
        if isVaried { fields.append(.vary, "Accept-Encoding" as StaticString) }
        return fields
    }
}
