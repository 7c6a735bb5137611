import 'dart:async';
import 'dart:convert';
import 'dart:math';

import '../storage/client_storage.dart';
import '../storage/stored_value.dart';
import 'answers.dart';
import 'clock.dart';
import 'request_sender.dart';
import 'retry_policy.dart';
import 'waymark_exception.dart';

/// How many events wait, were given up as too old or too many, and were refused by the service.
class EventCounts {
  const EventCounts({required this.waiting, required this.dropped, required this.refused});

  final int waiting;
  final int dropped;
  final int refused;

  @override
  String toString() => '$waiting waiting, $dropped dropped, $refused refused';
}

class _Event {
  const _Event(this.members);

  /// `id`, `type`, `clickID`, `smartlink`, `platform`, and `at` as Unix time.
  final Map<String, Object?> members;

  String get id => members['id']! as String;
  int get at => members['at']! as int;
}

class _Waiting {
  _Waiting(this.events, this.dropped, this.refused);

  List<_Event> events;
  int dropped;
  int refused;
}

/// Stores events until the service has confirmed them, and sends them in batches, one batch at a time.
class EventQueue {
  EventQueue({
    required RequestSender sender,
    required ClientStorage storage,
    required this.platform,
    required this.limit,
    required this.age,
    required this.sendsEvents,
  })  : _sender = sender,
        _stored = StoredValue(storage, _form) {
    unawaited(_deliver());
  }

  static const _batchLimit = 100;

  /// The waits between failed rounds.
  static const _pauses = RetryPolicy(
    attempts: null,
    firstWait: Duration(seconds: 10),
    longestWait: Duration(minutes: 10),
  );

  static final _form = StoredForm<_Waiting>(
    name: 'events',
    read: (json) => _Waiting(
      [
        for (final event in json['events'] as List<Object?>? ?? const [])
          if (_isEvent(event)) _Event(event! as Map<String, Object?>) else throw const FormatException(),
      ],
      max(0, json['dropped'] as int? ?? 0),
      max(0, json['refused'] as int? ?? 0),
    ),
    json: (value) => {
      'events': [for (final event in value.events) event.members],
      'dropped': value.dropped,
      'refused': value.refused,
    },
    merge: (stored, later) => _Waiting(
      [...stored.events, ...later.events],
      stored.dropped + later.dropped,
      stored.refused + later.refused,
    ),
  );

  final String platform;
  final int limit;
  final Duration age;
  final bool sendsEvents;
  final RequestSender _sender;
  final StoredValue<_Waiting> _stored;
  Future<WaymarkException?>? _sending;
  bool _isDelivering = false;
  bool _isWanted = false;
  bool _isStopped = false;

  /// The event is stored when the future completes.
  Future<void> record(String type, {String? clickId, String? smartlink, String? id}) async {
    final event = _Event({
      'id': id ?? makeUuid(),
      'type': type,
      if (clickId != null) 'clickID': clickId,
      if (smartlink != null) 'smartlink': smartlink,
      'platform': platform,
      'at': _sender.clock.seconds,
    });
    await _stored.update((value, _) {
      if (value.events.any((known) => known.id == event.id)) return;
      value.events.add(event);
      _trim(value);
    });
    unawaited(_deliver());
  }

  Future<EventCounts> counts() => _stored.update((value, _) => EventCounts(
        waiting: value.events.length,
        dropped: value.dropped,
        refused: value.refused,
      ));

  void stop() => _isStopped = true;

  /// Sends all events. The result is null if all were confirmed or given up, otherwise the error.
  Future<WaymarkException?> flush() async {
    // A round under way may have missed an event that was added later.
    while (_sending != null) {
      final failure = await _sending;
      if (failure != null) return failure;
    }
    final round = _sendBatches().whenComplete(() => _sending = null);
    _sending = round;
    return round;
  }

  Future<WaymarkException?> _sendBatches() async {
    var size = _batchLimit;
    for (;;) {
      final batch = await _stored.update((value, _) {
        _trim(value);
        return value.events.take(size).toList();
      });
      if (batch.isEmpty) return null;
      try {
        final body = {
          'events': [
            for (final event in batch) {...event.members, 'at': isoTime(event.at)},
          ],
        };
        readCounted(await _sender.post('/api/v1/events', jsonEncode(body)));
        await _remove(batch, isRefused: false);
        size = min(_batchLimit, size * 2);
      } on Object catch (error) {
        final failure = WaymarkException.of(error);
        final problem = failure.problem;
        if (problem == null || !const {400, 413, 422}.contains(problem.status)) return failure;
        // A refused event must not hold up the others.
        final named = {
          for (final error in problem.errors)
            int.tryParse(RegExp(r'^events\[([0-9]+)\]').firstMatch(error.field)?[1] ?? ''),
        };
        final refused = batch.length == 1
            ? batch
            : [
                for (var index = 0; index < batch.length; index++)
                  if (named.contains(index)) batch[index],
              ];
        if (refused.isEmpty) {
          size = batch.length ~/ 2;
        } else {
          await _remove(refused, isRefused: true);
        }
      }
    }
  }

  Future<void> _remove(List<_Event> events, {required bool isRefused}) => _stored.update((value, _) {
        final ids = {for (final event in events) event.id};
        final before = value.events.length;
        value.events.removeWhere((event) => ids.contains(event.id));
        if (isRefused) value.refused += before - value.events.length;
      });

  /// Gives up expired events, and the oldest ones above the limit.
  void _trim(_Waiting value) {
    final oldest = _sender.clock.seconds - age.inSeconds;
    final fresh = value.events.where((event) => event.at >= oldest).toList();
    final kept = fresh.skip(max(0, fresh.length - max(1, limit))).toList();
    value.dropped += value.events.length - kept.length;
    value.events = kept;
  }

  /// Sends the events and those added meanwhile, with increasing waits after transient failures.
  Future<void> _deliver() async {
    _isWanted = sendsEvents;
    if (_isDelivering) return;
    _isDelivering = true;
    // Nothing is awaited between the last look at `_isWanted` and the end, so no event is left without a
    // delivery.
    for (var failures = 0; _isWanted && !_isStopped;) {
      _isWanted = false;
      final failure = await flush();
      if (failure == null || !failure.isTransient) {
        failures = 0;
        continue;
      }
      _isWanted = true;
      failures += 1;
      // A longer `Retry-After` is honoured too.
      final wait = _pauses.waitAfter(failures, failure.retryAfter, _sender.random());
      await _sender.clock.sleep(wait ?? failure.retryAfter!);
    }
    _isDelivering = false;
  }

  static bool _isEvent(Object? json) {
    if (json is! Map<String, Object?>) return false;
    final texts = [json['id'], json['platform'], json['clickID'] ?? '', json['smartlink'] ?? ''];
    final at = json['at'];
    return texts.every((text) => text is String) &&
        (json['type'] == 'open' || json['type'] == 'install') &&
        at is int &&
        // The latest time that a date has.
        at.abs() <= 8640000000000;
  }
}
