#if os(Linux)
    import Foundation
    import Testing
    import WaymarkSockets

    /// Code of this process that is taken out of its resident memory.
    @Suite struct ProgramPagesTests {
        /// The executable mapping of this test's own program: its range, and how much of it is resident, in bytes.
        private func code() throws -> (range: Range<UInt>, resident: Int) {
            let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let lines = try String(contentsOfFile: "/proc/self/smaps", encoding: .utf8).split(separator: "\n")
            let start = try #require(lines.firstIndex { $0.contains(" r-xp ") && $0.hasSuffix(program) })
            let bounds = lines[start].prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
            let resident = try #require(lines[start...].first { $0.hasPrefix("Rss:") })
            return (
                bounds[0]..<bounds[1],
                try #require(resident.split(separator: " ").dropFirst().first.flatMap { Int($0) }) << 10
            )
        }

        @Test func releasesCodeAndMapsItAgain() throws {
            let range = try code().range
            func sum() -> Int {
                stride(from: range.lowerBound, to: range.upperBound, by: 4_096).reduce(0) { sum, address in
                    // Safety: the address is in a readable mapping that lasts as long as the process.
                    sum &+ Int(unsafe UnsafePointer<UInt8>(bitPattern: address)?.pointee ?? 0)
                }
            }
            let before = sum()
            let all = try code().resident
            #expect(ProgramPages.release() >= range.count / 2)
            #expect(try code().resident < all)
            #expect(sum() == before)
            #expect(try code().resident == all)
        }
    }
#endif
