import Testing

@testable import waymark

@Suite struct MachineMemoryTests {
    private static let gibibyte = 1 << 30

    @Test(
        arguments: [
            ([:], 16 * gibibyte),
            (["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "1073741824\n"], gibibyte),
            (["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "max\n"], 16 * gibibyte),
            (
                [
                    "/proc/self/cgroup": "0::/system.slice/waymark.service\n",
                    "/sys/fs/cgroup/system.slice/waymark.service/memory.max": "max\n",
                    "/sys/fs/cgroup/system.slice/memory.max": "2147483648\n",
                ], 2 * gibibyte
            ),
            (
                [
                    "/proc/self/cgroup": "12:cpu:/a\n7:memory:/docker/4f\n0::/\n",
                    "/sys/fs/cgroup/memory/docker/4f/memory.limit_in_bytes": "536870912\n",
                    "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
                ], gibibyte / 2
            ),
            (
                [
                    "/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "4294967296\n",
                    "/sys/fs/cgroup/memory.high": "1073741824\n",
                ], gibibyte
            ),
            (["/proc/self/cgroup": "nonsense\n7:memory\n", "/sys/fs/cgroup/memory.max": "1\n"], 16 * gibibyte),
        ] as [([String: String], Int)])
    func `the lowest limit of all control groups counts`(files: [String: String], limit: Int) {
        #expect(MachineMemory(physical: UInt64(16 * Self.gibibyte)) { files[$0] }.limit == limit)
    }

    @Test(arguments: [(256 << 20, 64 << 20), (16 << 30, 2 << 30)])
    func `caches take an eighth of the memory`(physical: Int, cacheBytes: Int) {
        #expect(MachineMemory(physical: UInt64(physical)) { _ in nil }.cacheBytes == cacheBytes)
    }
}
