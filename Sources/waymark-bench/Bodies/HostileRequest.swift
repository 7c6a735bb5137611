/// A kind of request that is made to cost much: one of its dimensions grows.
struct HostileRequest: Sendable {
    let name: String
    let method: String
    let path: String
    /// The smaller size. What is counted differs: elements, values, letters.
    let count: Int
    /// Of `count` and of twice that, so that a body can't stop at another problem than its own.
    let statuses: [Int]
    /// Further header fields, each line with its end.
    var fields: @Sendable (_ count: Int) -> String = { _ in "" }
    var maximum = Maximum.request
    /// What is sent first.
    var preparations: [SiteCaller.Call] = []
    /// Adds to the path.
    var query: @Sendable (_ count: Int) -> String = { _ in "" }
    var body: (@Sendable (_ count: Int) -> String)?

    /// What holds the larger one. Scripts/count-bodies has the numbers.
    enum Maximum: String {
        /// As long as nobody notices, up to a mebibyte.
        case request
        /// A budget, which the smaller one may not have used up.
        case budget
        /// By the byte.
        case batch
        /// Ends after a time, so its count differs from run to run.
        case time
    }

    static let all = links + rules + patches + batches + applications + reports + tools + visits

    func call(_ count: Int) -> SiteCaller.Call {
        Self.call(method, path + query(count), body?(count), fields: fields(count))
    }

    static func call(_ method: String, _ target: String, _ body: String?, fields: String = "") -> SiteCaller.Call {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: \(BenchmarkSite.host)\r\n"
        if target.hasPrefix("/api/") { head += "Authorization: Bearer \(BenchmarkSite.adminKey)\r\n" }
        if let body { head += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
        return SiteCaller.Call(head: Array((head + fields + "\r\n").utf8), body: Array((body ?? "").utf8))
    }

    /// One that is refused, as most are.
    init(
        _ name: String, _ path: String, _ count: Int, _ statuses: [Int] = [422, 422], method: String = "POST",
        body: (@Sendable (_ count: Int) -> String)? = nil
    ) {
        (self.name, self.method, self.path, self.count, self.statuses) = (name, method, path, count, statuses)
        self.body = body
    }

    // MARK: Texts

    /// By doubling: profilers multiply what it takes, and `String(repeating:count:)` appends one after the other.
    static func repeated(_ text: String, _ count: Int) -> String {
        var (result, doubled, rest) = ("", text, count)
        while rest > 0 {
            if rest % 2 == 1 { result += doubled }
            doubled += doubled
            rest /= 2
        }
        return result
    }

    /// `element,element…`
    static func elements(_ count: Int, separator: String = ",", _ element: (Int) -> String) -> String {
        var text = ""
        for index in 0..<count {
            if index > 0 { text += separator }
            text += element(index)
        }
        return text
    }

    static func list(_ count: Int, _ element: String) -> String {
        "[" + repeated(element + ",", count - 1) + element + "]"
    }

    /// `"m0":value,"m1":value…`
    static func members(_ count: Int, _ value: String, prefix: String = "m") -> String {
        let (start, end) = ("\"" + prefix, "\":" + value)
        return elements(count) { start + String($0) + end }
    }

    static let web = #""urls":{"web":"https://shop.example.com/"}"#

    /// Rules, none of which takes all that another one wants: each ends later than the one before.
    static func rules(_ count: Int, _ when: (Int) -> String) -> String {
        let rules = elements(count) { index in
            let second = index < 10 ? "0\(index)" : "\(index)"
            return
                #"{"when":{\#(when(index)),"before":"2030-01-01T00:00:\#(second)Z"},"to":"https://shop.example.com/"}"#
        }
        return "\"rules\":[\(rules)]"
    }

    /// The same values in another order in every second rule, so that whoever looks for one after the other finds each late.
    static func values(_ count: Int, of rule: Int, _ value: (Int) -> String) -> String {
        let values = (0..<count).map { "\"\(value($0))\"" }
        return "[" + (rule % 2 == 0 ? values : values.reversed()).joined(separator: ",") + "]"
    }
}
