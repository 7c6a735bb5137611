import Testing
import WaymarkJSON

@testable import waymark

/// What `waymark explain` prints about association files.
@Suite struct ExplanationTextTests {
    @Test(arguments: [
        (
            #"{"opens": true, "rule": "{\"/\":\"/*\"}", "why": "it fits"}"#,
            """
            association a tap opens the app where it is installed, and the visit never comes: it fits
                        rule {"/":"/*"}

            """
        ),
        (
            #"{"opens": false, "rule": null, "why": "no rule fits"}"#,
            "association a tap stays in the browser, even where the app is installed: no rule fits\n"
        ),
        (
            #"{"opens": null, "rule": null, "why": "there is no file"}"#,
            "association whether a tap opens the app is not known: there is no file\n"
        ),
    ])
    func saysWhatATapDoes(association: String, text: String) throws {
        let answer = try JSONValue(parsing: #"{"outcome": "openApp", "association": \#(association)}"#)
        #expect(ExplanationText("https://go.example.com/a", answer).text.contains(text))
    }

    @Test(arguments: [#"{"outcome": "redirect", "association": null}"#, #"{"outcome": "redirect"}"#])
    func leavesOutWhatDoesNotApply(answer: String) throws {
        #expect(
            !ExplanationText("https://go.example.com/a", try JSONValue(parsing: answer)).text.contains("association"))
    }
}
