import WaymarkBytes

/// Times in an authority's JSON (RFC 3339).
enum ACMETime {
    /// Seconds since 1970, fractions cut off; nil if the text is no time.
    static func seconds(rfc3339 text: String) -> Int64? {
        guard text.utf8.count <= 64, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let halves = text.uppercased().split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let fields = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard fields.count == 3, let year = number(fields[0], digits: 4), let month = number(fields[1], digits: 2),
            let day = number(fields[2], digits: 2)
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        guard date.exists, let zone = halves[1].firstIndex(where: { "Z+-".contains($0) }),
            let offset = offset(halves[1][zone...])
        else { return nil }
        let clock = halves[1][..<zone].split(separator: ".", omittingEmptySubsequences: false)
        guard clock.count <= 2, let seconds = clock.first.flatMap(secondsOfDay),
            clock.count == 1 || (!clock[1].isEmpty && clock[1].utf8.allSatisfy { $0.isDigit })
        else { return nil }
        return date.daysSince1970 * 86_400 + seconds - offset
    }

    private static func offset(_ text: Substring) -> Int64? {
        if text == "Z" { return 0 }
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let hours = number(parts[0], digits: 2), let minutes = number(parts[1], digits: 2),
            hours < 24, minutes < 60
        else { return nil }
        return (text.first == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }

    /// `08:49:37`; a leap second counts as the one before it.
    private static func secondsOfDay(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(parts[0], digits: 2), let minute = number(parts[1], digits: 2),
            let second = number(parts[2], digits: 2), hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3_600 + minute * 60 + min(second, 59)
    }

    private static func number(_ text: Substring, digits: Int) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ $0.isDigit }) else { return nil }
        return Int64(text)
    }
}
