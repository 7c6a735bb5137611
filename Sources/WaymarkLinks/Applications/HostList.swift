import WaymarkBytes

/// Reads a text with a host pattern on each line into a `HostSet`.
///
/// A `#` begins a comment. A line in the format of a hosts file, an address followed by names, blocks those names,
/// except those of the machine itself. Names with an underscore are skipped, because no destination can have one.
package struct HostList {
    /// The first invalid line.
    package struct BadLine: Error, Equatable {
        /// The line number, from 1.
        package var number: Int
        /// A sentence that begins with the invalid text.
        package var problem: String
    }

    /// The names of the machine itself in a hosts file.
    private static let ownNames: Set<[UInt8]> = Set(
        [
            "localhost", "localhost.localdomain", "local", "broadcasthost", "ip6-localhost", "ip6-loopback",
            "ip6-localnet", "ip6-mcastprefix", "ip6-allnodes", "ip6-allrouters", "ip6-allhosts",
        ].map { Array($0.utf8) })
    private static let usualAddresses = ["0.0.0.0", "127.0.0.1", "::", "::1"].map { Array($0.utf8) }

    private let bytes: [UInt8]
    private var hosts: HostSet
    /// The name parsed last.
    private var name: [UInt8] = []

    package static func read(_ bytes: [UInt8]) throws(BadLine) -> HostSet {
        var list = HostList(bytes)
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var number = 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
            number += 1
            if let problem = list.read(line: start..<end) { throw BadLine(number: number, problem: problem) }
            start = end + 1
        }
        return list.hosts
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // Lines of such lists have about 20 bytes on average.
        hosts = HostSet(capacity: bytes.count / 24)
        name.reserveCapacity(256)
    }

    private mutating func read(line: Range<Int>) -> String? {
        var index = line.lowerBound
        guard let first = field(&index, line.upperBound) else { return nil }
        guard var name = field(&index, line.upperBound) else { return add(first, isOwnNameIgnored: false) }
        guard isAddress(first) else {
            return "\(shown(first)) is not an IP address; give one host per line"
        }
        while true {
            if let problem = add(name, isOwnNameIgnored: true) { return problem }
            guard let another = field(&index, line.upperBound) else { return nil }
            name = another
        }
    }

    /// The next field between blanks; nil at the end of the line and before a comment.
    private func field(_ index: inout Int, _ end: Int) -> Range<Int>? {
        while index < end, bytes[index].isBlank { index += 1 }
        let start = index
        while index < end, !bytes[index].isBlank, bytes[index] != UInt8(ascii: "#") { index += 1 }
        return start < index ? start..<index : nil
    }

    private mutating func add(_ field: Range<Int>, isOwnNameIgnored: Bool) -> String? {
        switch plainName(field) {
        case .name:
            if isOwnNameIgnored, name.count <= 21, Self.ownNames.contains(name) { return nil }
            hosts.insert(name, isBelow: false)
            return nil
        case .neverADestination: return nil
        case .unusual: break
        }
        switch HostPattern.check(String(decoding: bytes[field], as: UTF8.self)) {
        case .valid(let pattern): hosts.insert(pattern)
        case .problem(let problem): return "\(shown(field)) \(problem)"
        }
        return nil
    }

    private enum Reading { case name, neverADestination, unusual }

    /// Fast path for nearly all lines: reads a name into `name` without creating a string.
    private mutating func plainName(_ field: Range<Int>) -> Reading {
        name.removeAll(keepingCapacity: true)
        var label = 0
        var holdsUnderscore = false
        var startsWithDigit = false
        var last = UInt8(ascii: ".")
        var index = field.lowerBound
        while index < field.upperBound {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: ".") {
                guard label > 0, last != UInt8(ascii: "-") else { return .unusual }
                label = 0
            } else {
                let isHyphen = byte == UInt8(ascii: "-")
                if byte == UInt8(ascii: "_") { holdsUnderscore = true }
                guard byte.isAlphanumeric || isHyphen || byte == UInt8(ascii: "_"), !(label == 0 && isHyphen) else {
                    return .unusual
                }
                if label == 0 { startsWithDigit = byte.isDigit }
                label += 1
                if label > 63 { return .unusual }
            }
            name.append(byte.lowercased)
            last = byte
        }
        if last == UInt8(ascii: ".") { _ = name.popLast() }
        guard !name.isEmpty, name.count <= HostName.maximumLength, last != UInt8(ascii: "-") else { return .unusual }
        if holdsUnderscore { return .neverADestination }
        // A last label that begins with a digit may be part of an IPv4 address in some notation.
        return startsWithDigit ? .unusual : .name
    }

    private func isAddress(_ field: Range<Int>) -> Bool {
        if Self.usualAddresses.contains(where: { bytes[field].elementsEqual($0) }) { return true }
        let text = String(decoding: bytes[field].prefix { $0 != UInt8(ascii: "%") }, as: UTF8.self)
        return HostName(text)?.isAddress == true
    }

    private func shown(_ field: Range<Int>) -> String {
        "\"\(String(decoding: bytes[field], as: UTF8.self).shownAsName)\""
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}
