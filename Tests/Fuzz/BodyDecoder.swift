// needs: WaymarkHTTP
// begins with: conformance-bodies

import WaymarkHTTP

/// A chunked body: the same data and the same end however it is cut, and never more data than allowed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let whole = decode(bytes, in: count)
    precondition(whole.data.count <= 4_096, "more data than the limit")
    guard count > 0 else { return 0 }
    for size in [1, 2, 3, 7, 16, max(1, count / 2)] {
        let other = decode(bytes, in: size)
        precondition(other == whole, "in pieces of \(size): \(other) instead of \(whole)")
    }
    return 0
}

private struct Decoded: Equatable {
    var data: [UInt8] = []
    /// Bytes used up, where the body ended.
    var end: Int?
    var status: UInt16?
}

private func decode(_ bytes: [UInt8], in size: Int) -> Decoded {
    var result = Decoded()
    var decoder = BodyDecoder(.chunked, limit: 4_096)
    var position = 0
    while position < bytes.count {
        // A copy of just this piece, so that a byte too many is found by the address sanitizer.
        let piece = Array(bytes[position..<min(bytes.count, position + max(1, size))])
        var used = 0
        piece: while true {
            switch decoder.decode(piece.span.extracting(used..<piece.count)) {
            case .data(let range, let consumed):
                precondition(!range.isEmpty && Int(range.end) == consumed, "data goes up to what is consumed")
                result.data += piece[(used + Int(range.start))..<(used + Int(range.end))]
                used += consumed
            case .needMore(let consumed):
                precondition(used + consumed == piece.count, "all is consumed before more is asked for")
                break piece
            case .end(let consumed):
                result.end = position + used + consumed
                return result
            case .reject(let status, _):
                result.status = status.code
                return result
            }
        }
        position += piece.count
    }
    return result
}
