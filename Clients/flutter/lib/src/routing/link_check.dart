import 'dart:io';

import '../client/request_sender.dart';
import '../client/waymark_client.dart';
import '../client/waymark_exception.dart';
import 'link_reader.dart';

/// One line of a check.
class LinkFinding {
  const LinkFinding.ok(this.check, this.detail)
      : state = 'ok',
        fix = null;
  const LinkFinding.skipped(this.check, this.detail)
      : state = 'skipped',
        fix = null;
  const LinkFinding(this.check, this.detail, String this.fix) : state = 'finding';

  /// `service`, `key`, `clock`, `app`, `domains`, `scheme` or `routes`.
  final String check;

  /// `ok`, `finding` or `skipped`.
  final String state;
  final String detail;

  /// What to do about a finding.
  final String? fix;

  /// In the form of `waymark doctor`.
  @override
  String toString() => '  ${state.padRight(8)} ${check.padRight(8)} $detail${fix == null ? '' : '; $fix'}';
}

/// Compares the app with the service (section 14 of the clients' specification).
class LinkCheck {
  const LinkCheck(this._service, this._reader, this._domains, this._print);

  /// A slug that no link has.
  static const _slug = 'waymark-check';

  /// Certificates, and links with times, are judged by the device's clock.
  static const _clockLimit = Duration(minutes: 5);

  final RouterService _service;
  final LinkReader _reader;
  final List<String> _domains;
  final void Function(String line) _print;

  Future<List<LinkFinding>> run() async {
    DateTime? time;
    final findings = [
      ...await _checkService((headers) => time = _dateOf(headers)),
      _checkClock(time),
      ...await _checkApplication(),
      if (_reader.routes.isEmpty && _reader.defaultTarget == null)
        const LinkFinding('routes', 'no route and no default route is mapped', 'call map before start')
      else
        LinkFinding.ok('routes', '${_reader.routes.formats.length} mapped'),
    ];
    for (final finding in findings) {
      _print('$finding');
    }
    return findings;
  }

  Future<List<LinkFinding>> _checkService(void Function(Map<String, String> headers) onHeaders) async {
    final address = _service.sender.address.base;
    try {
      await _service.peek('$address/$_slug', onHeaders: onHeaders);
    } on WaymarkException catch (error) {
      final service = LinkFinding.ok('service', address);
      if (error.status == 401) {
        const detail = 'the service does not know the key, or it has ended';
        return [service, const LinkFinding('key', detail, 'make one with waymark keys create')];
      }
      if (error.status == 403) {
        const detail = 'the key may not resolve links';
        return [service, const LinkFinding('key', detail, 'give it the scope resolve')];
      }
      if (error.problem?.name != 'link-unknown') {
        return [
          LinkFinding(
            'service',
            '$address does not answer as Waymark: $error',
            'check the address and the network',
          ),
          const LinkFinding.skipped('key', 'the service does not answer'),
        ];
      }
    }
    return [LinkFinding.ok('service', address), const LinkFinding.ok('key', 'it may resolve links')];
  }

  DateTime? _dateOf(Map<String, String> headers) {
    try {
      return HttpDate.parse(headers['date'] ?? '');
    } on Exception {
      return null;
    }
  }

  LinkFinding _checkClock(DateTime? time) {
    if (time == null) return const LinkFinding.skipped('clock', "the service's clock can't be read");
    final difference = time.difference(_service.clock.now()).abs();
    if (difference <= _clockLimit) return const LinkFinding.ok('clock', "within 5 minutes of the service's");
    final seconds = difference.inSeconds;
    return LinkFinding('clock', "it differs from the service's by $seconds s", "set the device's clock");
  }

  Future<List<LinkFinding>> _checkApplication() async {
    List<LinkFinding> skip(String why) => [
          for (final check in const ['app', 'domains', 'scheme']) LinkFinding.skipped(check, why),
        ];
    final app = _service.client.app;
    if (app == null) return skip('the client has no app');
    JsonAnswer answer;
    try {
      answer = await _service.sender.once('/api/v1/apps/${Uri.encodeComponent(app)}');
    } on WaymarkException catch (error) {
      if (error.status != 404) {
        return skip(error.status == 403 ? 'the key may not read the application' : '$error');
      }
      const why = 'the service has no such application';
      return [
        LinkFinding('app', "the service has no application '$app'", 'correct app'),
        const LinkFinding.skipped('domains', why),
        const LinkFinding.skipped('scheme', why),
      ];
    }
    final document = answer.members;
    return [LinkFinding.ok('app', app), _checkDomains(document), _checkScheme(document)];
  }

  LinkFinding _checkDomains(Map<String, Object?> document) {
    final domains = document['domains'];
    final own = {for (final name in _domains) name.toLowerCase()};
    final theirs = {
      if (domains is List<Object?>)
        for (final name in domains)
          if (name is String) name.toLowerCase(),
    };
    if (theirs.isEmpty) return const LinkFinding.ok('domains', 'the application has all hosts that no other has');
    final foreign = own.difference(theirs).join(', ');
    if (foreign != '') {
      return LinkFinding('domains', '$foreign: not of the application', 'add it there, or remove it here');
    }
    final missing = theirs.difference(own).join(', ');
    if (missing == '') return LinkFinding.ok('domains', own.join(', '));
    return LinkFinding('domains', '$missing: not in the router', 'add it to domains of the client');
  }

  LinkFinding _checkScheme(Map<String, Object?> document) {
    final platform = _service.client.platform;
    final name = const {'iphone', 'ipad'}.contains(platform) ? 'ios' : platform;
    final schemes = document['urlSchemes'];
    // Keys with the scope `admin` read the whole document.
    final own = document[name];
    final scheme = schemes is Map<String, Object?> ? schemes[name]
        : own is Map<String, Object?> ? own['urlScheme'] : null;
    if (scheme is! String) return LinkFinding.skipped('scheme', 'the application has none for $platform');
    if (_reader.schemes.contains(scheme.toLowerCase())) return LinkFinding.ok('scheme', scheme);
    const fix = 'add it to schemes';
    return LinkFinding('scheme', "the router lacks the application's scheme '$scheme'", fix);
  }
}
