import 'dart:math';

/// How often a request is made, and how long a client waits in between.
class RetryPolicy {
  const RetryPolicy({
    this.attempts = 4,
    this.firstWait = const Duration(milliseconds: 500),
    this.longestWait = const Duration(seconds: 20),
  });

  /// The attempts altogether; null for no limit.
  final int? attempts;
  final Duration firstWait;
  final Duration longestWait;

  /// The wait after an attempt, counted from 1; null if the request should not be repeated. [fraction] is in
  /// 0 ..< 1: devices that lost a server at the same time must not return at the same time.
  Duration? waitAfter(int attempt, Duration? retryAfter, double fraction) {
    if (attempts != null && attempt >= attempts!) return null;
    final whole = min(
      firstWait.inMicroseconds * pow(2, min(attempt - 1, 30)).toDouble(),
      longestWait.inMicroseconds.toDouble(),
    );
    final wait = Duration(microseconds: (whole / 2 + whole / 2 * fraction).round());
    if (retryAfter == null) return wait;
    if (retryAfter > longestWait) return null;
    return retryAfter > wait ? retryAfter : wait;
  }
}

/// Longer waits make no difference to an app.
const _longest = Duration(days: 1);

/// The value of `Retry-After` (RFC 9110, section 10.2.3): a number of seconds or an IMF-fixdate; null for
/// anything else.
Duration? readRetryAfter(String? text, DateTime now) {
  final trimmed = (text ?? '').trim();
  if (RegExp(r'^[0-9]+$').hasMatch(trimmed)) {
    return trimmed.length > 6 ? _longest : _within(Duration(seconds: int.parse(trimmed)));
  }
  final match = _date.firstMatch(trimmed);
  if (match == null) return null;
  final month = _months.indexOf(match[2]!) + 1;
  int number(int group) => int.parse(match[group]!);
  if (month == 0 || number(1) > 31 || number(4) > 23 || number(5) > 59 || number(6) > 60) return null;
  final date = DateTime.utc(number(3), month, number(1), number(4), number(5), number(6));
  return _within(date.difference(now));
}

Duration _within(Duration wait) => wait.isNegative ? Duration.zero : (wait > _longest ? _longest : wait);

const _months = [
  'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec', //
];
final _date = RegExp(
  r'^[A-Z][a-z]{2}, ([0-9]{2}) ([A-Z][a-z]{2}) ([0-9]{4}) ([0-9]{2}):([0-9]{2}):([0-9]{2}) GMT$',
);
