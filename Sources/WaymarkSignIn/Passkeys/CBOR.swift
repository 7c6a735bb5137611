/// One item of CBOR (RFC 8949), of the kinds that authenticators send.
package indirect enum CBOR: Sendable, Equatable {
    case unsigned(UInt64)
    /// The number is -1 minus this.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBOR])
    /// In the order of the encoding, no key twice.
    case map([Entry])
    case bool(Bool)
    case null

    package struct Entry: Sendable, Equatable {
        package let key: CBOR
        package let value: CBOR
    }

    /// A number in the range of Int.
    init(_ number: Int) {
        self = number < 0 ? .negative(UInt64(-1 - number)) : .unsigned(UInt64(number))
    }

    /// Nil where the item is no map, or has no such key.
    subscript(key: CBOR) -> CBOR? {
        guard case .map(let entries) = self else { return nil }
        return entries.first { $0.key == key }?.value
    }

    subscript(number: Int) -> CBOR? { self[CBOR(number)] }
    subscript(name: String) -> CBOR? { self[.text(name)] }

    /// Nil where the item is no number that fits.
    var integer: Int? {
        switch self {
        case .unsigned(let value): Int(exactly: value)
        case .negative(let value): Int(exactly: value).map { -1 - $0 }
        default: nil
        }
    }

    var bytes: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    var isMap: Bool {
        if case .map = self { true } else { false }
    }
}
