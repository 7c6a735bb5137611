import Foundation
package import WaymarkImports
import WaymarkLinks

extension ForeignTime {
    /// Times without a zone are those of the zone's clocks; nil if its name, such as `Europe/Berlin`, is not in the IANA database.
    package init?(zone name: String) {
        guard let zone = TimeZoneName.zone(name) else { return nil }
        self.init { local in
            let date = Date(timeIntervalSince1970: Double(local.seconds))
            // The offset at the moment that is meant, which is found from one that is at most a day away.
            let guess = zone.secondsFromGMT(for: date)
            return Int64(zone.secondsFromGMT(for: date.addingTimeInterval(-Double(guess))))
        }
    }
}
