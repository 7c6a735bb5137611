/// Bytes that are a constant of the program: the system reads them from the executable when they are needed, and may drop
/// them from memory again.
// Safety: a constant is neither written to nor freed, so any thread may read it at any time.
@safe package struct ProgramBytes: @unchecked Sendable {
    private let memory: UnsafeRawBufferPointer

    /// - Parameter memory: a constant of the program.
    // Safety: the caller must give a constant of the program.
    @unsafe package init(_ memory: UnsafeRawBufferPointer) {
        unsafe self.memory = memory
    }

    // Safety: the bytes exist as long as the program, and the range is checked against their count.
    package var count: Int { unsafe memory.count }

    // Safety: as above.
    package var bytes: [UInt8] { unsafe Array(memory) }

    /// Lends the bytes of a range, which must lie within them.
    // Safety: slicing checks the range, and the bytes exist as long as the program.
    func withBytes<Result>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe body(UnsafeRawBufferPointer(rebasing: memory[range]))
    }
}
