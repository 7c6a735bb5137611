public import Foundation
import WaymarkKit

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#endif

/// The names of the library for iOS.
extension MobileDeepLinking {
    private static var shared: MobileDeepLinking?

    /// The app's router. The first call reads the configuration in the app's bundle as the library did (see
    /// `init(bundle:presenter:)`) and logs with `NSLog` what is wrong with it.
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    public static func sharedInstance() -> MobileDeepLinking {
        if let shared { return shared }
        #if canImport(UIKit) && !os(watchOS)
            let presenter: (any MobileDeepLinkingPresenting)? = MobileDeepLinkingNavigator(log: print(line:))
        #else
            let presenter: (any MobileDeepLinkingPresenting)? = nil
        #endif
        let routing = MobileDeepLinking(bundle: .main, presenter: presenter)
        if let error = routing.configurationError { print(line: "The configuration can't be used: \(error)") }
        shared = routing
        return routing
    }

    /// Creates a router with the configuration in a bundle: `MobileDeepLinkingConfig.json` or `MobileDeepLinking.json`.
    ///
    /// It is read as the library for iOS did: unknown keys are ignored, the first of repeated members counts, and
    /// `required` is a string. If it can't be read, `configurationError` has the reason and no URL has a route.
    ///
    /// - Parameters:
    ///   - bundle: has the configuration.
    ///   - presenter: shows views. Default: nil, the view is only in the outcome.
    public convenience init(bundle: Bundle, presenter: (any MobileDeepLinkingPresenting)? = nil) {
        var failure: MobileDeepLinkingConfigurationError?
        var configuration = MobileDeepLinkingConfiguration.empty
        do throws(MobileDeepLinkingConfigurationError) {
            configuration = try MobileDeepLinkingConfiguration(
                bundle: bundle, dialect: .ios, ignoresUnknownKeys: true, repeatedMembers: .first)
        } catch {
            failure = error
        }
        self.init(
            configuration: configuration, device: .current, presenter: presenter, log: Self.print(line:),
            configurationError: failure)
    }

    /// The library's name for `route(_:)`. Nil takes the default route.
    public func routeUsingUrl(_ url: URL?) {
        route(url?.absoluteString ?? "")
    }

    /// The library's name for `registerHandler(named:_:)`.
    ///
    /// - Parameters:
    ///   - name: the handler's name in the configuration.
    ///   - handler: receives the parameters, and may change them for later handlers and the view.
    public func registerHandlerWithName(
        _ name: String, handler: @escaping @MainActor (NSMutableDictionary) -> Void
    ) {
        registerHandler(named: name) { parameters in
            let dictionary = NSMutableDictionary()
            for (name, value) in parameters { dictionary[name] = value }
            handler(dictionary)
            parameters = [:]
            for (name, value) in dictionary {
                if let name = name as? String { parameters[name] = value }
            }
        }
    }

    private static func print(line: String) {
        NSLog("%@", "MobileDeepLinking: " + line)
    }
}

extension MobileDeepLinkingConfiguration {
    /// Reads the configuration in a bundle: `MobileDeepLinkingConfig.json`, else `MobileDeepLinking.json`.
    ///
    /// Throws `MobileDeepLinkingConfigurationError` as `init(json:dialect:ignoresUnknownKeys:repeatedMembers:)` does, and
    /// if the bundle has no such file.
    public init(
        bundle: Bundle, dialect: MobileDeepLinkingDialect = .specification, ignoresUnknownKeys: Bool = false,
        repeatedMembers: RepeatedMembers = .refused
    ) throws(MobileDeepLinkingConfigurationError) {
        let urls = ["MobileDeepLinkingConfig", "MobileDeepLinking"].lazy.compactMap { name in
            bundle.url(forResource: name, withExtension: "json")
        }
        guard let url = urls.first, let data = try? Data(contentsOf: url) else {
            throw MobileDeepLinkingConfigurationError(problems: [
                MobileDeepLinkingProblem(
                    line: 1, column: 1, path: "",
                    problem: "the bundle has no MobileDeepLinkingConfig.json; add the file to the app's target")
            ])
        }
        try self.init(
            json: Array(data), dialect: dialect, ignoresUnknownKeys: ignoresUnknownKeys,
            repeatedMembers: repeatedMembers)
    }
}

extension MobileDeepLinkingDevice {
    /// The device that the app runs on. On systems without UIKit: iPhone.
    @MainActor
    public static var current: MobileDeepLinkingDevice {
        #if canImport(UIKit) && !os(watchOS)
            UIDevice.current.userInterfaceIdiom == .phone ? .iPhone : .iPad
        #else
            .iPhone
        #endif
    }
}
