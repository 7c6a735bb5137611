/// Names of files in a folder that is served.
enum FileName {
    /// Whether a name can be served: no way up or across, nothing hidden but what RFC 8615 defines.
    static func isVisible(_ name: String) -> Bool {
        guard let first = name.utf8.first else { return false }
        if first == UInt8(ascii: "."), name != ".well-known" { return false }
        return !name.utf8.contains {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") || $0 < 0x20 || $0 == 0x7F
        }
    }

    /// Whether the name changes with the content, as bundlers name what they make: one of the parts between dots, hyphens
    /// and underscores, other than the extension, is 8 to 64 hexadecimal digits in lower case with both a digit and a
    /// letter among them. Never a page: people know those by their names.
    static func holdsHash(_ name: String) -> Bool {
        let parts = name.utf8.split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
        guard name.utf8.contains(UInt8(ascii: ".")), let suffix = parts.last,
            !["html", "htm", "xhtml"].contains(where: { suffix.elementsEqual($0.utf8) })
        else { return false }
        return parts.dropLast().contains { part in
            let digits = part.count { (0x30...0x39).contains($0) }
            let letters = part.count { (0x61...0x66).contains($0) }
            return (8...64).contains(part.count) && digits > 0 && letters > 0 && digits + letters == part.count
        }
    }
}
