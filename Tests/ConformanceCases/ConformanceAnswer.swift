/// An answer as it came, and what RFC 9110 and 9112 ask of every answer.
struct ConformanceAnswer {
    /// What a server answers before anybody has looked at what the request wants.
    static let refusals: Set<Int> = [400, 405, 408, 413, 414, 417, 421, 431, 500, 501, 503, 505]

    let head: [UInt8]
    let status: Int
    let body: [UInt8]
    private let statusLine: String
    private let fields: [(name: String, value: String)]
    private let isToHead: Bool

    /// Takes an answer from the front of what was received; nil where it is not complete.
    init?(_ received: inout [UInt8], isToHead: Bool) {
        guard let end = received.firstRange(of: [0x0D, 0x0A, 0x0D, 0x0A]) else { return nil }
        head = Array(received[..<end.lowerBound])
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
        statusLine = String(lines[0])
        status = Int(statusLine.dropFirst(9).prefix(3)) ?? 0
        fields = lines.dropFirst().map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (String(line[..<colon]), String(line[colon...].dropFirst().drop { $0 == " " }))
        }
        self.isToHead = isToHead
        let hasBody = !isToHead && status >= 200 && status != 204 && status != 304
        let length = fields.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
        let bodyEnd = end.upperBound + (hasBody ? length : 0)
        guard received.count >= bodyEnd else { return nil }
        body = Array(received[end.upperBound..<bodyEnd])
        received.removeFirst(bodyEnd)
    }

    func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// What is wrong with it, whatever it answers.
    ///
    /// - Parameter ends: whether the connection ends behind it.
    func problems(ends: Bool) -> [String] {
        var problems: [String] = []
        if statusLine.wholeMatch(of: /HTTP\/1\.1 [1-5]\d\d [ -~]*/) == nil {
            problems.append("a malformed status line")
        }
        for field in fields where field.name.wholeMatch(of: /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/) == nil {
            problems.append("a malformed field name \(field.name)")
        }
        for name in ["Date", "Content-Length", "Connection", "Content-Type", "Allow"] where values(name).count > 1 {
            problems.append("\(name) twice")
        }
        if !values("Transfer-Encoding").isEmpty { problems.append("Transfer-Encoding") }
        let length = values("Content-Length").first
        if status < 200 || status == 204 {
            if length != nil { problems.append("a length where no body may be") }
        } else if status != 304, length == nil {
            problems.append("no length")
        }
        if status < 200 { return problems }
        let date =
            /(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT/
        if values("Date").first?.wholeMatch(of: date) == nil { problems.append("no Date") }
        if status == 405, values("Allow").isEmpty { problems.append("405 without Allow") }
        if status == 401, values("WWW-Authenticate").isEmpty { problems.append("401 without WWW-Authenticate") }
        if ends != (values("Connection").first == "close") {
            problems.append(ends ? "Connection: close is missing" : "Connection: close")
        }
        return problems
    }
}
