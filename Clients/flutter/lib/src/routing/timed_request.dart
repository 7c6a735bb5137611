import 'dart:async';

import '../client/clock.dart';
import '../client/waymark_exception.dart';

/// The end of a request: its value or its error.
class Asked<Value> {
  const Asked(this.value, this.error, {this.mayOpen = true});

  final Value? value;
  final Object? error;

  /// False long after the limit: the person does something else by now.
  final bool mayOpen;
}

/// A timer that is later than this was stopped, because the process slept. The time of day shows it: a [Stopwatch]
/// stands still while the device sleeps.
const _slack = Duration(seconds: 1);

/// Waits for a request at most [limit]. The request goes on, and [late] gets its result. [onTimeout] and
/// [onEnd] are called first.
Future<Asked<Value>> ask<Value>(
  Future<Value> request, {
  required ClientClock clock,
  required Duration limit,
  required void Function() onTimeout,
  required void Function(Asked<Value> asked) onEnd,
  required Future<void> Function(Asked<Value> asked) late,
}) {
  final began = clock.now();
  final result = Completer<Asked<Value>>();
  void end() {
    if (result.isCompleted) return;
    onTimeout();
    result.complete(
      Asked(
        null,
        const WaymarkException(WaymarkErrorCode.timedOut),
        mayOpen: clock.now().difference(began) <= limit + _slack,
      ),
    );
  }

  final timer = clock.startTimer(limit, end);
  Future<void> receive(Asked<Value> asked) async {
    timer.cancel();
    // Timers stand still while the process sleeps.
    if (clock.now().difference(began) >= limit) end();
    final isLate = result.isCompleted;
    // What waits for the result goes first.
    if (isLate) await Future<void>.delayed(Duration.zero);
    onEnd(asked);
    if (isLate) return late(asked);
    result.complete(asked);
  }

  unawaited(
    request.then(
      (value) => receive(Asked(value, null)),
      onError: (Object error) => receive(Asked(null, error)),
    ),
  );
  return result.future;
}
