/// A file's type, derived from its name: its media type, and whether gzip makes it smaller.
package struct FileType: Sendable {
    /// Text types carry `charset=utf-8`.
    package let mediaType: StaticString
    /// False if the format itself is compressed.
    package let isCompressible: Bool

    private init(_ mediaType: StaticString, isCompressible: Bool) {
        self.mediaType = mediaType
        self.isCompressible = isCompressible
    }

    private static func text(_ mediaType: StaticString) -> FileType { FileType(mediaType, isCompressible: true) }
    private static func packed(_ mediaType: StaticString) -> FileType { FileType(mediaType, isCompressible: false) }

    /// Derived from the extension, ignoring case. An unknown one is `application/octet-stream`: with nosniff a
    /// browser downloads it and never runs it.
    package init(ofFileNamed name: String) {
        // Apple requires this file without an extension, and as JSON.
        if name == "apple-app-site-association" {
            self = .text("application/json")
            return
        }
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else {
            self = .packed("application/octet-stream")
            return
        }
        let suffix = name[name.index(after: dot)...].lowercased()
        self = Self.page(suffix) ?? Self.picture(suffix) ?? Self.other(suffix)
    }

    private static func page(_ suffix: String) -> FileType? {
        switch suffix {
        case "html", "htm": .text("text/html; charset=utf-8")
        case "xhtml": .text("application/xhtml+xml")
        case "css": .text("text/css; charset=utf-8")
        case "js", "mjs": .text("text/javascript; charset=utf-8")
        case "txt", "text", "log": .text("text/plain; charset=utf-8")
        case "md": .text("text/markdown; charset=utf-8")
        case "csv": .text("text/csv; charset=utf-8")
        case "ics": .text("text/calendar; charset=utf-8")
        case "vtt": .text("text/vtt; charset=utf-8")
        case "json", "map": .text("application/json")
        case "jsonld": .text("application/ld+json")
        case "geojson": .text("application/geo+json")
        case "webmanifest": .text("application/manifest+json")
        case "yaml", "yml": .text("application/yaml")
        case "xml": .text("application/xml")
        case "rss": .text("application/rss+xml")
        case "atom": .text("application/atom+xml")
        case "wasm": .text("application/wasm")
        default: nil
        }
    }

    private static func picture(_ suffix: String) -> FileType? {
        switch suffix {
        case "svg": .text("image/svg+xml")
        case "png": .packed("image/png")
        case "jpg", "jpeg": .packed("image/jpeg")
        case "gif": .packed("image/gif")
        case "webp": .packed("image/webp")
        case "avif": .packed("image/avif")
        case "heic": .packed("image/heic")
        case "ico": .packed("image/x-icon")
        case "bmp": .text("image/bmp")
        case "mp4", "m4v": .packed("video/mp4")
        case "webm": .packed("video/webm")
        case "mov": .packed("video/quicktime")
        case "mp3": .packed("audio/mpeg")
        case "m4a": .packed("audio/mp4")
        case "ogg", "oga", "opus": .packed("audio/ogg")
        case "wav": .packed("audio/wav")
        default: nil
        }
    }

    private static func other(_ suffix: String) -> FileType {
        switch suffix {
        case "woff2": .packed("font/woff2")
        case "woff": .packed("font/woff")
        case "ttf": .text("font/ttf")
        case "otf": .text("font/otf")
        case "pdf": .packed("application/pdf")
        case "zip": .packed("application/zip")
        case "gz", "tgz": .packed("application/gzip")
        case "apk": .packed("application/vnd.android.package-archive")
        default: .packed("application/octet-stream")
        }
    }
}
