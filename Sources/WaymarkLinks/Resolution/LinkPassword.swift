import WaymarkBytes

/// The hash of a link's password, with what it was derived by, so that later versions can choose other parameters.
package struct LinkPassword: Sendable, Hashable {
    /// What a hash is derived by (scrypt, RFC 7914).
    package struct Parameters: Sendable, Hashable {
        /// The binary logarithm of the cost.
        package var costBits: Int
        package var blockSize: Int
        package var parallelism: Int

        /// 16 MiB of memory, and some hundredths of a second.
        package static let usual = Parameters(costBits: 14, blockSize: 8, parallelism: 1)

        /// Others would let an archive from elsewhere take all memory.
        fileprivate var areBounded: Bool {
            (1...15).contains(costBits) && (1...8).contains(blockSize) && (1...4).contains(parallelism)
        }
    }

    /// As stored: `scrypt:14:8:1:<salt>:<key>`.
    package let text: String

    package static let saltCount = 16
    package static let keyCount = 32
    /// In Unicode scalars.
    package static let lengths = 1...128

    package init(salt: [UInt8], key: [UInt8], by parameters: Parameters = .usual) {
        text =
            "scrypt:\(parameters.costBits):\(parameters.blockSize):\(parameters.parallelism):"
            + "\(Hexadecimal.text(salt)):\(Hexadecimal.text(key))"
    }

    /// Says in a link's history that there was a password, and opens nothing.
    package static let withheld = LinkPassword(
        salt: [UInt8](repeating: 0, count: saltCount), key: [UInt8](repeating: 0, count: keyCount))

    /// Nil for a text that no link has.
    package init?(_ text: String) {
        self.text = text
        guard text.utf8.count <= 200, parts != nil else { return nil }
    }

    /// Nil only while a text is checked.
    package var parts: (parameters: Parameters, salt: [UInt8], key: [UInt8])? {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 6, fields[0] == "scrypt", let cost = Int(fields[1]), let size = Int(fields[2]),
            let count = Int(fields[3]), let salt = Hexadecimal.bytes(String(fields[4])),
            let key = Hexadecimal.bytes(String(fields[5]))
        else { return nil }
        let parameters = Parameters(costBits: cost, blockSize: size, parallelism: count)
        guard parameters.areBounded, salt.count == Self.saltCount, key.count == Self.keyCount else { return nil }
        return (parameters, salt, key)
    }

    /// Whether a derived key is this one; takes as long wherever they differ.
    package func isOf(_ key: [UInt8]) -> Bool {
        guard let own = parts?.key, own.count == key.count else { return false }
        return zip(own, key).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// The bytes that a password is hashed as: keyboards write the same letters composed or not.
    package static func bytes(of password: String) -> [UInt8] { Array(UnicodeText.composed(password).utf8) }

    /// Why nobody could have this password; nil if one could.
    package static func problem(of password: String) -> String? {
        lengths.contains(password.unicodeScalars.prefix(lengths.upperBound + 1).count)
            ? nil : "must have 1 to \(lengths.upperBound) characters"
    }
}
