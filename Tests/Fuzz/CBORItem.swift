// needs: WaymarkSignIn
// links: ssl crypto z
// begins with: Tests/Fuzz/Corpus/CBORItem
// longest: 2048

import WaymarkSignIn

/// Any bytes as an authenticator's CBOR. There is one form of each item, so what was read is written as the same bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let item = try? CBORReader.item(of: bytes) else { return 0 }
    var written: [UInt8] = []
    write(item, to: &written)
    precondition(written == bytes, "the item has another form")
    return 0
}

private func write(_ item: CBOR, to bytes: inout [UInt8]) {
    switch item {
    case .unsigned(let value): head(0, value, to: &bytes)
    case .negative(let value): head(1, value, to: &bytes)
    case .bytes(let value):
        head(2, UInt64(value.count), to: &bytes)
        bytes += value
    case .text(let value):
        head(3, UInt64(value.utf8.count), to: &bytes)
        bytes += Array(value.utf8)
    case .array(let elements):
        head(4, UInt64(elements.count), to: &bytes)
        for element in elements { write(element, to: &bytes) }
    case .map(let entries):
        head(5, UInt64(entries.count), to: &bytes)
        for entry in entries {
            write(entry.key, to: &bytes)
            write(entry.value, to: &bytes)
        }
    case .bool(let value): bytes.append(value ? 0xF5 : 0xF4)
    case .null: bytes.append(0xF6)
    }
}

private func head(_ kind: UInt8, _ value: UInt64, to bytes: inout [UInt8]) {
    let size =
        switch value {
        case ..<24: 0
        case ...0xFF: 1
        case ...0xFFFF: 2
        case ...0xFFFF_FFFF: 4
        default: 8
        }
    let low: UInt8 =
        switch size {
        case 0: UInt8(value)
        case 1: 24
        case 2: 25
        case 4: 26
        default: 27
        }
    bytes.append(kind << 5 | low)
    for index in (0..<size).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> (UInt64(index) * 8))) }
}
