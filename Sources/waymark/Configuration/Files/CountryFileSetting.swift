import WaymarkCountries
import WaymarkService

/// The file that the configuration key `countryFile` names.
enum CountryFileSetting {
    /// Nil where the configuration names no file.
    ///
    /// - Throws: `CommandFailure` in one line that names the file.
    static func lookup(_ path: String?) throws -> Countries.Lookup? {
        guard let path else { return nil }
        let file: CountryFile
        do throws(CountryFile.Problem) {
            file = try CountryFile(path: path)
        } catch {
            throw CommandFailure.usage("\(path): \(error.sentence)")
        }
        return { subscriber in
            // IPv4 addresses are in their mapped form; of IPv6 it is the first half.
            subscriber >> 32 == 0xFFFF
                ? file.country(high: 0, low: subscriber) : file.country(high: subscriber, low: 0)
        }
    }
}
