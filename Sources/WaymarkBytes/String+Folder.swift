extension String {
    /// The folder that has the file with this path, as POSIX `dirname` gives it: "." for a bare name.
    ///
    /// Foundation's `NSString.deletingLastPathComponent` ends the process on Linux if the string has one character.
    package var folderOfPath: String {
        let parents = utf8.split(separator: UInt8(ascii: "/")).dropLast().map { String(decoding: $0, as: UTF8.self) }
        let isAbsolute = utf8.first == UInt8(ascii: "/")
        return parents.isEmpty ? (isAbsolute ? "/" : ".") : (isAbsolute ? "/" : "") + parents.joined(separator: "/")
    }
}
