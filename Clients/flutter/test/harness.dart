import 'dart:async';
import 'dart:io';

/// The tests of a file by their names. `package:test` would need packages that the core does without.
final Map<String, FutureOr<void> Function()> _tests = {};

void test(String name, FutureOr<void> Function() body) => _tests[name] = body;

void expect(Object? actual, Object? expected) {
  if ('$actual' != '$expected') throw StateError('expected $expected, not $actual');
}

Future<void> runTests({Future<void> Function()? onEnd}) async {
  var failed = 0;
  for (final entry in _tests.entries) {
    try {
      await entry.value();
    } on Object catch (error, trace) {
      failed += 1;
      stderr.writeln('${entry.key}: $error\n$trace');
    }
  }
  await onEnd?.call();
  stdout.writeln('${_tests.length - failed} passed, $failed failed');
  exit(failed == 0 ? 0 : 1);
}
