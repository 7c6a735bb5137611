/// Which parts of HOKO's service an application has.
package struct HokoSettings: Sendable, Equatable {
    /// Whether the API answers for the application.
    package var isEnabled: Bool
    /// Whether `/lazy?uri=` creates links on its domains.
    package var isLazy: Bool

    package init(isEnabled: Bool = false, isLazy: Bool = false) {
        self.isEnabled = isEnabled
        self.isLazy = isEnabled && isLazy
    }
}
