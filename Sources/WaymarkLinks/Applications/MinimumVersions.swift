/// The oldest versions of the apps that a link's content works in.
package struct MinimumVersions: Sendable, Equatable {
    /// Of the app for iPhone and iPad.
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

/// What an app is told that is too old for a link.
package struct RequiredUpdate: Sendable, Equatable {
    package var minimumVersion: AppVersion
    /// The app's page in its store; nil where the application names none.
    package var url: String?
}

extension Link {
    /// Nil where the installed app will do. What the link wants counts before what its application wants.
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
