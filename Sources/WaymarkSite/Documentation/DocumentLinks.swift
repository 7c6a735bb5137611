/// Rewrites the relative links of a Markdown page, whose files have other addresses here than in the repository.
struct DocumentLinks {
    /// By path in the repository.
    private let addresses: [String: String]
    /// Where the page is.
    private let folder: [Substring]

    init(_ addresses: [String: String], from path: String) {
        self.addresses = addresses
        folder = path.split(separator: "/").dropLast()
    }

    /// Links to files that are not served become their text. Code stays as it is.
    func rewritten(_ page: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(page.count)
        /// Places in `output` of brackets that are still open.
        var open: [Int] = []
        var position = 0
        while position < page.count {
            switch page[position] {
            case UInt8(ascii: "`"):
                let end = endOfCode(page, from: position)
                output += page[position..<end]
                position = end
                continue
            case UInt8(ascii: "["): open.append(output.count)
            case UInt8(ascii: "]"):
                guard let start = open.popLast() else { break }
                guard position + 1 < page.count, page[position + 1] == UInt8(ascii: "("),
                    let end = page[position...].firstIndex(of: UInt8(ascii: ")"))
                else { break }
                let target = String(decoding: page[(position + 2)..<end], as: UTF8.self)
                if let address = address(of: target) {
                    output += Array("](\(address))".utf8)
                } else {
                    output.remove(at: start)
                    if start > 0, output[start - 1] == UInt8(ascii: "!") { output.remove(at: start - 1) }
                }
                position = end + 1
                continue
            default: break
            }
            output.append(page[position])
            position += 1
        }
        return output
    }

    /// The end of a code span or of a fenced block, whose marks are equally long; only the mark itself if it has no end.
    private func endOfCode(_ page: [UInt8], from start: Int) -> Int {
        let mark = page[start...].prefix { $0 == UInt8(ascii: "`") }
        var position = mark.endIndex
        while let next = page[position...].firstIndex(of: UInt8(ascii: "`")) {
            let found = page[next...].prefix { $0 == UInt8(ascii: "`") }
            if found.count == mark.count { return found.endIndex }
            position = found.endIndex
        }
        return mark.endIndex
    }

    /// Nil for a file that is not served.
    private func address(of target: String) -> String? {
        if target.contains("://") || target.hasPrefix("#") || target.hasPrefix("mailto:") { return target }
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        var path = folder
        for segment in parts[0].split(separator: "/") where segment != "." {
            if segment == ".." { _ = path.popLast() } else { path.append(segment) }
        }
        guard let address = addresses[path.joined(separator: "/")] else { return nil }
        return parts.count > 1 ? "\(address)#\(parts[1])" : address
    }
}
