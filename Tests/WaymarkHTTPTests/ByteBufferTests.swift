import Testing
import WaymarkHTTP

@Suite struct ByteBufferTests {
    @Test func appendsWhateverItIsGiven() {
        let buffer = ByteBuffer(capacity: 64)
        let bytes = Array("bytes ".utf8)
        buffer.append("constant " as StaticString)
        buffer.append(bytes)
        buffer.append(bytes.span)
        buffer.append("t\u{E9}xt ")
        buffer.append(UInt8(ascii: "!"))
        #expect(String(decoding: buffer.bytes, as: UTF8.self) == "constant bytes bytes t\u{E9}xt !")
        #expect(buffer.count == buffer.bytes.count)
    }

    @Test(arguments: [0, 9, 10, 99, 100, 12_345, UInt64(Int64.max), .max])
    func writesNumbersInDigits(_ number: UInt64) {
        let buffer = ByteBuffer()
        buffer.append(decimal: number)
        #expect(String(decoding: buffer.bytes, as: UTF8.self) == String(number))
    }

    @Test func growsWithoutLosingAnything() {
        let buffer = ByteBuffer(capacity: 64)
        var expected: [UInt8] = []
        for round in 0..<500 {
            let piece = [UInt8](repeating: UInt8(round % 251), count: round % 37)
            buffer.append(piece)
            expected += piece
            let taken = min(round % 29, buffer.count)
            buffer.removeFirst(taken)
            expected.removeFirst(taken)
            #expect(buffer.bytes == expected)
        }
    }

    @Test func reusesTheRoomOfWhatWasTaken() {
        let buffer = ByteBuffer(capacity: 64)
        for round in 0..<100 {
            buffer.append([UInt8](repeating: UInt8(round), count: 20))
            if buffer.count > 20 { buffer.removeFirst(20) }
        }
        #expect(buffer.capacity == 64)
        #expect(buffer.bytes == [UInt8](repeating: 99, count: 20))
    }

    @Test func `a buffer is empty after everything is taken`() {
        let buffer = ByteBuffer()
        #expect(buffer.isEmpty)
        buffer.append("abc")
        buffer.removeFirst(3)
        #expect(buffer.isEmpty)
        buffer.append("abc")
        buffer.removeAll()
        #expect(buffer.count == 0)
    }

    @Test func lendsRoomToFill() {
        let buffer = ByteBuffer(capacity: 64)
        buffer.append("a")
        buffer.append(minimum: 100) { room in
            room[0] = UInt8(ascii: "b")
            room[1] = UInt8(ascii: "c")
            return room.count >= 100 ? 2 : 0
        }
        #expect(buffer.bytes == Array("abc".utf8))
        #expect(buffer.withBytes { $0.count } == 3)
    }
}
