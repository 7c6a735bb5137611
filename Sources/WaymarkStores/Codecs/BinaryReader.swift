/// Reads the output of `BinaryWriter`. All functions return nil for invalid bytes and never trap, because a damaged
/// disk is untrusted input.
struct BinaryReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }
    /// The bytes not read yet.
    var remainder: [UInt8] { Array(rest) }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func number() -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while let next = rest.popFirst() {
            let bits = UInt64(next & 0x7F)
            // The tenth byte has the last of 64 bits.
            guard shift < 63 || (shift == 63 && bits <= 1) else { return nil }
            value |= bits << shift
            if next < 0x80 { return value }
            shift += 7
        }
        return nil
    }

    mutating func signed() -> Int64? {
        number().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
    }

    mutating func run() -> ArraySlice<UInt8>? { number().flatMap { run(length: $0) } }

    /// A run whose length was read before.
    mutating func run(length: UInt64) -> ArraySlice<UInt8>? {
        guard length <= UInt64(rest.count) else { return nil }
        let run = rest.prefix(Int(length))
        rest = rest.dropFirst(Int(length))
        return run
    }

    mutating func text() -> String? {
        run().flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// A text whose length was read before.
    mutating func text(length: UInt64) -> String? {
        run(length: length).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
