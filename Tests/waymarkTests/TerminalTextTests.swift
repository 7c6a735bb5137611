import Testing

@testable import waymark

@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("plain, Grüße 👋🏽, עברית", "plain, Grüße 👋🏽, עברית"), ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        // The title of a window, a colour, a bell, C1's form of ESC [, DEL, and what a carriage return would cover.
        ("\u{1b}]0;evil\u{07}", "\\u001b]0;evil\\u0007"), ("\u{1b}[31m", "\\u001b[31m"), ("\u{9b}2J", "\\u009b2J"),
        ("a\u{7f}", "a\\u007f"), ("bad\rgood", "bad\\u000dgood"), ("crlf\r\n", "crlf\\u000d\n"),
        ("exe\u{202e}gpj", "exe\\u202egpj"), ("a\u{2028}b", "a\\u2028b"), ("\u{2066}a\u{2069}", "\\u2066a\\u2069"),
        (#"{"title":"\#u{9b}"}"#, #"{"title":"\u009b"}"#),
    ])
    func writesOutWhatChangesTerminals(text: String, expected: String) {
        #expect(text.terminalText == expected)
        #expect(text.terminalText.terminalText == expected)
    }

    @Test(arguments: [("a\nb\r\nc", "a b c"), ("\u{1b}c\n", "\\u001bc "), ("a\u{2028}b", "a b")])
    func writesErrorsInOneLine(text: String, expected: String) { #expect(text.oneLine == expected) }
}
