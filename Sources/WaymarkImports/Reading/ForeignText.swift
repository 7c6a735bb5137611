// Texts of other services may be long, and may be one character: a letter with a million accents. So they are cut and trimmed by
// bytes and scalars, never by characters.
extension String {
    /// Without spaces around it.
    var trimmed: String {
        guard utf8.first == 0x20 || utf8.last == 0x20 else { return self }
        guard let start = utf8.firstIndex(where: { $0 != 0x20 }), let last = utf8.lastIndex(where: { $0 != 0x20 })
        else { return "" }
        return String(self[start...last])
    }

    /// Its beginning, for a message.
    func excerpt(_ scalars: Int) -> String { String(String.UnicodeScalarView(unicodeScalars.prefix(scalars))) }

    /// Gives its parts between the ASCII separators until `take` is false. Empty parts are left out. There may be a million, so
    /// no array holds them.
    func forEachPart(_ separators: String, _ take: (String) -> Bool) {
        let separators = Array(separators.utf8)
        var rest = self[...].utf8
        while true {
            rest = rest.drop { separators.contains($0) }
            guard !rest.isEmpty else { return }
            let part = rest.prefix { !separators.contains($0) }
            guard take(String(Substring(part))) else { return }
            rest = rest[part.endIndex...]
        }
    }
}
