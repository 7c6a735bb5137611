/// The appearance of an application's pages for visitors.
package struct Appearance: Sendable, Equatable {
    /// A square image, loaded by the visitor's browser; https.
    package let iconURL: WebURL?
    /// The background of the main button.
    package let accentColor: RGBColor?

    package init(iconURL: WebURL? = nil, accentColor: RGBColor? = nil) {
        self.iconURL = iconURL
        self.accentColor = accentColor
    }
}
