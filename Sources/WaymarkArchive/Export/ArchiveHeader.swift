import WaymarkBytes
internal import WaymarkJSON

/// The first line of an export.
package struct ArchiveHeader: Sendable, Equatable {
    /// 2 added activity, 3 the platforms of keys and registered routes, 4 totals of clicks, 5 aliases and the
    /// history of links, 6 webhooks and conversions, 7 rules as JSON, 8 clicks on long links, 9 people
    /// and extras of applications, 10 what changes of links replaced.
    static let format = 10
    static let readableFormats = 1...format

    /// The format of this export.
    let format: Int
    /// Random; identifies the export.
    package let id: String
    package let createdAt: String
    /// The number of links when the export began; for progress only.
    package let links: Int

    package init(id: String, createdAt: String, links: Int) {
        self.init(format: Self.format, id: id, createdAt: createdAt, links: links)
    }

    private init(format: Int, id: String, createdAt: String, links: Int) {
        self.format = format
        self.id = id
        self.createdAt = createdAt
        self.links = links
    }

    package var line: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("waymark", "export")
        writer.member("format", format)
        writer.member("id", id)
        writer.member("createdAt", createdAt)
        writer.member("links", links)
        writer.endObject()
        return writer.bytes
    }

    /// - Throws: `ArchiveFailure` if the line is not a header, or has a newer format.
    package init(line: [UInt8]) throws {
        guard let value = try? JSONValue(parsing: line), value["waymark"]?.string == "export",
            let format = value["format"]?.integer, let id = value["id"]?.string
        else { throw ArchiveFailure("does not begin as an export does") }
        guard Self.readableFormats.contains(format) else {
            throw ArchiveFailure("has the format \(format); this version reads formats up to \(Self.format)")
        }
        self.init(
            format: format, id: id, createdAt: value["createdAt"]?.string ?? "",
            links: max(0, value["links"]?.integer ?? 0))
    }
}

/// The last line of an export: the number of lines before it, and their digest.
struct ArchiveEnd: Equatable {
    var lines: Int
    var links: Int
    /// A digest of all lines before it; each is hashed together with the digest of the previous ones.
    var digest: String

    var line: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("end")
        writer.beginObject()
        writer.member("lines", lines)
        writer.member("links", links)
        writer.member("digest", digest)
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }

    init(lines: Int, links: Int, digest: String) {
        self.lines = lines
        self.links = links
        self.digest = digest
    }

    /// Nil if the value is another kind of line.
    init?(_ value: JSONValue) {
        guard let end = value["end"], let lines = end["lines"]?.integer, let links = end["links"]?.integer,
            let digest = end["digest"]?.string
        else { return nil }
        self.init(lines: lines, links: links, digest: digest)
    }
}

/// Why an export, an import or a check failed: one sentence without a subject and a full stop.
package struct ArchiveFailure: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// What the lines so far amount to; the end of an export repeats it.
struct LineDigest {
    private let sha256: ([UInt8]) -> [UInt8]
    private var value: [UInt8] = []
    private(set) var lines = 0
    private(set) var links = 0

    init(sha256: @escaping ([UInt8]) -> [UInt8]) { self.sha256 = sha256 }

    mutating func add(_ line: [UInt8], isLink: Bool) {
        value = sha256(value + line)
        lines += 1
        if isLink { links += 1 }
    }

    var end: ArchiveEnd { ArchiveEnd(lines: lines, links: links, digest: Hexadecimal.text(value)) }
}
