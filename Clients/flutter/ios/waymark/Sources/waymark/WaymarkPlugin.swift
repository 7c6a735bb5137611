import Flutter
import UIKit

/// Connects the client in Dart with iOS: links of scenes and of the app delegate, the network, a folder.
public final class WaymarkPlugin: NSObject, FlutterPlugin, FlutterSceneLifeCycleDelegate {
    private let links = LinkStream()

    public static func register(with registrar: FlutterPluginRegistrar) {
        let plugin = WaymarkPlugin()
        let messenger = registrar.messenger()
        let calls = FlutterMethodChannel(name: "waymark", binaryMessenger: messenger)
        registrar.addMethodCallDelegate(plugin, channel: calls)
        // An app without scenes gets links through its delegate.
        registrar.addApplicationDelegate(plugin)
        registrar.addSceneDelegate(plugin)
        FlutterEventChannel(name: "waymark/links", binaryMessenger: messenger).setStreamHandler(plugin.links)
        FlutterEventChannel(name: "waymark/network", binaryMessenger: messenger)
            .setStreamHandler(NetworkStream())
    }

    public func handle(_ call: FlutterMethodCall, result: @escaping FlutterResult) {
        switch call.method {
        case "folder":
            do {
                result(try StateFolder.make().path)
            } catch {
                result(FlutterError(code: "unavailable", message: "There is no folder.", details: nil))
            }
        case "waitingLinks":
            result(links.take())
        default:
            result(FlutterMethodNotImplemented)
        }
    }

    // MARK: Scenes

    // The results say that other plugins may handle the link too.

    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions?
    ) -> Bool {
        options?.userActivities.forEach(receive)
        options?.urlContexts.forEach { links.add($0.url) }
        return false
    }

    public func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) -> Bool {
        contexts.forEach { links.add($0.url) }
        return false
    }

    public func scene(_ scene: UIScene, continue activity: NSUserActivity) -> Bool {
        receive(activity)
        return false
    }

    // MARK: The app delegate

    public func application(
        _ application: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        links.add(url)
        return false
    }

    public func application(
        _ application: UIApplication, continue activity: NSUserActivity,
        restorationHandler: @escaping ([Any]) -> Void
    ) -> Bool {
        receive(activity)
        return false
    }

    private func receive(_ activity: NSUserActivity) {
        guard activity.activityType == NSUserActivityTypeBrowsingWeb else { return }
        if let url = activity.webpageURL { links.add(url) }
    }
}
