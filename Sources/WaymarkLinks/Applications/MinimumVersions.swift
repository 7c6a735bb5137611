import WaymarkBytes

/// The oldest app versions that support a link's content.
package struct MinimumVersions: Sendable, Equatable {
    /// The version of the app for iPhone and iPad.
    package var ios: AppVersion?
    package var android: AppVersion?

    package init(ios: AppVersion? = nil, android: AppVersion? = nil) {
        self.ios = ios
        self.android = android
    }

    func version(for platform: Platform) -> AppVersion? {
        switch platform {
        case .iphone, .ipad, .ios: ios
        case .android: android
        case .macos, .windows, .linux, .web: nil
        }
    }
}

/// The update required by a link that the app is too old for.
package struct RequiredUpdate: Sendable, Equatable {
    package var minimumVersion: AppVersion
    /// The app's page in its store; nil if the application has none.
    package var url: String?
}

extension Link {
    /// Nil if the installed app is new enough. The link's minimum takes precedence over the application's.
    package func requiredUpdate(
        from installed: AppVersion, on platform: Platform, application: Application
    ) -> RequiredUpdate? {
        let common = MinimumVersions(ios: application.ios?.minimumVersion, android: application.android?.minimumVersion)
        guard let minimum = content.minimumVersions?.version(for: platform) ?? common.version(for: platform),
            installed < minimum
        else { return nil }
        let url: String? =
            switch AppStore(platform: platform, application: application) {
            case .apple(let id, isDefault: _): AppStore.appleURL(id: id, campaign: nil)
            case .play(let package): AppStore.playURL(package: package)
            case .named(let store, let id): AppStore.url(store, id: id)
            case nil: nil
            }
        return RequiredUpdate(minimumVersion: minimum, url: url)
    }
}

/// A version of an app: numbers with dots between them, such as `4.2.1`, or one number, such as Android's version code.
///
/// Compared number by number; missing numbers are 0, so `4.2` and `4.2.0` are the same version.
package struct AppVersion: Sendable, Equatable, Comparable {
    /// The original text.
    package let text: String

    package static let rule =
        "must be a version such as 4.2.1 or 412: up to 8 numbers of up to 18 digits, dots between them"

    /// Nil for text that violates `rule`.
    package init?(_ text: String) {
        let numbers = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...8).contains(numbers.count),
            numbers.allSatisfy({ (1...18).contains($0.count) && $0.allSatisfy(\.isDigit) })
        else { return nil }
        self.text = text
    }

    private var numbers: [Int64] {
        text.utf8.split(separator: UInt8(ascii: ".")).map { $0.reduce(0) { $0 * 10 + Int64($1 - 0x30) } }
    }

    package static func == (one: AppVersion, other: AppVersion) -> Bool { !(one < other) && !(other < one) }

    package static func < (one: AppVersion, other: AppVersion) -> Bool {
        let (ones, others) = (one.numbers, other.numbers)
        for index in 0..<max(ones.count, others.count) {
            let (left, right) = (index < ones.count ? ones[index] : 0, index < others.count ? others[index] : 0)
            if left != right { return left < right }
        }
        return false
    }

    static func check(_ text: String) -> Checked<AppVersion> {
        AppVersion(text).map { .valid($0) } ?? .problem(rule)
    }
}
