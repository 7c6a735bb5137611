import 'dart:async';
import 'dart:convert';

import '../storage/client_storage.dart';
import '../storage/stored_value.dart';
import 'clock.dart';
import 'request_sender.dart';
import 'waymark_exception.dart';

class _Pending {
  const _Pending(this.request, this.key, this.at);

  final String request;
  final String key;
  final int at;
}

class _Unanswered {
  int calls = 0;
  bool isLost = false;
}

/// Sends requests that must take effect once, no matter how often they are sent: the idempotency key is
/// stored before the first attempt and removed when the service has responded and the response could be read.
class IdempotentRequests {
  IdempotentRequests(this._sender, ClientStorage storage) : _stored = StoredValue(storage, _form);

  static const _limit = 200;

  /// In seconds. The service stores keys for 24 hours; one hour is left for retries and differences between
  /// clocks.
  static const _age = 23 * 3600;

  static final _form = StoredForm<List<_Pending>>(
    name: 'requests',
    read: (json) => [
      for (final entry in json['requests'] as List<Object?>? ?? const [])
        if (entry is Map<String, Object?> && RegExp(r'^[!-~]+$').hasMatch(entry['key']! as String))
          _Pending(entry['request']! as String, entry['key']! as String, entry['at']! as int)
        else
          throw const FormatException(),
    ],
    json: (requests) => {
      'requests': [
        for (final pending in requests)
          {'request': pending.request, 'key': pending.key, 'at': pending.at},
      ],
    },
    merge: (stored, later) => stored..addAll(later),
  );

  final RequestSender _sender;
  final StoredValue<List<_Pending>> _stored;
  final Map<String, _Unanswered> _unanswered = {};

  /// With [isShared], equal requests at the same time share a key (a link that was tapped twice), which is
  /// removed when all of them have a response; otherwise they have a key each (two links to create).
  Future<Result> post<Result>(
    String path,
    Map<String, Object?> body, {
    required bool isShared,
    required FutureOr<Result> Function(JsonAnswer answer) read,
  }) async {
    final text = jsonEncode(body);
    final request = _fingerprint('$path\u0000$text');
    final key = await _begin(request, isShared);
    var isAnswered = false;
    try {
      final result = await read(await _sender.post(path, text, idempotencyKey: key));
      isAnswered = true;
      return result;
    } on WaymarkException catch (error) {
      isAnswered = error.isFinal;
      rethrow;
    } finally {
      await _end(key, isAnswered);
    }
  }

  Future<String> _begin(String request, bool isShared) => _stored.update((requests, _) {
        final now = _sender.clock.seconds;
        // An entry from the future, after the clock was set back, counts as expired.
        requests.removeWhere((pending) => pending.at > now || now - pending.at >= _age);
        final known = requests.where((pending) =>
            pending.request == request && (isShared || (_unanswered[pending.key]?.calls ?? 0) == 0));
        final pending = known.isEmpty ? _Pending(request, makeUuid(), now) : known.first;
        if (known.isEmpty) requests.add(pending);
        if (requests.length > _limit) requests.removeRange(0, requests.length - _limit);
        (_unanswered[pending.key] ??= _Unanswered()).calls += 1;
        return pending.key;
      });

  Future<void> _end(String key, bool isAnswered) async {
    final entry = _unanswered[key]!..calls -= 1;
    entry.isLost = entry.isLost || !isAnswered;
    if (entry.calls > 0) return;
    _unanswered.remove(key);
    if (entry.isLost) return;
    await _stored.update((requests, _) => requests.removeWhere((pending) => pending.key == key));
  }
}

/// 128-bit FNV-1a, in hexadecimal. It identifies requests without storing them, and need not resist attacks:
/// the app itself makes the requests, and the service compares the bodies.
String _fingerprint(String text) {
  var hash = BigInt.parse('6c62272e07bb014262b821756295c58d', radix: 16);
  final prime = BigInt.parse('1000000000000000000013b', radix: 16);
  for (final byte in utf8.encode(text)) {
    hash = ((hash ^ BigInt.from(byte)) * prime).toUnsigned(128);
  }
  return hash.toRadixString(16).padLeft(32, '0');
}
