/// Not in Flutter: what the device's side answers and sends.
class StandInDevice {
  static final Map<String, Object? Function()> calls = {};
  static final Map<String, Stream<Object?>> streams = {};
  static String? clipboard;
}

class PlatformException implements Exception {}

class MethodChannel {
  const MethodChannel(this.name);

  final String name;

  Future<T?> invokeMethod<T>(String method) async => StandInDevice.calls[method]!() as T?;

  Future<List<T>?> invokeListMethod<T>(String method) async =>
      (StandInDevice.calls[method]!() as List<Object?>?)?.cast<T>();
}

class EventChannel {
  const EventChannel(this.name);

  final String name;

  Stream<Object?> receiveBroadcastStream() => StandInDevice.streams[name]!;
}

class ClipboardData {
  const ClipboardData(this.text);

  final String? text;
}

class Clipboard {
  static const kTextPlain = 'text/plain';

  static Future<bool> hasStrings() async => StandInDevice.clipboard != null;

  static Future<ClipboardData?> getData(String format) async => ClipboardData(StandInDevice.clipboard);
}
