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
            case nil: nil
            }
        return RequiredUpdate(minimumVersion: minimum, url: url)
    }
}
