/// Reads a text with a host pattern on each line into a `HostSet`.
///
/// A `#` begins a comment. A line as of a hosts file, an address and behind it names, blocks those names, apart from the
/// ones by which a machine calls itself. Names with an underscore are passed over: no destination can have one.
package struct HostList {
    /// The first line that can't be read.
    package struct BadLine: Error, Equatable {
        /// From 1.
        package var number: Int
        /// A sentence that begins with what stands there.
        package var problem: String
    }

    /// What a hosts file says about the machine that it lies on.
    private static let ownNames: Set<String> = [
        "localhost", "localhost.localdomain", "local", "broadcasthost", "ip6-localhost", "ip6-loopback",
        "ip6-localnet", "ip6-mcastprefix", "ip6-allnodes", "ip6-allrouters", "ip6-allhosts",
    ]
    private static let usualAddresses = ["0.0.0.0", "127.0.0.1", "::", "::1"].map { Array($0.utf8) }

    private var hosts: HostSet
    private var name: [UInt8] = []

    /// About a tenth of a second for each megabyte at most.
    package static func read(_ bytes: [UInt8]) throws(BadLine) -> HostSet {
        // Lines of such lists have about 20 bytes.
        var list = HostList(hosts: HostSet(capacity: bytes.count / 24))
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var number = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            number += 1
            if let problem = list.read(line: bytes[start..<end]) { throw BadLine(number: number, problem: problem) }
            start = end + 1
        }
        return list.hosts
    }

    private init(hosts: HostSet) {
        self.hosts = hosts
        name.reserveCapacity(256)
    }

    private mutating func read(line: ArraySlice<UInt8>) -> String? {
        var rest = line
        func next() -> ArraySlice<UInt8>? {
            guard let start = rest.firstIndex(where: { !$0.isBlank }), rest[start] != UInt8(ascii: "#") else {
                return nil
            }
            let end = rest[start...].firstIndex { $0.isBlank || $0 == UInt8(ascii: "#") } ?? rest.endIndex
            defer { rest = rest[end...] }
            return rest[start..<end]
        }
        guard let first = next() else { return nil }
        guard var field = next() else { return add(first, isOwnNameIgnored: false) }
        guard Self.isAddress(first) else {
            return "\(Self.shown(first)) is no address, and more than one host stands on the line"
        }
        while true {
            if let problem = add(field, isOwnNameIgnored: true) { return problem }
            guard let another = next() else { return nil }
            field = another
        }
    }

    private mutating func add(_ field: ArraySlice<UInt8>, isOwnNameIgnored: Bool) -> String? {
        switch plainName(field) {
        case .name:
            if isOwnNameIgnored, name.count <= 21, Self.ownNames.contains(String(decoding: name, as: UTF8.self)) {
                return nil
            }
            hosts.insert(name[...], isBelow: false)
            return nil
        case .neverADestination: return nil
        case .unusual: break
        }
        let text = String(decoding: field, as: UTF8.self)
        switch HostPattern.check(text) {
        case .valid(let pattern): hosts.insert(pattern)
        case .problem(let problem): return "\(Self.shown(field)) \(problem)"
        }
        return nil
    }

    private enum Reading { case name, neverADestination, unusual }

    /// What nearly all lines hold, read without making a string of it: a name, which is in `name` then.
    private mutating func plainName(_ field: ArraySlice<UInt8>) -> Reading {
        name.removeAll(keepingCapacity: true)
        var label = 0
        var holdsUnderscore = false
        var last = UInt8(ascii: ".")
        for byte in field {
            if byte == UInt8(ascii: ".") {
                guard label > 0, last != UInt8(ascii: "-") else { return .unusual }
                label = 0
            } else {
                let isHyphen = byte == UInt8(ascii: "-")
                if byte == UInt8(ascii: "_") { holdsUnderscore = true }
                guard byte.isAlphanumeric || isHyphen || byte == UInt8(ascii: "_"), !(label == 0 && isHyphen) else {
                    return .unusual
                }
                label += 1
                if label > 63 { return .unusual }
            }
            name.append(byte.lowercased)
            last = byte
        }
        if last == UInt8(ascii: ".") { _ = name.popLast() }
        guard !name.isEmpty, name.count <= HostName.maximumLength, last != UInt8(ascii: "-") else { return .unusual }
        if holdsUnderscore { return .neverADestination }
        // A last label that begins with a digit may be an address in some spelling.
        let tail = name.lastIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? 0
        return name[tail].isDigit ? .unusual : .name
    }

    private static func isAddress(_ field: ArraySlice<UInt8>) -> Bool {
        if usualAddresses.contains(where: { field.elementsEqual($0) }) { return true }
        let text = String(decoding: field.prefix { $0 != UInt8(ascii: "%") }, as: UTF8.self)
        return HostName(text)?.isAddress == true
    }

    private static func shown(_ field: ArraySlice<UInt8>) -> String {
        "\"\(String(decoding: field, as: UTF8.self).shownAsName)\""
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}
