import Flutter
import Network

/// An event whenever the device has a network.
final class NetworkStream: NSObject, FlutterStreamHandler {
    private var monitor: NWPathMonitor?

    func onListen(
        withArguments arguments: Any?, eventSink events: @escaping FlutterEventSink
    ) -> FlutterError? {
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { path in
            if path.status == .satisfied { events(nil) }
        }
        monitor.start(queue: .main)
        self.monitor = monitor
        return nil
    }

    func onCancel(withArguments arguments: Any?) -> FlutterError? {
        monitor?.cancel()
        monitor = nil
        return nil
    }
}
