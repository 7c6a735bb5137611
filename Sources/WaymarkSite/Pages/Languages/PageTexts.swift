/// Everything that pages for visitors say, in one language. A text that is missing does not compile.
///
/// For translators: people read this on a phone, in a hurry. Use the words that iOS and Android use in your language, and
/// write `{app}` where the name of the app belongs and `{link}` where an address does. Each language has a file of its own
/// beside this one; `PageTexts+English.swift` is the original.
struct PageTexts: Sendable {
    /// A heading and the sentence under it.
    struct Message: Sendable {
        let title: String
        let text: String
    }

    // MARK: The page that opens the app

    /// The title of the window. Holds `{app}`.
    let openIn: String
    /// The main button.
    let openApp: String
    /// Under the name of an app whose link says nothing more.
    let opensInApp: String
    /// The way to the App Store or Google Play.
    let getApp: String
    let continueInBrowser: String
    /// A checkbox, ticked at first: the app goes on with this link after it was installed.
    let continueAfterInstall: String
    /// Under that checkbox, what it does.
    let continueExplained: String
    /// In browsers inside of other apps, where opening an app often does not work.
    let insideAnotherApp: String
    let copyLink: String
    /// After the link was copied.
    let copied: String
    /// Where the browser does not allow copying. Holds `{link}`.
    let copyByHand: String
    /// The button that goes on to a web page.
    let proceed: String
    /// A heading while the page finds out which device this is.
    let oneMoment: String

    // MARK: The page that shows where a link leads

    let whereItLeads: String
    let onThisDevice: String
    let onOtherDevices: String
    /// What kind of place an address is.
    let app, store, web: String
    /// The picture's description, for people who can't see it.
    let qrCode: String

    // MARK: A link that leads nowhere

    let expired, exhausted, disabled, scheduled, notFound: Message
    /// The link's page can't be shown for a moment.
    let unavailable: Message
    /// Too many requests came from the visitor's network.
    let tooManyRequests: Message
    /// The address can't be read.
    let malformed: Message
    /// The host serves no links.
    let unknownHost: Message

    // MARK: The page of a domain itself

    /// `/` of a domain that only forwards links.
    let root: Message
    /// A link to the website of the app's owner.
    let visitWebsite: String
}
