/// How an application looks on the pages that its visitors see.
package struct Appearance: Sendable, Equatable {
    /// A square picture, fetched by the visitor's browser; https.
    package let iconURL: WebURL?
    /// The fill of the main button.
    package let accentColor: RGBColor?

    package init(iconURL: WebURL? = nil, accentColor: RGBColor? = nil) {
        self.iconURL = iconURL
        self.accentColor = accentColor
    }
}
