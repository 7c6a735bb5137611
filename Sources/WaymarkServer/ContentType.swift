/// The media types of the files that a web site is made of, by file extension.
package enum ContentType {
    /// Text types carry `charset=utf-8`. An unknown extension is `application/octet-stream`: with nosniff a browser saves
    /// it and never runs it.
    package static func ofFile(named name: String) -> StaticString {
        // Apple wants this one without an extension, and as JSON.
        if name == "apple-app-site-association" { return "application/json" }
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "application/octet-stream" }
        switch name[name.index(after: dot)...].lowercased() {
        case "html", "htm": return "text/html; charset=utf-8"
        case "css": return "text/css; charset=utf-8"
        case "js", "mjs": return "text/javascript; charset=utf-8"
        case "txt": return "text/plain; charset=utf-8"
        case "md": return "text/markdown; charset=utf-8"
        case "json", "map": return "application/json"
        case "webmanifest": return "application/manifest+json"
        case "xml": return "application/xml"
        case "svg": return "image/svg+xml"
        case "png": return "image/png"
        case "jpg", "jpeg": return "image/jpeg"
        case "gif": return "image/gif"
        case "webp": return "image/webp"
        case "avif": return "image/avif"
        case "ico": return "image/x-icon"
        case "woff2": return "font/woff2"
        case "woff": return "font/woff"
        case "ttf": return "font/ttf"
        case "pdf": return "application/pdf"
        case "wasm": return "application/wasm"
        default: return "application/octet-stream"
        }
    }
}
