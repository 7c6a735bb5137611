/// Reads a file of conformance cases; what it does not understand ends the tests.
struct ConformanceCaseReader {
    private let topic: String
    private var cases: [ConformanceCase] = []

    init(topic: String) {
        self.topic = topic
    }

    consuming func read(_ text: String) -> [ConformanceCase] {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard let mark = line.first, "#>*<!".contains(mark) else { continue }
            let content = line.dropFirst(2)
            if mark == "#" {
                cases.append(ConformanceCase(name: "\(topic)/\(content)"))
                continue
            }
            precondition(!cases.isEmpty, "\(topic): a line ahead of the first case")
            switch mark {
            case ">": append(Self.bytes(content))
            case "*": append(Self.chunkedHead(content))
            case "<": appendAnswer(content)
            default:
                if content == "alone" { cases[cases.count - 1].isAlone = true }
                if content == "handler" { cases[cases.count - 1].isForHandler = true }
            }
        }
        return cases
    }

    private mutating func append(_ bytes: [UInt8]) {
        let last = cases.count - 1
        if cases[last].steps.last?.answers.isEmpty != true { cases[last].steps.append(.init()) }
        cases[last].steps[cases[last].steps.count - 1].bytes += bytes
    }

    private mutating func appendAnswer(_ text: Substring) {
        let last = cases.count - 1
        if cases[last].steps.isEmpty { cases[last].steps.append(.init()) }
        if text == "silent" { return cases[last].end = .silent }
        var answer = ConformanceCase.Answer()
        var rest = text
        var count = 1
        if let start = rest.firstRange(of: " body=") {
            answer.body = String(rest[start.upperBound...])
            rest = rest[..<start.lowerBound]
        }
        let words = rest.split(separator: " ")
        answer.status = words.first.flatMap { Int($0) }
        precondition(answer.status != nil || words.first == "any", "\(cases[last].name): no status")
        for word in words.dropFirst() {
            switch word {
            case "keep": cases[last].end = .keeps
            case "close": cases[last].end = .closes
            case "head": answer.isToHead = true
            case _ where word.hasPrefix("times="): count = Int(word.dropFirst(6)) ?? 0
            case _ where word.hasPrefix("field="):
                let parts = word.dropFirst(6).split(separator: ":", maxSplits: 1)
                answer.field = (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
            default: preconditionFailure("\(cases[last].name): \(word) is no word for an answer")
            }
        }
        let step = cases[last].steps.count - 1
        cases[last].steps[step].answers += Array(repeating: answer, count: count)
    }

    /// A line as it is sent.
    private static func bytes(_ text: Substring) -> [UInt8] {
        var text = text
        var isContinued = false
        // An even number of backslashes at the end stands for half as many of them.
        if text.reversed().prefix(while: { $0 == "\\" }).count % 2 == 1 {
            isContinued = true
            text.removeLast()
        }
        var bytes: [UInt8] = []
        while let start = text.firstRange(of: "{"), let star = text[start.upperBound...].firstIndex(of: "*"),
            let count = Int(text[start.upperBound..<star]), let end = text[star...].firstIndex(of: "}")
        {
            bytes += unescaped(text[..<start.lowerBound])
            let repeated = unescaped(text[star..<end].dropFirst())
            for _ in 0..<count { bytes += repeated }
            text = text[end...].dropFirst()
        }
        return bytes + unescaped(text) + (isContinued ? [] : [0x0D, 0x0A])
    }

    private static func unescaped(_ text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "0"): bytes.append(0)
            case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
            case UInt8(ascii: "x"):
                bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            default: preconditionFailure("no such escape in \(text)")
            }
        }
        return bytes
    }

    private static func chunkedHead(_ text: Substring) -> [UInt8] {
        let target = text.hasSuffix(" names") ? "/names" : "/body"
        return Array("POST \(target) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
    }
}
