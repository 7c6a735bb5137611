extension HostName {
    /// Host names in one text, separated by spaces, sorted; empty for nil. Nil if one is invalid.
    package static func list(_ text: String?) -> [HostName]? {
        var hosts: [HostName] = []
        for name in (text ?? "").split(separator: " ").sorted() {
            guard let host = HostName(String(name)) else { return nil }
            hosts.append(host)
        }
        return hosts
    }
}
