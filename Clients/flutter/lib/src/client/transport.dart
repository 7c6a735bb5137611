import 'dart:async';
import 'dart:io';

import 'waymark_exception.dart';

/// One attempt of a request. [aborted] completes when its response is no longer needed.
class TransportRequest {
  const TransportRequest({
    this.method = 'POST',
    required this.url,
    required this.headers,
    required this.body,
    required this.aborted,
  });

  final String method;
  final Uri url;
  final Map<String, String> headers;
  final List<int> body;
  final Future<void> aborted;
}

/// A response as it comes; the names of [headers] are in lower case.
class TransportResponse {
  const TransportResponse({required this.status, required this.headers, required this.body});

  final int status;
  final Map<String, String> headers;
  final Stream<List<int>> body;
}

/// Sends one request and never follows a redirect: the key is for the service only. Tests replace it.
abstract class Transport {
  Future<TransportResponse> send(TransportRequest request);

  void close();
}

/// The transport of `dart:io`.
class IoTransport implements Transport {
  final HttpClient _client = HttpClient()..userAgent = null;

  @override
  Future<TransportResponse> send(TransportRequest request) async {
    try {
      final sent = await _client.openUrl(request.method, request.url);
      unawaited(request.aborted.then((_) => sent.abort()));
      sent.followRedirects = false;
      request.headers.forEach(sent.headers.set);
      if (request.body.isNotEmpty) {
        sent.contentLength = request.body.length;
        sent.add(request.body);
      }
      final response = await sent.close();
      final headers = <String, String>{};
      response.headers.forEach((name, values) => headers[name.toLowerCase()] = values.last);
      return TransportResponse(
        status: response.statusCode,
        headers: headers,
        body: response.handleError((Object error) => throw _failure(error)),
      );
    } on Object catch (error) {
      throw _failure(error);
    }
  }

  @override
  void close() => _client.close(force: true);

  /// ENETDOWN and ENETUNREACH of Linux and of Apple's systems: nothing was sent.
  static const _networkErrors = {50, 51, 100, 101};

  static WaymarkException _failure(Object error) {
    if (error is WaymarkException) return error;
    if (error is HandshakeException && '$error'.contains('CERTIFICATE')) {
      return const WaymarkException(WaymarkErrorCode.notTrusted);
    }
    if (error is SocketException && _networkErrors.contains(error.osError?.errorCode)) {
      return const WaymarkException(WaymarkErrorCode.offline);
    }
    // Only the type: the message may have the URL.
    return WaymarkException(WaymarkErrorCode.unreachable, reason: '${error.runtimeType}');
  }
}
