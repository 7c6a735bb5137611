/// Why a request to the service failed.
enum WaymarkErrorCode {
  /// The service refused the request with a problem document (RFC 9457).
  refused,

  /// The response is not the service's: a redirect, a proxy's page.
  unexpectedAnswer,

  /// The device has no network; nothing was sent.
  offline,

  /// No complete response came within the time limit.
  timedOut,

  /// There was no connection, or it broke.
  unreachable,

  /// The certificate was not trusted.
  notTrusted,

  /// The response's body exceeds the limit.
  answerTooLarge,

  /// The service's URL is not valid.
  invalidAddress,

  /// The key is empty or has invalid characters.
  invalidKey,
}

/// A problem document of the service (RFC 9457).
class Problem {
  const Problem({
    required this.type,
    required this.status,
    this.title = '',
    this.detail = '',
    this.errors = const [],
  });

  /// Reads a problem; null if the JSON is not one. The status of the HTTP response takes precedence.
  static Problem? read(Object? json, int status) {
    if (json is! Map<String, Object?>) return null;
    final type = json['type'];
    if (type is! String || json['status'] is! int) return null;
    final errors = json['errors'];
    return Problem(
      type: type,
      status: status,
      title: textOrNull(json['title']) ?? '',
      detail: textOrNull(json['detail']) ?? '',
      errors: [
        if (errors is List<Object?>)
          for (final error in errors)
            if (error is Map<String, Object?> && error['field'] is String)
              ProblemError(error['field']! as String, textOrNull(error['problem']) ?? ''),
      ],
    );
  }

  /// Such as `urn:waymark:problem:link-expired`.
  final String type;
  final int status;
  final String title;
  final String detail;
  final List<ProblemError> errors;

  /// The type without its prefix: `link-expired`.
  String get name => type.replaceFirst('urn:waymark:problem:', '');
}

/// A member of a request that the service refused.
class ProblemError {
  const ProblemError(this.field, this.problem);

  final String field;
  final String problem;
}

/// Why a request to the service failed. It never contains the key.
class WaymarkException implements Exception {
  const WaymarkException(this.code, {this.reason, this.problem, this.httpStatus, this.retryAfter});

  final WaymarkErrorCode code;
  final String? reason;

  /// The service's own explanation, of [WaymarkErrorCode.refused].
  final Problem? problem;
  final int? httpStatus;

  /// How long the service asks to wait.
  final Duration? retryAfter;

  /// The status of the HTTP response; null without one.
  int? get status => problem?.status ?? httpStatus;

  /// Whether the same request may succeed later.
  bool get isTransient =>
      const {
        WaymarkErrorCode.offline,
        WaymarkErrorCode.timedOut,
        WaymarkErrorCode.unreachable,
      }.contains(code) ||
      const {408, 429, 500, 502, 503, 504}.contains(status);

  /// Whether the service has answered for good. With another key it may succeed, so 401 and 403 are not
  /// final.
  bool get isFinal =>
      code == WaymarkErrorCode.refused && !isTransient && status != 401 && status != 403;

  static WaymarkException of(Object error) => error is WaymarkException
      ? error
      : WaymarkException(WaymarkErrorCode.unreachable, reason: '${error.runtimeType}');

  @override
  String toString() {
    final problem = this.problem;
    String text;
    if (problem == null) {
      // `timedOut` as "timed out".
      final plain = code.name.replaceAllMapped(RegExp('[A-Z]'), (match) => ' ${match[0]!.toLowerCase()}');
      text = plain + (reason == null ? '' : ': $reason') + (status == null ? '' : ' ($status)');
    } else {
      final fields = problem.errors.take(3).map((error) => '${error.field} ${error.problem}'.trim());
      final parts = {problem.title, problem.detail, ...fields}.where((part) => part != '');
      text = 'the service refused: ${parts.join('; ')} (${problem.status}, ${problem.type})';
    }
    // Crash reports and logs have limits.
    return text.length > 1000 ? text.substring(0, 1000) : text;
  }
}

String? textOrNull(Object? value) => value is String ? value : null;
