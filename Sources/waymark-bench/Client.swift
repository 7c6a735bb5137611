import Foundation

/// A client that sends bytes and counts whole answers, as little work as that can be: it shares the machine with what is
/// measured.
///
/// Safety: buffers are lent to the system calls with their counts, and `count` never exceeds the buffer's; the address has
/// the size that the call is given.
final class Client {
    private let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 4 << 20)
    private var count = 0

    init(port: UInt16) throws {
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw BenchmarkSite.Failure(description: "the server can't be reached") }
    }

    deinit { close(descriptor) }

    /// Sends and waits for so many answers, all of which must have the status.
    func exchange(_ requests: [UInt8], answers: Int, status: Int) throws {
        var sent = 0
        while sent < requests.count {
            let count = unsafe requests.withUnsafeBytes {
                unsafe write(descriptor, $0.baseAddress! + sent, $0.count - sent)
            }
            guard count > 0 else { throw BenchmarkSite.Failure(description: "the server has closed") }
            sent += count
        }
        for _ in 0..<answers { try takeAnswer(status) }
    }

    private func takeAnswer(_ status: Int) throws {
        while true {
            if let length = try wholeAnswer(status) {
                count -= length
                if count > 0 { buffer.replaceSubrange(0..<count, with: Array(buffer[length..<length + count])) }
                return
            }
            let received = unsafe buffer.withUnsafeMutableBytes {
                unsafe recv(descriptor, $0.baseAddress! + count, $0.count - count, 0)
            }
            guard received > 0 else { throw BenchmarkSite.Failure(description: "the server has closed") }
            count += received
        }
    }

    /// The length of the answer in front; nil while it is not whole.
    ///
    /// Byte by byte: under a profiler that multiplies what the client does, collections that are searched by generic code
    /// would take most of the time.
    private func wholeAnswer(_ status: Int) throws -> Int? {
        let name = Self.lengthField
        var length: Int?
        var index = 0
        while index + 3 < count {
            guard buffer[index] == 0x0D else {
                index += 1
                continue
            }
            if buffer[index + 2] == 0x0D, buffer[index + 3] == 0x0A {
                let given = Int(buffer[9] &- 0x30) * 100 + Int(buffer[10] &- 0x30) * 10 + Int(buffer[11] &- 0x30)
                guard given == status, let length else {
                    let head = String(decoding: buffer[..<min(count, 300)], as: UTF8.self)
                    throw BenchmarkSite.Failure(description: "\(status) was expected, and this came: \(head)")
                }
                return count >= index + 4 + length ? index + 4 + length : nil
            }
            index += 2
            var matched = 0
            while matched < name.count, index + matched < count, buffer[index + matched] == name[matched] {
                matched += 1
            }
            guard matched == name.count else { continue }
            index += matched
            length = 0
            while index < count, (0x30...0x39).contains(buffer[index]) {
                length = (length ?? 0) * 10 + Int(buffer[index] - 0x30)
                index += 1
            }
        }
        return nil
    }

    private static let lengthField = Array("Content-Length: ".utf8)
}
