package import WaymarkAPI

extension LinkLabels {
    /// With paths in composed form, so that names which look the same are the same.
    package var composed: LinkLabels {
        var labels = self
        for entry in entries where entry.label.form == .path { labels[entry.label] = UnicodeText.composed(entry.value) }
        return labels
    }
}
