/// A response that is encoded once and copied out any number of times: only its Date changes, and where its maker asks for it
/// one text wherever that stands.
///
/// One piece of memory, because out of many responses each is mostly far from the processor: the whole head with an empty
/// line behind it, as a client of HTTP/1.1 gets it on a connection that stays open, and behind that the body. Its maker may
/// keep an annotation in front, so that what it knows of the response is where the response is.
///
/// `@safe` because the memory belongs to the object alone, and after `make` only `replaceVariable` changes what is in it.
@safe @usableFromInline
package final class PreparedResponse: ManagedBuffer<PreparedResponse.Shape, UInt8> {
    /// A multiple of eight bytes, so that what follows is aligned to as many.
    @usableFromInline
    package struct Shape: Sendable {
        @usableFromInline let status: Status
        @usableFromInline let route: Int32
        /// Where the head begins: behind the maker's annotation and the places of the text that changes.
        @usableFromInline let headOffset: Int32
        @usableFromInline let headCount: Int32
        @usableFromInline let bodyCount: Int32
        /// Where in the head the Date line stands.
        @usableFromInline let dateOffset: Int32
        /// In how many places of head and body the text stands that changes.
        @usableFromInline let variableCount: Int32
        /// How long it is.
        @usableFromInline let variableLength: Int32
    }

    /// What so many places take in front of the head: a multiple of eight bytes, as the annotation should be.
    private static func offsetBytes(_ count: Int) -> Int { (count &* MemoryLayout<Int32>.stride &+ 7) & ~7 }

    /// - Parameters:
    ///   - route: under what its maker counts it; means nothing here.
    ///   - annotationCount: bytes to keep for the maker, who initializes them, and deinitializes them before the end.
    ///   - variable: what stands where each copy is to have another text of the same length; a text that nothing else could
    ///     hold by chance. Empty for none.
    /// - Precondition: the status allows a Date, so it is not a 1xx; one that forbids a body comes without.
    package static func make(
        _ status: Status, fields: HeaderFields, body: [UInt8] = [], route: Int = 0, annotationCount: Int = 0,
        variable: [UInt8] = []
    ) -> PreparedResponse {
        precondition(status.code >= 200, "an interim response has no Date")
        precondition(body.isEmpty || !status.forbidsBody, "this status has no body")
        let bytes = ByteBuffer(capacity: 1_024)
        ResponseHead(status: status, fields: fields, contentLength: status.code == 304 ? nil : UInt64(body.count))
            .append(to: bytes, date: DateLine(unixSeconds: 0), persistence: .implied)
        let headCount = bytes.count
        bytes.append(body)
        let offsets = variable.isEmpty ? [] : Self.offsets(of: variable, in: bytes.bytes)
        let headOffset = annotationCount + offsetBytes(offsets.count)
        let buffer = create(minimumCapacity: headOffset + bytes.count) { _ in
            Shape(
                status: status, route: Int32(route), headOffset: Int32(headOffset),
                headCount: Int32(headCount), bodyCount: Int32(body.count),
                dateOffset: Int32(ResponseHead.statusLineLength(status) + fields.bytes.count),
                variableCount: Int32(offsets.count), variableLength: Int32(variable.count))
        }
        // unsafe because it copies through pointers: there is room for as many places and bytes, and `create` makes this class.
        let response = unsafe unsafeDowncast(buffer, to: PreparedResponse.self)
        unsafe bytes.withBytes { bytes in
            guard let source = bytes.baseAddress else { return }
            unsafe UnsafeMutableRawPointer(response.head).copyMemory(from: source, byteCount: bytes.count)
        }
        for (number, offset) in offsets.enumerated() { unsafe response.offsets[number] = offset }
        return response
    }

    /// Where the text stands, overlaps left out.
    private static func offsets(of text: [UInt8], in bytes: [UInt8]) -> [Int32] {
        guard let first = text.first else { return [] }
        var offsets: [Int32] = []
        var rest = bytes[...]
        while let start = rest.firstIndex(of: first), bytes.count - start >= text.count {
            let isHere = bytes[start..<start + text.count].elementsEqual(text)
            if isHere { offsets.append(Int32(start)) }
            rest = bytes[(start + (isHere ? text.count : 1))...]
        }
        return offsets
    }

    @inlinable package var status: Status { shape.status }
    /// Under what its maker counts it.
    @inlinable package var route: Int { Int(shape.route) }
    /// The length of the body.
    @inlinable package var bodyCount: Int { Int(shape.bodyCount) }
    private var headCount: Int { Int(shape.headCount) }
    private var dateOffset: Int { Int(shape.dateOffset) }

    /// The maker's bytes, aligned to eight. Good for as long as the object lives.
    @inlinable @inline(__always)
    package var annotation: UnsafeMutableRawPointer {
        // unsafe because it points into the object itself.
        unsafe withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) }
    }

    /// Instead of `header`, which is checked for exclusivity with each look.
    @inlinable @inline(__always)
    var shape: Shape {
        // unsafe because it reads through a pointer, into the object itself.
        unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee }
    }

    /// Whether there is a text that changes.
    @inlinable @inline(__always)
    package var isVariable: Bool { shape.variableCount > 0 }

    /// Writes a text wherever the one stands that changes.
    ///
    /// - Precondition: it is as long as the one that `make` was given.
    package func replaceVariable<Text: BitwiseCopyable>(with text: Text) {
        precondition(MemoryLayout<Text>.size == Int(shape.variableLength), "another length than there is room for")
        // unsafe because it writes through pointers: a place was found within head and body, with as many bytes behind it.
        for number in 0..<Int(shape.variableCount) {
            let slot = unsafe UnsafeMutableRawPointer(head + Int(offsets[number]))
            unsafe slot.storeBytes(of: text, as: Text.self)
        }
    }

    /// Where the text stands that changes, counted from the start of the head.
    private var offsets: UnsafeMutablePointer<Int32> {
        let start = unsafe head - Self.offsetBytes(Int(shape.variableCount))
        return unsafe UnsafeMutableRawPointer(start).assumingMemoryBound(to: Int32.self)
    }

    /// Good for as long as the object lives.
    @inline(__always)
    private var head: UnsafeMutablePointer<UInt8> {
        unsafe withUnsafeMutablePointerToElements { unsafe $0 + Int(shape.headOffset) }
    }

    /// The handler's fields, as they are sent.
    package var fields: [UInt8] {
        // unsafe because it reads through a pointer; the fields stand between the status line and the Date.
        let start = ResponseHead.statusLineLength(status)
        return unsafe [UInt8](UnsafeBufferPointer(start: head + start, count: dateOffset - start))
    }

    /// Whether that response would be encoded to the same bytes.
    package func says(_ status: Status, _ fields: HeaderFields, body: [UInt8] = []) -> Bool {
        status == self.status && fields.bytes == self.fields && body == self.body
    }

    /// In memory, all of it.
    package var byteCount: Int {
        Self.fixedByteCount &+ Int(shape.headOffset) &+ headCount &+ bodyCount
    }
    /// The object's own head, the shape, and what an allocation takes besides.
    private static let fixedByteCount = 16 + MemoryLayout<Shape>.size + 16

    /// The body, as it is sent.
    package var body: [UInt8] {
        // unsafe because it reads through a pointer; the body stands behind the head.
        unsafe [UInt8](UnsafeBufferPointer(start: head + headCount, count: bodyCount))
    }

    /// Appends the body; to a head that nothing is added to any more.
    package func appendBody(to buffer: ByteBuffer) {
        // unsafe because it copies through pointers: the buffer lends as much room as is asked for, and the body stands
        // behind the head.
        unsafe buffer.append(count: bodyCount) { room in
            unsafe room.copyMemory(from: head + headCount, byteCount: bodyCount)
        }
    }

    /// Appends the head.
    package func append(to buffer: ByteBuffer, date: DateLine, persistence: ResponseHead.Persistence) {
        let offset = dateOffset
        // unsafe because it copies through pointers: the buffer lends as much room as is asked for, and the Date line lies
        // within the head.
        unsafe buffer.append(count: headCount) { room in
            unsafe room.copyMemory(from: head, byteCount: headCount)
            unsafe date.store(to: room + offset)
        }
        if case .implied = persistence { return }
        buffer.removeLast(2)
        ResponseHead.appendConnection(persistence, to: buffer)
        buffer.append("\r\n" as StaticString)
    }
}
