import Logging
import Synchronization
import WaymarkAPI
import WaymarkBytes
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `GET /api/v1/audit`: what callers changed, the newest first, as pages or as lines.
enum AuditHandler {
    static let parameters = ["key", "person", "action", "from", "to", "format", "limit", "cursor"]
    private static let limit = 50

    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let (query, isStream) = try query(call)
        if isStream {
            let source = AuditLines(query, for: call.key, site)
            return Response(.ok, fields: lineFields, body: .stream(ResponseStream(source)))
        }
        let page = try await site.service.audit.auditEntries(query)
        return .json(
            .ok,
            JSONWriter.text(capacity: 256 + page.entries.reduce(0) { $0 + $1.count + 1 }) { writer in
                writer.beginObject()
                writer.array("entries", page.entries) { $1.raw($0) }
                writer.member("cursor", page.next.map { $0.cursor })
                writer.endObject()
            })
    }

    private static let lineFields = HeaderFields(
        (.contentType, "application/jsonl"), (.cacheControl, "no-store"), (.xContentTypeOptions, "nosniff"))

    /// - Throws: `Problem` with all problems of the query.
    private static func query(_ call: Call) throws(Problem) -> (AuditQuery, isStream: Bool) {
        var problems: [FieldProblem] = []
        func one<Value>(_ name: String, _ rule: String, _ read: (String) -> Value?) -> Value? {
            let values = call.query.all(name)
            if values.count > 1 { problems.append(FieldProblem(field: name, problem: "is given more than once")) }
            guard let text = values.first, !text.isEmpty else { return nil }
            let value = read(text)
            if value == nil { problems.append(FieldProblem(field: name, problem: rule)) }
            return value
        }
        func id(_ name: String) -> String? {
            one(name, "must be the id of a \(name)") { text in
                text.utf8.count <= 64 && text.utf8.allSatisfy { $0.isAlphanumeric } ? text : nil
            }
        }
        let time = "must be a date or an RFC 3339 time, such as 2026-11-21 or 2026-11-21T10:00:00Z"
        var query = AuditQuery(limit: limit)
        query.applications = call.reach.applications
        query.key = id("key")
        query.person = id("person")
        query.action = one("action", "must be an action, such as link.created, or a group of them, such as link.*") {
            action($0)
        }
        query.from = one("from", time) { Self.time($0, dateEndsAfter: 0) }
        query.to = one("to", time) { Self.time($0, dateEndsAfter: Timestamp.secondsOfDay * 1_000) }
        if let from = query.from, let to = query.to, from >= to {
            problems.append(FieldProblem(field: "from", problem: "must be before to"))
        }
        let size = one("limit", "must be a whole number from 1 to 200") { text in
            Int(text).flatMap { (1...200).contains($0) && text.utf8.first != UInt8(ascii: "+") ? $0 : nil }
        }
        query.limit = size ?? limit
        query.after = one("cursor", "must be a cursor that a page was answered with") { AuditPosition(cursor: $0) }
        let format = one("format", "must be json or jsonl") { ["json", "jsonl"].contains($0) ? $0 : nil }
        guard problems.isEmpty else { throw Problem(invalid: problems) }
        return (query, format == "jsonl")
    }

    private static func action(_ text: String) -> String? {
        if AuditAction(rawValue: text) != nil { return text }
        guard text.hasSuffix(".*") else { return nil }
        let group = String(text.dropLast())
        return AuditAction.allCases.contains { $0.rawValue.hasPrefix(group) } ? group : nil
    }

    private static func time(_ text: String, dateEndsAfter length: Int64) -> Timestamp? {
        Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "T00:00:00Z")?.advanced(byMilliseconds: length)
    }
}

/// All entries, one on each line; a page of them is in memory at a time.
final class AuditLines: BodySource {
    private static let page = 200

    private let key: KeyIdentity
    private let site: Site
    /// Of the next page; nil after the last.
    private let query: Mutex<AuditQuery?>

    init(_ query: AuditQuery, for key: KeyIdentity, _ site: Site) {
        var query = query
        query.limit = Self.page
        self.key = key
        self.site = site
        self.query = Mutex(query)
    }

    func next() async -> [UInt8]? {
        while let query = query.withLock({ $0 }) {
            // The caller may have lost the right meanwhile.
            guard site.service.keys.isValid(key) else { return nil }
            let page: AuditPage
            do {
                page = try await site.service.audit.auditEntries(query)
            } catch {
                site.logger.warning("a list of the audit ends early: \(error)")
                return nil
            }
            self.query.withLock { query in
                guard let next = page.next else { return query = nil }
                query?.after = next
            }
            guard !page.entries.isEmpty else { continue }
            return page.entries.reduce(into: []) { lines, entry in
                lines += entry
                lines.append(UInt8(ascii: "\n"))
            }
        }
        return nil
    }

    func cancel() { query.withLock { $0 = nil } }
}

extension AuditPosition {
    fileprivate var cursor: String {
        Hexadecimal.text(UInt64(bitPattern: at.rawValue), width: 16)
            + Hexadecimal.text(UInt64(bitPattern: number), width: 16)
    }

    fileprivate init?(cursor: String) {
        let isHexadecimal = cursor.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard cursor.utf8.count == 32, isHexadecimal, let at = UInt64(cursor.prefix(16), radix: 16),
            let number = UInt64(cursor.suffix(16), radix: 16)
        else { return nil }
        self.init(at: Timestamp(rawValue: Int64(bitPattern: at)), number: Int64(bitPattern: number))
    }
}
