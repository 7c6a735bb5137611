import WaymarkHTTP

/// What a request says that its body is, and what answer it would like.
enum MediaType {
    static let json = "application/json"
    static let mergePatch = "application/merge-patch+json"

    /// `application/json; charset=utf-8` is `application/json`: parameters are left out, case does not matter
    /// (RFC 9110 section 8.3.1).
    static func essence(_ value: String) -> String {
        let end = value.firstIndex(of: ";") ?? value.endIndex
        var essence = value[..<end]
        while let last = essence.last, last == " " || last == "\t" { essence.removeLast() }
        return essence.lowercased()
    }

    /// Whether the body may be read as JSON: the right type. A charset means nothing there (RFC 8259 section 11).
    static func isJSON(_ value: String?, allowingMergePatch: Bool) -> Bool {
        guard let value else { return false }
        let essence = essence(value)
        return essence == json || (allowingMergePatch && essence == mergePatch)
    }

    /// Whether an answer should be a table: only where one is asked for and JSON is not.
    static func prefersCSV(_ accept: String?) -> Bool {
        guard let accept = accept?.lowercased() else { return false }
        return accept.contains("text/csv") && !accept.contains("json")
    }

    /// Whether an error should be JSON rather than a page: only where that is asked for and a page is not.
    static func prefersJSON(_ accept: String?) -> Bool {
        guard let accept = accept?.lowercased() else { return false }
        return accept.contains("json") && !accept.contains("text/html")
    }
}
