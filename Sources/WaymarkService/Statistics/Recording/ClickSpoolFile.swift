import Foundation
import WaymarkBytes
import WaymarkLinks
import WaymarkStores

/// One file of a spool: a header, then blocks with their lengths and checksums. Written once from the beginning to the
/// end, and read once; deleted when all of it was taken.
///
/// Safety: system calls read each path as a C string that Swift lends for the call, and write into variables of the
/// size that they expect.
final class ClickSpoolFile {
    /// Why a file is not used.
    struct Failure: Error {
        let reason: String
        /// Whether the rest of the file is lost; otherwise it may be readable later.
        var isDamage = false
    }

    private static let title = Array("waymark clicks 1".utf8)
    private static let headerSize = 24
    /// The length, then the checksum of the rest.
    private static let prefixSize = 12
    /// Link, day, number and number of clicks.
    private static let keySize = 28
    /// Of a block, beside its own bytes.
    static let overhead = prefixSize + keySize
    /// Many times the size of a full block.
    private static let blockLimit = 16 << 20
    /// No secret is needed: the checksum is against accidents.
    private static let checksum = SipHash(key: [UInt8](repeating: 0, count: 16))

    let path: String
    private let handle: FileHandle
    /// Bytes in it, and how many of them were taken.
    private(set) var size: Int
    private var taken: Int

    private init(path: String, handle: FileHandle, size: Int, taken: Int) {
        self.path = path
        self.handle = handle
        self.size = size
        self.taken = taken
    }

    /// Makes a file that only this user can read, and that no other process takes while this one runs; nil if another
    /// process has one with this name.
    ///
    /// - Parameter identity: of the database that the blocks belong to.
    static func make(_ path: String, identity: UInt64) throws(Failure) -> ClickSpoolFile? {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST { return nil }
            throw failure()
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            // A process that starts has taken it over, and deletes it, because it is empty.
            if errno == EWOULDBLOCK { return nil }
            let failure = failure()
            unsafe unlink(path)
            throw failure
        }
        guard try isNamed(path, descriptor) else { return nil }
        let file = ClickSpoolFile(path: path, handle: handle, size: 0, taken: headerSize)
        do throws(Failure) {
            try file.write(title + bytes(of: identity))
        } catch {
            file.remove()
            throw error
        }
        // Otherwise the name may be gone after a power failure.
        let folder = unsafe open(path.folderOfPath, O_RDONLY | O_CLOEXEC)
        if folder >= 0 {
            fsync(folder)
            close(folder)
        }
        return file
    }

    /// Opens a file that a process has left; nil if one still uses it, or if it is gone.
    ///
    /// - Throws: if it is not the spool of this database; then it stays as it is.
    static func adopt(_ path: String, identity: UInt64) throws(Failure) -> ClickSpoolFile? {
        let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure()
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            if errno == EWOULDBLOCK { return nil }
            throw failure()
        }
        guard try isNamed(path, descriptor) else { return nil }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure() }
        let file = ClickSpoolFile(path: path, handle: handle, size: Int(status.st_size), taken: headerSize)
        let header = try file.read(headerSize, at: 0)
        // A crash came before the first block.
        if header.count < headerSize {
            file.remove()
            return nil
        }
        guard header.prefix(title.count) == title[...] else {
            throw Failure(reason: "it is not a file of click records")
        }
        guard Array(header.suffix(8)) == bytes(of: identity) else {
            throw Failure(reason: "it belongs to another database")
        }
        return file
    }

    /// Whether the open file still has this name: another process may have deleted it before it was locked.
    private static func isNamed(_ path: String, _ descriptor: Int32) throws(Failure) -> Bool {
        var (opened, named) = (stat(), stat())
        guard unsafe fstat(descriptor, &opened) == 0 else { throw failure() }
        guard unsafe lstat(path, &named) == 0 else {
            if errno == ENOENT { return false }
            throw failure()
        }
        return named.st_dev == opened.st_dev && named.st_ino == opened.st_ino
    }

    /// Adds blocks, and waits until the disk has them. If it fails, none is added.
    func append(_ blocks: [PackedBlock]) throws(Failure) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(blocks.reduce(0) { $0 + $1.block.bytes.count + Self.overhead })
        for (block, count) in blocks {
            let content =
                Self.bytes(of: UInt64(bitPattern: block.key.link.rawValue))
                + Self.bytes(of: UInt64(bitPattern: Int64(block.key.day)))
                + Self.bytes(of: UInt64(bitPattern: block.key.number)) + Self.bytes(of: UInt32(count)) + block.bytes
            bytes += Self.bytes(of: UInt32(content.count))
            bytes += Self.bytes(of: Self.checksum?.hash(content) ?? 0)
            bytes += content
        }
        try write(bytes)
    }

    /// The next blocks that were not taken, up to some thousand clicks; nil at the end.
    ///
    /// - Throws: at the first damaged block, as a power failure leaves it: nothing after it can be read. Also if the
    ///   disk can't be read, which may pass.
    func next(limit: Int) throws(Failure) -> (blocks: [PackedBlock], bytes: Int)? {
        guard taken < size else { return nil }
        var rest = try read(Swift.min(size - taken, Self.pageSize), at: taken)[...]
        var blocks: [PackedBlock] = []
        var used = 0
        while blocks.count < limit, let length = Self.number(rest.prefix(4)).map({ Int($0) }) {
            let end = Self.prefixSize + length
            if rest.count < end {
                if !blocks.isEmpty { break }
                // Larger than a page.
                guard length <= Self.blockLimit else { break }
                rest = try read(Swift.min(size - taken, end), at: taken)[...]
                guard rest.count == end else { break }
            }
            let content = Array(rest.dropFirst(Self.prefixSize).prefix(length))
            guard Self.number(rest.dropFirst(4).prefix(8)) == Self.checksum?.hash(content),
                let block = Self.block(content)
            else { break }
            blocks.append(block)
            used += end
            rest = rest.dropFirst(end)
        }
        guard !blocks.isEmpty else {
            let lost = size - taken
            throw Failure(
                reason: "the last \(lost) bytes of \(path) are damaged, and the click records in them lost",
                isDamage: true)
        }
        return (blocks, used)
    }

    /// Whether nothing in it remains to be stored.
    var isTaken: Bool { taken >= size }

    /// Blocks of so many bytes are stored.
    func take(_ bytes: Int) { taken += bytes }

    func remove() { unsafe unlink(path) }

    /// Free bytes of its file system; nil if unknown.
    var freeBytes: Int? {
        var space = statvfs()
        guard unsafe fstatvfs(handle.fileDescriptor, &space) == 0 else { return nil }
        let bytes = UInt64(space.f_bavail).multipliedReportingOverflow(by: UInt64(space.f_frsize))
        return bytes.overflow ? .max : Int(clamping: bytes.partialValue)
    }

    private static let pageSize = 1 << 20

    private func write(_ bytes: [UInt8]) throws(Failure) {
        do {
            try handle.seek(toOffset: UInt64(size))
            try handle.write(contentsOf: bytes)
            try handle.synchronize()
        } catch {
            // The next blocks would follow a torn one.
            try? handle.truncate(atOffset: UInt64(size))
            throw Self.failure(error)
        }
        size += bytes.count
    }

    private func read(_ count: Int, at offset: Int) throws(Failure) -> [UInt8] {
        do {
            try handle.seek(toOffset: UInt64(offset))
            return Array(try handle.read(upToCount: count) ?? Data())
        } catch {
            throw Self.failure(error)
        }
    }

    private static func block(_ content: [UInt8]) -> PackedBlock? {
        guard content.count >= keySize, let link = number(content[..<8]), let day = number(content[8..<16]),
            let number = number(content[16..<24]), let count = Self.number(content[24..<28]),
            // Times of days far away can't be computed with.
            0...4_000_000 ~= day, 1...UInt64(ClickBlock.capacity) ~= count
        else { return nil }
        let key = ClickBlock.Key(
            link: LinkID(rawValue: Int64(bitPattern: link)), day: Int(day),
            number: Int64(bitPattern: number))
        return (ClickBlock(key: key, bytes: Array(content.dropFirst(keySize))), Int(count))
    }

    /// Little-endian.
    private static func bytes<Number: FixedWidthInteger>(of number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> Number(8 * $0)) }
    }

    /// Nil if there are none.
    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64? {
        bytes.isEmpty ? nil : bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// What `errno` says.
    private static func failure() -> Failure { Failure(reason: unsafe String(cString: strerror(errno))) }

    private static func failure(_ error: any Error) -> Failure {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        let code = cause.flatMap { $0.domain == NSPOSIXErrorDomain ? Int32($0.code) : nil }
        return Failure(reason: code.map { unsafe String(cString: strerror($0)) } ?? error.localizedDescription)
    }
}
