extension HostName {
    /// Host names in one text, separated by spaces, in the order of their letters; none for nil. Nil where one is no host.
    package static func list(_ text: String?) -> [HostName]? {
        var hosts: [HostName] = []
        for name in (text ?? "").split(separator: " ").sorted() {
            guard let host = HostName(String(name)) else { return nil }
            hosts.append(host)
        }
        return hosts
    }
}
