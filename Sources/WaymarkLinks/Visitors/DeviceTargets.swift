import WaymarkBytes

/// The destinations of a link for one kind of device, or for several with the same ones.
package struct DeviceTargets: Sendable, Equatable {
    package struct Target: Sendable, Equatable {
        package enum Kind: Sendable { case app, store, web }
        package let kind: Kind
        package let url: String
    }

    package var platforms: [Platform]
    /// The app first if it is opened, then the destinations for visitors without it.
    package let targets: [Target]
}

extension Resolution {
    /// The distinct destinations of this resolution; empty if it has none.
    package var targets: [DeviceTargets.Target] {
        var targets: [DeviceTargets.Target] = []
        func add(_ target: DeviceTargets.Target) {
            // The fallback of an app may also be another destination.
            if !targets.contains(where: { $0.url == target.url }) { targets.append(target) }
        }
        func add(_ destination: Destination) {
            guard let intent = IntentURL(destination.url) else {
                add(.init(kind: destination.kind == .store ? .store : .web, url: destination.url))
                return
            }
            add(.init(kind: .app, url: intent.appURL))
            if let fallback = intent.fallback {
                add(.init(kind: AppStore.isStore(fallback) ? .store : .web, url: fallback))
            }
        }
        func add(_ ending: OnDevice) {
            switch ending {
            case .redirect(let destination): add(destination)
            case .openApp(let opening):
                add(.init(kind: .app, url: IntentURL(opening.open)?.appURL ?? opening.open))
                add(opening.fallback)
            case .scan(let scan): for store in scan.stores { add(store) }
            }
        }
        switch self {
        case .redirect(let destination): add(.redirect(destination))
        case .openApp(let opening): add(.openApp(opening))
        case .scan(let scan): add(.scan(scan))
        case .distinguishMac(let mac, let ipad):
            add(mac)
            add(ipad)
        case .preview, .locked, .nowhere, .disabled, .expired, .exhausted, .scheduled: break
        }
        return targets
    }
}

extension Resolution {
    /// The first destination as people write it: the web or store page, or the deep link that the app receives, without the
    /// service's own parameters. Of a page that tells Macs from iPads: that of a Mac. Nil if it has none.
    package var target: String? {
        switch self {
        case .redirect, .openApp: targets.first.map { ClickQuery.withoutReserved($0.url) }
        case .distinguishMac(.redirect(let destination), _): Resolution.redirect(destination).target
        case .distinguishMac(.openApp(let opening), _): Resolution.openApp(opening).target
        case .distinguishMac(.scan, _), .scan, .preview, .locked, .nowhere, .disabled, .expired, .exhausted,
            .scheduled:
            nil
        }
    }
}

extension Link {
    /// The destinations for devices other than the visitor's, grouped by equal ones. Has no side effects, and no URL
    /// has a click ID.
    package func targetsElsewhere(application: Application, visitor: Visitor, now: Timestamp) -> [DeviceTargets] {
        var groups: [DeviceTargets] = []
        for platform in [Platform.iphone, .ipad, .android, .macos, .windows, .linux] where platform != visitor.platform
        {
            let targets = targets(on: platform, application: application, visitor: visitor, now: now)
            if targets.isEmpty { continue }
            if let group = groups.firstIndex(where: { $0.targets == targets }) {
                groups[group].platforms.append(platform)
            } else {
                groups.append(DeviceTargets(platforms: [platform], targets: targets))
            }
        }
        return groups
    }

    /// The destinations for this visitor with another kind of device.
    package func targets(
        on platform: Platform, application: Application, visitor: Visitor, now: Timestamp
    ) -> [DeviceTargets.Target] {
        var other = visitor
        other.platform = platform
        other.device =
            switch platform {
            case .iphone, .android: .phone
            case .ipad: .tablet
            default: .desktop
            }
        other.mayBeIPad = false
        other.inApp = nil
        other.store = nil
        other.bot = nil
        other.arrivedAtOpenHost = false
        return resolve(
            application: application, visitor: other, now: now, clickID: nil, ignoringMaxClicks: true
        ).targets
    }
}

/// An `intent:` URL as `Link` makes them, taken apart again for people to read.
package struct IntentURL: Sendable, Equatable {
    /// The URL that the app receives.
    package let appURL: String
    /// The browser's destination without the app.
    package let fallback: String?
    /// The app's package name.
    package let appPackage: String?

    /// Nil for another kind of URL.
    package init?(_ text: String) {
        let mark = "#Intent;"
        guard text.hasPrefix("intent:"),
            let index = text.firstRange(of: mark)
        else { return nil }
        var scheme: Substring?
        var (fallback, appPackage): (String?, String?)
        for field in text[index.upperBound...].split(separator: ";") {
            if field.hasPrefix("scheme=") { scheme = field.dropFirst("scheme=".count) }
            if field.hasPrefix("package=") { appPackage = String(field.dropFirst("package=".count)) }
            if field.hasPrefix("S.browser_fallback_url=") {
                fallback = PercentEncoding.decodeTextLeniently(
                    field.utf8.dropFirst("S.browser_fallback_url=".utf8.count))
            }
        }
        guard let scheme, scheme.utf8.allSatisfy({ $0 != UInt8(ascii: "/") }) else { return nil }
        appURL = String(scheme) + text["intent".endIndex..<index.lowerBound]
        self.fallback = fallback
        self.appPackage = appPackage
    }
}
