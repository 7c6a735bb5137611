import 'dart:async';
import 'dart:math';

/// The clock of a client, which tests replace.
class ClientClock {
  const ClientClock();

  DateTime now() => DateTime.now();

  Future<void> sleep(Duration wait) => Future.delayed(wait);

  /// Calls back when the time is over, unless the timer was cancelled.
  Timer startTimer(Duration limit, void Function() callback) => Timer(limit, callback);

  /// Unix time in whole seconds.
  int get seconds => (now().millisecondsSinceEpoch / 1000).floor();
}

/// `2026-11-21T10:00:00Z` for Unix time in seconds.
String isoTime(int seconds) => DateTime.fromMillisecondsSinceEpoch(seconds * 1000, isUtc: true)
    .toIso8601String()
    .replaceFirst(RegExp(r'\.[0-9]+Z$'), 'Z');

final _random = Random.secure();

/// A random UUID (RFC 9562, section 5.4).
String makeUuid() {
  final bytes = List.generate(16, (_) => _random.nextInt(256));
  bytes[6] = bytes[6] & 0x0f | 0x40;
  bytes[8] = bytes[8] & 0x3f | 0x80;
  final hex = bytes.map((byte) => byte.toRadixString(16).padLeft(2, '0')).join();
  return '${hex.substring(0, 8)}-${hex.substring(8, 12)}-${hex.substring(12, 16)}'
      '-${hex.substring(16, 20)}-${hex.substring(20)}';
}
