/// A step of the client or of the router, for logs: no part of a URL but its host, no parameter, no metadata
/// and no key. Section 14 of the clients' specification lists the steps.
class LinkDiagnostic {
  const LinkDiagnostic(this.step, {this.host, this.route, this.status, this.error});

  /// `request`, `response` and `retry` of the client; `opened`, `heldBack`, `late`… of the router.
  final String step;
  final String? host;

  /// The format of a route.
  final String? route;

  /// The status of an HTTP response.
  final int? status;

  /// The name of a `WaymarkErrorCode`.
  final String? error;

  @override
  String toString() => [
        step,
        if (host != null) 'host=$host',
        if (route != null) 'route=$route',
        if (status != null) 'status=$status',
        if (error != null) 'error=$error',
      ].join(' ');
}

typedef OnDiagnostic = void Function(LinkDiagnostic diagnostic);
