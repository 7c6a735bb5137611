import 'dart:async';
import 'dart:io';

import 'package:flutter/services.dart';

import '../storage/file_storage.dart';

/// What the plugin's code in Java and Swift gives to the app.
class WaymarkDevice {
  const WaymarkDevice();

  static const _calls = MethodChannel('waymark');
  static const _links = EventChannel('waymark/links');
  static const _network = EventChannel('waymark/network');

  /// `ios` or `android`, for the client.
  String get platform => Platform.isIOS ? 'ios' : 'android';

  /// A folder of the app that is not part of backups; on iOS it is protected until the first unlock.
  FileStorage get storage => FileStorage.later(_folder());

  Future<String> _folder() async =>
      await _calls.invokeMethod<String>('folder') ?? (throw StateError('there is no folder'));

  /// The URLs that the app was opened with and that wait for a listener, the oldest first; that of the start
  /// is one of them.
  Future<List<String>> waitingLinks() async =>
      await _calls.invokeListMethod<String>('waitingLinks') ?? const [];

  /// The URLs that the app is opened with from now on. Listen once.
  Stream<String> get links => _links.receiveBroadcastStream().cast<String>();

  /// An event whenever the device has a network again.
  Stream<void> get networkIsBack => _network.receiveBroadcastStream();

  /// The install referrer of Google Play; null on iOS, without Play, and if Play does not answer within five
  /// seconds.
  Future<String?> installReferrer() async {
    if (!Platform.isAndroid) return null;
    try {
      return await _calls.invokeMethod<String>('installReferrer');
    } on PlatformException {
      return null;
    }
  }
}
