/// All texts of pages for visitors in one language. The compiler reports missing texts.
///
/// For translators: people read this on a phone, in a hurry. Use the words that iOS and Android use in your language,
/// and write `{app}` for the name of the app and `{link}` for an address. Each language has its own file beside this
/// one; `PageTexts+English.swift` is the original.
struct PageTexts: Sendable {
    /// A heading and the sentence under it.
    struct Message: Sendable {
        let title: String
        let text: String
    }

    // MARK: The page that opens the app

    /// The title of the window. Has `{app}`.
    let openIn: String
    /// The main button.
    let openApp: String
    /// Below the name of an app if the link has no text of its own.
    let opensInApp: String
    /// Leads to the App Store or Google Play.
    let getApp: String
    let continueInBrowser: String
    /// A checkbox: the app continues with this link after its installation.
    let continueAfterInstall: String
    /// Explains that checkbox.
    let continueExplained: String
    /// In browsers inside other apps, where opening an app often fails.
    let insideAnotherApp: String
    let copyLink: String
    /// After copying the link.
    let copied: String
    /// If the browser does not allow copying. Has `{link}`.
    let copyByHand: String
    /// The button that continues to a web page.
    let proceed: String
    /// A heading while the page detects the device.
    let oneMoment: String

    // MARK: The page for desktops that the link leads nowhere on

    /// A heading above a QR code of the link.
    let openOnPhone: String
    /// Under it: what to do with the code.
    let scanCode: String

    // MARK: The page that shows where a link leads

    let whereItLeads: String
    let onThisDevice: String
    let onOtherDevices: String
    /// The kinds of destinations.
    let app, store, web: String
    /// The description of the image, for people who can't see it.
    let qrCode: String

    // MARK: The form of a link with a password

    /// A heading.
    let isProtected: String
    /// Under it.
    let enterPassword: String
    /// The label of the field.
    let password: String
    /// After a wrong one, above the field.
    let wrongPassword: String

    // MARK: Links without a destination

    let expired, exhausted, disabled, scheduled, notFound: Message
    /// The link's page is temporarily unavailable.
    let unavailable: Message
    /// The visitor's network sent too many requests.
    let tooManyRequests: Message
    /// The address is invalid.
    let malformed: Message
    /// The host serves no links.
    let unknownHost: Message

    // MARK: The page of a domain

    /// `/` of a domain that only has links.
    let root: Message
    /// A link to the website of the app's owner.
    let visitWebsite: String
}
