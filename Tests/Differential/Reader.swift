import WaymarkBytes

/// Reads connections' bytes from standard input, each as a line of hexadecimal digits, and prints for each one line of
/// JSON: its requests, and how it ended. Compiled together with the sources of WaymarkHTTP.
@main
enum Reader {
    static func main() {
        while let line = readLine() {
            let digits = line.utf8.compactMap(\.hexadecimalValue)
            print(story((0..<digits.count / 2).map { digits[2 * $0] << 4 | digits[2 * $0 + 1] }))
        }
    }

    private static func story(_ bytes: [UInt8]) -> String {
        var requests: [String] = []
        var position = 0
        let head = RequestHead()
        func end(_ kind: String, _ reason: String = "") -> String {
            "{\"requests\": [\(requests.joined(separator: ", "))], \"end\": \"\(kind)\", \"reason\": \"\(reason)\"}"
        }
        while true {
            var parser = RequestParser()
            let rest = bytes.span.extracting(position..<bytes.count)
            switch parser.parse(rest, into: head) {
            case .needMore: return end("waits")
            case .reject(_, let detail): return end("refuses", "\(detail)")
            case .head(let length):
                let target = bytes[(position + Int(head.target.start))..<(position + Int(head.target.end))]
                position += length
                var body: [UInt8] = []
                var decoder = BodyDecoder(head.framing)
                decode: while true {
                    switch decoder.decode(bytes.span.extracting(position..<bytes.count)) {
                    case .data(let range, let consumed):
                        body += bytes[(position + Int(range.start))..<(position + Int(range.end))]
                        position += consumed
                    case .needMore: return end("waits")
                    case .end(let consumed):
                        position += consumed
                        break decode
                    case .reject(_, let detail): return end("refuses", "\(detail)")
                    }
                }
                requests.append(
                    "[\"\(head.method.name)\", \"\(hex(target))\", \"\(hex(body))\", \(head.keepAlive)]")
                if !head.keepAlive { return end("closes") }
            }
        }
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
