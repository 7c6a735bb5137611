/// Where a link leads one kind of device, or several that are led to the same places.
package struct DevicePlaces: Sendable, Equatable {
    package struct Place: Sendable, Equatable {
        package enum Kind: Sendable { case app, store, web }
        package let kind: Kind
        package let url: String
    }

    package var platforms: [Platform]
    /// The app first where it is opened; then where people without it are led.
    package let places: [Place]
}

extension Resolution {
    /// The places that this way to end leads to, each once; empty where it leads nowhere.
    package var places: [DevicePlaces.Place] {
        var places: [DevicePlaces.Place] = []
        func add(_ place: DevicePlaces.Place) {
            // A way around the app may be where others are led anyway.
            if !places.contains(where: { $0.url == place.url }) { places.append(place) }
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
        return places
    }
}

extension Link {
    /// Where other devices than the visitor's are led, those together that are led alike. Pure, and as if nobody had
    /// clicked: no URL carries a click's id.
    package func placesElsewhere(application: Application, visitor: Visitor, now: Timestamp) -> [DevicePlaces] {
        var groups: [DevicePlaces] = []
        for platform in [Platform.iphone, .ipad, .android, .macos, .windows, .linux] where platform != visitor.platform
        {
            let places = places(on: platform, application: application, visitor: visitor, now: now)
            if places.isEmpty { continue }
            if let group = groups.firstIndex(where: { $0.places == places }) {
                groups[group].platforms.append(platform)
            } else {
                groups.append(DevicePlaces(platforms: [platform], places: places))
            }
        }
        return groups
    }

    /// Where this visitor would be led with a device of that kind.
    package func places(
        on platform: Platform, application: Application, visitor: Visitor, now: Timestamp
    ) -> [DevicePlaces.Place] {
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
        ).places
    }
}
