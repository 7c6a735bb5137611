/// Where a link leads one kind of device, or several that are led to the same places.
package struct DeviceTargets: Sendable, Equatable {
    package struct Target: Sendable, Equatable {
        package enum Kind: Sendable { case app, store, web }
        package let kind: Kind
        package let url: String
    }

    package var platforms: [Platform]
    /// The app first where it is opened; then where people without it are led.
    package let targets: [Target]
}

extension Resolution {
    /// The places that this way to end leads to, each once; empty where it leads nowhere.
    package var targets: [DeviceTargets.Target] {
        var targets: [DeviceTargets.Target] = []
        func add(_ target: DeviceTargets.Target) {
            // A way around the app may be where others are led anyway.
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
            }
        }
        switch self {
        case .redirect(let destination): add(.redirect(destination))
        case .openApp(let opening): add(.openApp(opening))
        case .distinguishMac(let mac, let ipad):
            add(mac)
            add(ipad)
        case .preview, .nowhere, .disabled, .expired, .exhausted, .scheduled: break
        }
        return targets
    }
}

extension Link {
    /// Where other devices than the visitor's are led, those together that are led alike. Pure, and as if nobody had
    /// clicked: no URL carries a click's id.
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

    /// Where this visitor would be led with a device of that kind.
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
        other.bot = nil
        other.arrivedAtOpenHost = false
        return resolve(
            application: application, visitor: other, now: now, clickID: nil, ignoringMaxClicks: true
        ).targets
    }
}
