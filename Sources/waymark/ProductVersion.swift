/// Which version of Waymark this is.
enum ProductVersion {
    static let text = "0.2.0"
}
