import WaymarkLinks

/// The names under which apps reported conversions today, on this server.
///
/// Each name and currency takes a row a day and link, and anybody with a key from an app can choose them.
struct AppConversionNames: Sendable {
    /// Names of an application a day, each with each currency.
    static let limit = 100

    private var day = 0
    private var names: [ApplicationID?: Set<String>] = [:]

    /// Whether conversions of this name and currency are counted.
    ///
    /// - Parameter application: that of the key; nil: all.
    mutating func admit(_ name: String, _ currency: String?, of application: ApplicationID?, on day: Int) -> Bool {
        if day != self.day {
            self.day = day
            names.removeAll()
        }
        // No name has a control character.
        let name = name + "\n" + (currency ?? "")
        guard names[application]?.contains(name) != true else { return true }
        guard names[application]?.count ?? 0 < Self.limit else { return false }
        names[application, default: []].insert(name)
        return true
    }
}
