/// Takes one answer from the bytes of a connection (RFC 9112). It is strict about what the server may send: a length or
/// chunks, not both, and no bare line feeds.
struct AnswerReader {
    let hasBody: Bool

    /// The answer, taken from the front of `bytes`; nil where more is needed.
    func read(_ bytes: inout [UInt8]) throws(Connection.Failure) -> Answer? {
        guard let head = try head(bytes) else { return nil }
        let body: [UInt8]
        let end: Int
        if !hasBody || head.status == 204 || head.status == 304 || (100..<200).contains(head.status) {
            body = []
            end = head.length
        } else if let length = head.contentLength {
            guard bytes.count >= head.length + length else { return nil }
            end = head.length + length
            body = Array(bytes[head.length..<end])
        } else if head.isChunked {
            guard let chunks = try chunks(bytes, from: head.length) else { return nil }
            (body, end) = chunks
        } else {
            return nil
        }
        bytes.removeFirst(end)
        return Answer(status: head.status, fields: head.fields, body: body)
    }

    /// The answer whose body ends with the stream.
    func end(_ bytes: inout [UInt8]) -> Answer? {
        guard let head = try? head(bytes), head.contentLength == nil, !head.isChunked else { return nil }
        let body = Array(bytes[head.length...])
        bytes = []
        return Answer(status: head.status, fields: head.fields, body: body)
    }

    private struct Head {
        var status: Int
        var fields: [(name: String, value: String)]
        /// In bytes, the empty line included.
        var length: Int
        var contentLength: Int?
        var isChunked: Bool
    }

    private func head(_ bytes: [UInt8]) throws(Connection.Failure) -> Head? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let text = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        let parts = lines[0].split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "HTTP/1.1", parts[1].count == 3, let status = Int(parts[1]) else {
            throw .malformed(lines[0])
        }
        var fields: [(name: String, value: String)] = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":"), !line.contains("\n"), !line.contains("\r") else {
                throw .malformed(line)
            }
            let value = line[line.index(after: colon)...].trimmingPrefix { $0 == " " }
            fields.append((String(line[..<colon]), String(value)))
        }
        let lengths = fields.filter { $0.name.lowercased() == "content-length" }
        let isChunked = fields.contains { $0.name.lowercased() == "transfer-encoding" && $0.value == "chunked" }
        guard lengths.count <= 1, !(isChunked && !lengths.isEmpty) else { throw .malformed("two lengths") }
        return Head(
            status: status, fields: fields, length: end.upperBound,
            contentLength: lengths.first.flatMap { Int($0.value) },
            isChunked: isChunked)
    }

    private func chunks(_ bytes: [UInt8], from start: Int) throws(Connection.Failure) -> (body: [UInt8], end: Int)? {
        var body: [UInt8] = []
        var location = start
        while true {
            guard let line = bytes[location...].firstRange(of: Array("\r\n".utf8)) else { return nil }
            guard let size = Int(String(decoding: bytes[location..<line.lowerBound], as: UTF8.self), radix: 16) else {
                throw .malformed("chunk size")
            }
            guard bytes.count >= line.upperBound + size + 2 else { return nil }
            body += bytes[line.upperBound..<line.upperBound + size]
            location = line.upperBound + size + 2
            if size == 0 { return (body, location) }
        }
    }
}
