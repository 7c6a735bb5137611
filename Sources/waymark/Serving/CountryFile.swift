package import WaymarkLinks

#if CountryFile
    internal import CWaymarkMaxMind
#endif

/// A file in MaxMind's format that says in which country an address is used (MaxMind DB File Format Specification 2.0), such as
/// GeoLite2-Country, DB-IP's country file or IPinfo's.
///
/// The file stays mapped for as long as the object lives: it is to be replaced by another one under its name, never written
/// over. May be asked from any thread; an answer takes no memory. A program that was built without the trait `CountryFile` opens
/// none.
///
/// `@unchecked Sendable` because the library only reads from what `MMDB_open` made, and says that it may be shared.
/// `@safe` because the pointer lives as long as the object and never leaves it.
@safe
package final class CountryFile: @unchecked Sendable {
    /// Why the file can't be used, in words that follow its name and a colon.
    package struct Problem: Error, Sendable, Equatable {
        package let sentence: String
    }

    #if CountryFile
        // unsafe because manual memory is: allocated in init, closed and freed in deinit and nowhere else.
        private let file: UnsafeMutablePointer<MMDB_s>

        package init(path: String) throws(Problem) {
            let file = UnsafeMutablePointer<MMDB_s>.allocate(capacity: 1)
            // unsafe because C fills the structure, all of it where it succeeds, and the path is good for the call.
            let status = unsafe MMDB_open(path, UInt32(MMDB_MODE_MMAP), file)
            guard status == MMDB_SUCCESS else {
                // unsafe because manual memory is; the text is a constant of the library's.
                unsafe file.deallocate()
                throw Problem(sentence: unsafe String(cString: MMDB_strerror(status)))
            }
            unsafe self.file = file
        }

        deinit {
            // unsafe because manual memory is; nothing refers to it any longer.
            unsafe MMDB_close(file)
            unsafe file.deallocate()
        }

        /// Nil where the file names no country for the address.
        ///
        /// - Parameters:
        ///   - high: the address's first 64 bits, those of IPv4 in its mapped form.
        ///   - low: the other 64.
        package func country(high: UInt64, low: UInt64) -> CountryCode? {
            var letters: (CChar, CChar) = (0, 0)
            let isKnown = unsafe withUnsafeMutableBytes(of: &letters) { buffer -> Bool in
                // unsafe because C writes two bytes, and there is room for them.
                guard let start = buffer.baseAddress else { return false }
                return unsafe CWaymarkMaxMind_country(file, high, low, start.assumingMemoryBound(to: CChar.self))
            }
            return isKnown ? CountryCode(UInt8(bitPattern: letters.0), UInt8(bitPattern: letters.1)) : nil
        }
    #else
        package init(path: String) throws(Problem) {
            throw Problem(sentence: "this program was built without the trait CountryFile and reads no such file")
        }

        package func country(high: UInt64, low: UInt64) -> CountryCode? { nil }
    #endif
}
