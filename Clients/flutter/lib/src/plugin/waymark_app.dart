import 'dart:async';

import 'package:flutter/widgets.dart';

import '../client/diagnostic.dart';
import '../client/waymark_client.dart';
import '../routing/deeplinking.dart';
import '../routing/opening.dart';
import 'clipboard.dart';
import 'device.dart';

/// The client and the router of an app, connected with the device: links that the app is opened with, the
/// network, the first launch.
class WaymarkApp with WidgetsBindingObserver {
  WaymarkApp({required this.client, required this.deeplinking, this.device = const WaymarkDevice()});

  /// A client that stores its state on the device, and its router. The parameters are those of
  /// [WaymarkClient] and [Deeplinking].
  factory WaymarkApp.of({
    required String service,
    required String key,
    required String app,
    required List<String> schemes,
    Iterable<String>? domains,
    String? appVersion,
    OnDiagnostic? onDiagnostic,
  }) {
    const device = WaymarkDevice();
    final client = WaymarkClient(
      service: service,
      key: key,
      app: app,
      platform: device.platform,
      appVersion: appVersion,
      domains: domains,
      storage: device.storage,
      onDiagnostic: onDiagnostic,
    );
    return WaymarkApp(
      client: client,
      deeplinking: Deeplinking(client: client, schemes: schemes, onDiagnostic: onDiagnostic),
    );
  }

  final WaymarkClient client;
  final Deeplinking deeplinking;
  final WaymarkDevice device;
  final List<StreamSubscription<void>> _subscriptions = [];

  /// Opens the link that the app was started with and those that follow; without one, the link that led to
  /// the installation. Call it once, after the first frame and after all routes are mapped.
  ///
  /// The errors of targets are the app's: they are reported like other errors that nobody catches.
  Future<void> start() async {
    WidgetsBinding.instance.addObserver(this);
    final waiting = await device.waitingLinks();
    // The last one wins.
    if (waiting.isNotEmpty) unawaited(deeplinking.open(waiting.last));
    _subscriptions
      ..add(device.links.listen((url) => unawaited(deeplinking.open(url))))
      ..add(device.networkIsBack.listen((_) => unawaited(deeplinking.networkIsBack())));
    final deferred = await deeplinking.openDeferred(referrer: await device.installReferrer());
    // A link that the app has received and not shown is given again.
    if (deferred == null && deeplinking.currentDeeplink == null) await deeplinking.openCurrentDeeplink();
  }

  /// The link of the clipboard, for the button "Continue where I left off" of the first launch. Null if there
  /// is none.
  Future<Opening?> openClipboard() async => deeplinking.openDeferred(clipboard: await readClipboard());

  /// Ends what [start] began.
  Future<void> stop() async {
    WidgetsBinding.instance.removeObserver(this);
    for (final subscription in _subscriptions) {
      await subscription.cancel();
    }
    _subscriptions.clear();
  }

  @override
  void didChangeAppLifecycleState(AppLifecycleState state) {
    if (state != AppLifecycleState.resumed) return;
    // Events stay stored if they can't be sent now.
    unawaited(client.flush().catchError((Object _) {}));
  }
}
