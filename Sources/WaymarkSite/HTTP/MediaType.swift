import WaymarkHTTP

/// The media types of request bodies and preferred responses.
enum MediaType {
    static let json = "application/json"
    static let mergePatch = "application/merge-patch+json"

    /// `application/json; charset=utf-8` is `application/json`: parameters are removed, and case is ignored (RFC 9110
    /// section 8.3.1).
    static func essence(_ value: String) -> String {
        let end = value.firstIndex(of: ";") ?? value.endIndex
        var essence = value[..<end]
        while let last = essence.last, last == " " || last == "\t" { essence.removeLast() }
        return essence.lowercased()
    }

    /// Whether the media type is JSON. A charset parameter has no meaning (RFC 8259 section 11).
    static func isJSON(_ value: String?, allowingMergePatch: Bool) -> Bool {
        guard let value else { return false }
        if value == json { return true }
        let essence = essence(value)
        return essence == json || (allowingMergePatch && essence == mergePatch)
    }

    /// Whether the client prefers CSV to JSON.
    static func prefersCSV(_ head: RequestHead, _ bytes: Span<UInt8>) -> Bool {
        AcceptHeader.prefers("text/csv", to: "application/json", head, bytes)
    }

    /// Whether the client prefers JSON to a page, including `application/problem+json`, the type of errors.
    static func prefersJSON(_ head: RequestHead, _ bytes: Span<UInt8>) -> Bool {
        AcceptHeader.prefers("application/json", to: "text/html", head, bytes)
            || AcceptHeader.prefers("application/problem+json", to: "text/html", head, bytes)
    }
}
