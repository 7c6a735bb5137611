/// Text of `0-9 A-Z a-z`, for slugs and keys.
package enum Base62 {
    package static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    /// Uniformly distributed text of `length` characters.
    ///
    /// Bytes of 248 and above are discarded: 256 is not a multiple of 62, so the first characters of the alphabet
    /// would be more frequent.
    package static func random(length: Int, bytes: (_ count: Int) -> [UInt8]) -> String {
        var characters: [UInt8] = []
        characters.reserveCapacity(length)
        while characters.count < length {
            let fresh = bytes(length - characters.count + 4)
            for byte in fresh where byte < 248 && characters.count < length {
                characters.append(alphabet[Int(byte % 62)])
            }
        }
        return String(decoding: characters, as: UTF8.self)
    }
}
