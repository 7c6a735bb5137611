import 'dart:async';
import 'dart:convert';

import '../url/link_hosts.dart';
import 'clock.dart';
import 'diagnostic.dart';
import 'retry_policy.dart';
import 'transport.dart';
import 'waymark_exception.dart';

/// The JSON of a 2xx response; null if it is not JSON.
class JsonAnswer {
  const JsonAnswer(this.status, this.json);

  final int status;
  final Object? json;

  Map<String, Object?> get members {
    final json = this.json;
    return json is Map<String, Object?> ? json : const {};
  }

  WaymarkException get unexpected =>
      WaymarkException(WaymarkErrorCode.unexpectedAnswer, httpStatus: status);
}

/// Sends requests with retries. Every attempt has the same body and idempotency key.
class RequestSender {
  RequestSender({
    required this.address,
    required String key,
    required this.transport,
    required this.clock,
    required this.random,
    required this.retry,
    required this.timeLimit,
    required this.answerLimit,
    required this.userAgent,
    this.onDiagnostic,
  }) : _key = key;

  final ServiceAddress address;
  final Transport transport;
  final ClientClock clock;
  final double Function() random;
  final RetryPolicy retry;
  final Duration timeLimit;
  final int answerLimit;
  final String userAgent;
  final OnDiagnostic? onDiagnostic;

  /// Private, and in no text of this library.
  final String _key;

  Future<JsonAnswer> post(String path, String body, {String? idempotencyKey}) async {
    for (var attempt = 1;; attempt++) {
      WaymarkException failure;
      onDiagnostic?.call(LinkDiagnostic('request', host: address.host));
      try {
        return await _attempt(path, body, idempotencyKey);
      } on Object catch (error) {
        failure = WaymarkException.of(error);
        onDiagnostic?.call(
          LinkDiagnostic('response', host: address.host, status: failure.status, error: failure.code.name),
        );
      }
      if (!failure.isTransient || failure.code == WaymarkErrorCode.offline) throw failure;
      final wait = retry.waitAfter(attempt, failure.retryAfter, random());
      if (wait == null) throw failure;
      onDiagnostic?.call(LinkDiagnostic('retry', host: address.host));
      await clock.sleep(wait);
    }
  }

  /// One attempt, for checks; a GET without a body. [onHeaders] gets the fields of any response.
  Future<JsonAnswer> once(
    String path, {
    String? body,
    void Function(Map<String, String> headers)? onHeaders,
  }) =>
      _attempt(path, body, null, onHeaders);

  Future<JsonAnswer> _attempt(
    String path,
    String? body,
    String? idempotencyKey, [
    void Function(Map<String, String> headers)? onHeaders,
  ]) async {
    final aborted = Completer<void>();
    try {
      return await _exchange(path, body, idempotencyKey, aborted.future, onHeaders).timeout(
        timeLimit,
        onTimeout: () => throw const WaymarkException(WaymarkErrorCode.timedOut),
      );
    } finally {
      // Ends the transfer of a body that was not read; nothing after a complete response.
      aborted.complete();
    }
  }

  Future<JsonAnswer> _exchange(
    String path,
    String? body,
    String? idempotencyKey,
    Future<void> aborted,
    void Function(Map<String, String> headers)? onHeaders,
  ) async {
    final response = await transport.send(
      TransportRequest(
        method: body == null ? 'GET' : 'POST',
        url: Uri.parse(address.base + path),
        headers: {
          'Authorization': 'Bearer $_key',
          if (body != null) 'Content-Type': 'application/json',
          'Accept': 'application/json, application/problem+json',
          'User-Agent': userAgent,
          if (idempotencyKey != null) 'Idempotency-Key': idempotencyKey,
        },
        body: utf8.encode(body ?? ''),
        aborted: aborted,
      ),
    );
    onHeaders?.call(response.headers);
    final status = response.status;
    final isSuccess = status >= 200 && status < 300;
    final mediaType = (response.headers['content-type'] ?? '').toLowerCase();
    final isProblem = status >= 400 && mediaType.startsWith('application/problem+json');
    final text = isSuccess || isProblem ? await _read(response.body, aborted, isSuccess: isSuccess) : null;
    final json = text == null ? null : _parse(text);
    if (isSuccess) {
      onDiagnostic?.call(LinkDiagnostic('response', host: address.host, status: status));
      return JsonAnswer(status, json);
    }
    final retryAfter = readRetryAfter(response.headers['retry-after'], clock.now());
    final problem = isProblem ? Problem.read(json, status) : null;
    // A proxy may repeat the request in its error.
    if (problem == null || text!.contains(_key) || jsonEncode(json).contains(_key)) {
      throw WaymarkException(
        WaymarkErrorCode.unexpectedAnswer,
        httpStatus: status,
        retryAfter: retryAfter,
      );
    }
    throw WaymarkException(WaymarkErrorCode.refused, problem: problem, retryAfter: retryAfter);
  }

  /// The text of a body; null if it is not UTF-8, or too large for a problem.
  Future<String?> _read(Stream<List<int>> body, Future<void> aborted, {required bool isSuccess}) async {
    final bytes = <int>[];
    // Nobody waits for a body that comes late: leaving the loop ends the connection.
    var isAborted = false;
    unawaited(aborted.then((_) => isAborted = true));
    await for (final chunk in body.timeout(timeLimit)) {
      bytes.addAll(chunk);
      if (isAborted) return null;
      if (bytes.length <= answerLimit) continue;
      if (isSuccess) throw const WaymarkException(WaymarkErrorCode.answerTooLarge);
      return null;
    }
    try {
      return utf8.decode(bytes);
    } on FormatException {
      return null;
    }
  }
}

Object? _parse(String text) {
  try {
    return jsonDecode(text);
  } on FormatException {
    return null;
  }
}

/// The service's URL, without slashes at the end, and its host in lower case.
class ServiceAddress {
  const ServiceAddress._(this.base, this.host);

  factory ServiceAddress(String service, {bool allowsPlainLoopback = false}) {
    final match = _plain.firstMatch(service);
    final host = (match?[2] ?? '').toLowerCase().replaceAll(RegExp(r'[[\]]'), '');
    final port = int.tryParse(match?[3] ?? '1') ?? 0;
    final isPlain = match?[1]!.toLowerCase() == 'http';
    if (host == '' || port < 1 || port > 65535 || isPlain && !(allowsPlainLoopback && isLoopback(host))) {
      throw const WaymarkException(
        WaymarkErrorCode.invalidAddress,
        reason: 'service must be an https URL with a host, without user, query and fragment',
      );
    }
    return ServiceAddress._(service.replaceFirst(RegExp(r'/+$'), ''), host);
  }

  /// Characters that no parser changes, and no dot segments.
  static final _plain = RegExp(
    r"^(https?):\/\/(\[[0-9a-f:.]+\]|[a-z0-9._~-]+)(?::([1-9][0-9]*))?"
    r"((?:\/(?!\.\.?(?:\/|$))[a-z0-9._~!$&'()*+,;=:@%-]*)*)$",
    caseSensitive: false,
  );

  final String base;
  final String host;
}
