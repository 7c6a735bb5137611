import WaymarkService

/// The file configured as `countryFile`.
enum CountryFileSetting {
    /// Nil if no file is configured.
    ///
    /// - Throws: `CommandFailure` in one line with the file.
    static func lookup(_ path: String?) throws -> Countries.Lookup? {
        guard let path else { return nil }
        let file: CountryFile
        do throws(CountryFile.Problem) {
            file = try CountryFile(path: path)
        } catch {
            throw CommandFailure.usage("\(path): \(error.sentence)")
        }
        return { subscriber in
            // IPv4 addresses are IPv4-mapped; an IPv6 address is reduced to its first half.
            subscriber >> 32 == 0xFFFF
                ? file.country(high: 0, low: subscriber) : file.country(high: subscriber, low: 0)
        }
    }
}
