import WaymarkBytes

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
