// Runs one file of the cases that all clients share: dart test/cases.dart FILE. Section 13 of the clients'
// specification has their format.
import 'dart:async';
import 'dart:convert';
import 'dart:io';

import 'package:waymark/core.dart';

typedef Json = Map<String, Object?>;

/// A clock that moves by what a client waits, and whose timers end when a late answer comes.
class CaseClock extends ClientClock {
  DateTime time = DateTime.parse('2026-11-21T10:00:00Z');
  final List<double> waits = [];
  final List<CaseTimer> timers = [];

  @override
  DateTime now() => time;

  @override
  Future<void> sleep(Duration wait) async {
    waits.add(wait.inMicroseconds / 1e6);
    time = time.add(wait);
  }

  @override
  Timer startTimer(Duration limit, void Function() callback) {
    final timer = CaseTimer(callback);
    timers.add(timer);
    return timer;
  }

  void endTimers() {
    for (final timer in timers) {
      if (timer.isActive) timer.callback();
      timer.cancel();
    }
  }
}

class CaseTimer implements Timer {
  CaseTimer(this.callback);

  final void Function() callback;

  @override
  bool isActive = true;

  @override
  int get tick => 0;

  @override
  void cancel() => isActive = false;
}

/// The case's answers in place of the network.
class CaseTransport implements Transport {
  CaseTransport(List<Object?> answers, this.clock) : answers = [...answers.cast<Json>()];

  final CaseClock clock;
  final List<Json> answers;
  final List<Json> requests = [];
  final List<String?> keys = [];
  int underWay = 0;

  /// Is called at the next attempt, before its answer.
  Future<void> Function()? meanwhile;

  @override
  Future<TransportResponse> send(TransportRequest request) async {
    underWay += 1;
    try {
      requests.add({'path': request.url.path, 'json': jsonDecode(utf8.decode(request.body))});
      keys.add(request.headers['Idempotency-Key']);
      final call = meanwhile;
      meanwhile = null;
      await call?.call();
      final answer = answers.isEmpty ? const {'failure': 'unreachable'} : answers.removeAt(0);
      if (answer['late'] == true) {
        await pump();
        clock.endTimers();
        await pump();
      }
      final failure = answer['failure'];
      if (failure != null) {
        throw WaymarkException(WaymarkErrorCode.values.firstWhere((code) => code.name == failure));
      }
      final status = answer['status']! as int;
      final json = answer['json'];
      final length = answer['length'] as int?;
      return TransportResponse(
        status: status,
        headers: {
          if (json != null) 'content-type': status >= 400 ? 'application/problem+json' : 'application/json',
          for (final field in (answer['headers'] as Json? ?? const {}).entries)
            field.key.toLowerCase(): field.value! as String,
        },
        body: Stream.value(utf8.encode(
          json != null ? jsonEncode(json) : (length != null ? ' ' * length : answer['text'] as String? ?? ''),
        )),
      );
    } finally {
      underWay -= 1;
    }
  }

  @override
  void close() {}
}

/// Lets everything run that waits for nothing else.
Future<void> pump() async {
  for (var turn = 0; turn < 20; turn++) {
    await Future<void>.delayed(Duration.zero);
  }
}

/// A client whose network is the case's answers.
class Scripted {
  Scripted(this.input, {this.retry = const RetryPolicy(), this.random}) {
    transport = CaseTransport(input['answers'] as List<Object?>? ?? const [], clock);
    restart();
  }

  final Json input;
  final RetryPolicy retry;
  final double Function()? random;
  final clock = CaseClock();
  final storage = MemoryStorage();
  late final CaseTransport transport;
  late WaymarkClient client;

  void restart() {
    final age = input['eventAge'] as num?;
    client = WaymarkClient(
      service: 'https://go.example.com',
      key: 'wm_cases',
      app: input['app'] as String? ?? 'shop',
      platform: input['platform'] as String? ?? 'android',
      appVersion: input['appVersion'] as String?,
      domains: (input['domains'] as List<Object?>?)?.cast<String>(),
      storage: storage,
      sendsEvents: false,
      retry: retry,
      eventLimit: input['eventLimit'] as int? ?? 500,
      eventAge: age == null ? const Duration(days: 6) : Duration(seconds: age.toInt()),
      clock: clock,
      random: random,
      transport: transport,
    );
  }

  Object? get requests => plain(transport.requests);

  Future<Object?> get events async {
    await client.eventCounts();
    final text = storage.values['events'];
    return text == null ? const <Object?>[] : plain((jsonDecode(text) as Json)['events']);
  }
}

/// Without the members that differ each time.
Object? plain(Object? value) {
  if (value is List<Object?>) return [for (final element in value) plain(element)];
  if (value is! Json) return value;
  return {
    for (final member in value.entries)
      if (!const {'id', 'at', 'installID'}.contains(member.key)) member.key: plain(member.value),
  };
}

class Outcome {
  const Outcome(this.outcome, {this.value, this.status, this.problem});

  final String outcome;
  final Object? value;
  final int? status;
  final String? problem;

  static Future<Outcome> of(Future<Object?> Function() call) async {
    try {
      return Outcome('ok', value: await call());
    } on WaymarkException catch (error) {
      return Outcome(error.code.name, status: error.status, problem: error.problem?.name);
    }
  }
}

RoutingDialect dialectOf(Json input) => const {
      'ios': RoutingDialect.ios,
      'android': RoutingDialect.android,
    }[input['dialect']] ??
    RoutingDialect.standard;

List<String> texts(Object? list) => (list as List<Object?>? ?? const []).cast<String>();

Json deeplinkJson(Deeplink deeplink) => {
      'url': deeplink.openedUrl,
      'route': deeplink.route,
      'routeParameters': deeplink.routeParameters,
      'queryParameters': deeplink.queryParameters,
      'metadata': deeplink.metadata,
      'clickID': deeplink.clickId,
      'smartlink': deeplink.smartlink,
      'isDeferred': deeplink.isDeferred,
      'error': deeplink.errorCode,
      'wasOpened': deeplink.wasOpened,
    };

final Map<String, FutureOr<Json> Function(Json input)> kinds = {
  'url': (input) {
    final url = DeepLinkUrl(input['url']! as String);
    final service = url.service;
    return {
      'scheme': url.scheme,
      'authority': url.authority,
      'host': url.host,
      'path': url.path,
      'segments': url.segments,
      'query': url.query,
      'queryItems': [
        for (final item in url.queryItems) [item.name, item.value],
      ],
      'fragment': url.fragment,
      'plain': url.withoutService.text,
      'service': {
        'clickID': service.clickId,
        'smartlinkID': service.smartlinkId,
        'needsMetadata': service.needsMetadata,
      },
      'appLink': url.asAppLink(input['scheme'] as String? ?? 'shop').text,
    };
  },
  'routes': (input) async {
    var opened = false;
    final deeplinking = Deeplinking(
      dialect: dialectOf(input),
      schemes: input.containsKey('schemes') ? texts(input['schemes']) : const ['shop'],
    );
    final refused = <String>[];
    for (final route in texts(input['routes'])) {
      try {
        deeplinking.map(route, (_) => opened = true);
      } on DeeplinkingException {
        refused.add(route);
      }
    }
    if (input['defaultRoute'] == true) deeplinking.mapDefault((_) => opened = true);
    final result = await deeplinking.open(input['url']! as String);
    final deeplink = result.deeplink;
    return {
      'refused': refused,
      'mapped': deeplinking.mappedRoutes,
      'opened': opened,
      'isCurrent': deeplinking.currentDeeplink != null,
      'route': deeplink?.route,
      'routeParameters': deeplink?.routeParameters,
      'queryParameters': deeplink?.queryParameters,
    };
  },
  'templates': (input) {
    final templates = [
      for (final template in (input['templates']! as List<Object?>).cast<Json>())
        (template['path'] as List<Object?>? ?? const []).cast<Json>().fold<DeepLinkTemplate>(
          const DeepLinkTemplate(),
          (made, part) {
            final name = part.values.first! as String;
            switch (part.keys.first) {
              case 'term':
                return made.term(name);
              case 'string':
                return made.string(name);
              case 'int':
                return made.int(name);
              case 'double':
                return made.double(name);
              default:
                return made.bool(name);
            }
          },
        ).query([
          for (final parameter in (template['query'] as List<Object?>? ?? const []).cast<Json>())
            TemplateParameter(
              parameter['name']! as String,
              ValueType.values.firstWhere((type) => type.name == parameter['type']),
              isRequired: parameter['required'] == true,
            ),
        ]),
    ];
    final options = input['options'] as Json? ?? const {};
    final webHost = options['webHost'];
    final match = matchTemplates(
      templates,
      input['url']! as String,
      webHost: webHost is List<Object?>
          ? WebHost.oneOf(webHost.cast())
          : (webHost == 'isLeftOut' ? WebHost.leftOut : WebHost.isFirstPart),
      toleratesUndeclaredQuery: options['toleratesUndeclaredQuery'] == true,
    );
    return {
      'matchedIndex': match?.key,
      'path': match?.value.path,
      'query': match?.value.query,
      'fragment': match?.value.fragment,
    };
  },
  'create': (input) async {
    Deeplink deeplink;
    try {
      deeplink = Deeplink(
        route: input['route'] as String?,
        routeParameters: input['routeParameters'] as Json? ?? const {},
        queryParameters: input['queryParameters'] as Json? ?? const {},
        metadata: input['metadata'] as Json?,
        redeemLimit: input['redeemLimit'] as int?,
        isUnique: input['unique'] == true,
        urls: input['urls'] as Json? ?? const {},
      );
    } on DeeplinkingException catch (error) {
      final isMissing = error.code == DeeplinkingErrorCode.missingRouteParameters;
      return {isMissing ? 'missing' : 'invalid': error.names};
    }
    final made = Scripted(input);
    final result = await Outcome.of(() => made.client.createSmartlink(deeplink.linkRequest));
    return {
      'url': deeplink.url,
      'requests': made.requests,
      'smartlink': result.value,
      'outcome': result.outcome,
    };
  },
  'resolve': (input) async {
    final made = Scripted(input);
    var opened = false;
    final deeplinking = Deeplinking(
      client: made.client,
      schemes: input.containsKey('schemes') ? texts(input['schemes']) : const ['shop'],
      dialect: dialectOf(input),
    );
    for (final route in texts(input['routes'])) {
      deeplinking.map(route, (_) => opened = true);
    }
    if (input['defaultRoute'] == true) deeplinking.mapDefault((_) => opened = true);
    if (input['holdsBack'] == true) deeplinking.addFilter((_) => false);
    await deeplinking.open(input['open']! as String);
    final current = deeplinking.currentDeeplink;
    return {
      'requests': made.requests,
      'opened': opened,
      'deeplink': current == null ? null : deeplinkJson(current),
      'events': await made.events,
    };
  },
  'openings': playOpenings,
  'explain': (input) async {
    final made = Scripted(input);
    final deeplinking = Deeplinking(
      client: made.client,
      schemes: input.containsKey('schemes') ? texts(input['schemes']) : const ['shop'],
      dialect: dialectOf(input),
    );
    for (final route in texts(input['routes'])) {
      deeplinking.map(route, (_) {});
    }
    if (input['defaultRoute'] == true) deeplinking.mapDefault((_) {});
    final found = await deeplinking.explain(input['explain']! as String, asksService: input['asks'] == true);
    if ('$found'.contains('\n')) throw StateError('the description has several lines');
    return {
      'requests': made.requests,
      'explanation': {
        'outcome': found.outcome,
        'why': found.why,
        'url': found.url,
        'route': found.route,
        'routeParameters': found.routeParameters,
        'otherRoutes': found.otherRoutes,
        'error': found.error,
      },
      'events': await made.events,
    };
  },
  'retries': (input) async {
    final policy = input['retry'] as Json? ?? const {};
    Duration seconds(String name, Duration otherwise) {
      final value = policy[name] as num?;
      return value == null ? otherwise : Duration(microseconds: (value * 1e6).round());
    }

    final made = Scripted(
      input,
      retry: RetryPolicy(
        attempts: policy['attempts'] as int? ?? 4,
        firstWait: seconds('firstWait', const Duration(milliseconds: 500)),
        longestWait: seconds('longestWait', const Duration(seconds: 20)),
      ),
      random: () => (input['random']! as num).toDouble(),
    );
    final client = made.client;
    if (input['call'] == 'flush') await client.recordOpen(clickId: 'c1');
    final calls = <String, Future<Object?> Function()>{
      'resolve': () => client.resolve(smartlink: 'https://go.example.com/Ab3dE9x'),
      'create': () => client.createSmartlink({
            'urls': {'web': 'https://www.example.com/'},
          }),
      'flush': () async => client.flush(),
    };
    var result = const Outcome('ok');
    for (var call = 0; call < (input['repeats'] as int? ?? 1); call++) {
      result = await Outcome.of(calls[input['call']]!);
    }
    final keys = made.transport.keys;
    final known = keys.whereType<String>().toSet().toList();
    return {
      'attempts': made.transport.requests.length,
      'waits': made.clock.waits,
      'outcome': result.outcome,
      'status': result.status,
      'problem': result.problem,
      'keys': [for (final key in keys) key == null ? null : known.indexOf(key) + 1],
    };
  },
  'deferred': (input) async {
    final made = Scripted(input);
    var result = const Outcome('ok');
    for (var call = 0; call < (input['repeats'] as int? ?? 1); call++) {
      result = await Outcome.of(() => made.client.claimDeferred(
            referrer: input['referrer'] as String?,
            clipboard: input['clipboard'] as String?,
          ));
    }
    return {
      'requests': made.requests,
      'outcome': result.outcome,
      'deferred': deferredJson(result.value as DeferredDeeplink?),
      'events': await made.events,
    };
  },
  'events': (input) async {
    final made = Scripted(input);
    for (final record in (input['record']! as List<Object?>).cast<Json>()) {
      made.clock.time = made.clock.time.add(Duration(seconds: record['after'] as int? ?? 0));
      await made.client.recordOpen(
        clickId: record['clickID'] as String?,
        smartlink: record['smartlink'] as String?,
      );
    }
    final result = await Outcome.of(() async => made.client.flush());
    final counts = await made.client.eventCounts();
    return {
      'batches': [
        for (final request in made.transport.requests)
          [
            for (final event in ((request['json']! as Json)['events']! as List<Object?>).cast<Json>())
              event['clickID'] ?? event['smartlink'],
          ],
      ],
      'counts': {'waiting': counts.waiting, 'dropped': counts.dropped, 'refused': counts.refused},
      'outcome': result.outcome,
    };
  },
};

Json? deferredJson(DeferredDeeplink? deferred) => deferred == null
    ? null
    : {
        'deeplink': deferred.link.deeplink,
        'route': deferred.link.route,
        'routeParameters': deferred.link.routeParameters,
        'queryParameters': deferred.link.queryParameters,
        'metadata': deferred.link.metadata,
        'match': deferred.match,
        'clickID': deferred.clickId,
      };

Future<Json> playOpenings(Json input) async {
  final made = Scripted(input);
  final diagnostics = <String>[];
  final targets = <String>[];
  var passes = true;
  String? replaces;
  late Deeplinking deeplinking;
  void start() {
    final router = deeplinking = Deeplinking(
      client: made.client,
      schemes: input.containsKey('schemes') ? texts(input['schemes']) : const ['shop'],
      dialect: dialectOf(input),
      onDiagnostic: (diagnostic) => diagnostics.add(diagnostic.step),
    );
    for (final route in texts(input['routes'])) {
      router.map(route, (_) => targets.add(route));
    }
    if (input['defaultRoute'] == true) router.mapDefault((_) => targets.add(''));
    router.addFilter((_) async {
      final url = replaces;
      replaces = null;
      if (url != null) await router.open(url);
      return passes;
    });
  }

  start();
  final results = <Json>[];
  for (final step in (input['steps']! as List<Object?>).cast<Json>()) {
    targets.clear();
    Opening? opening;
    final value = step.values.first;
    switch (step.keys.first) {
      case 'open':
        opening = await deeplinking.open(value! as String);
        break;
      case 'openSmartlink':
        opening = await deeplinking.openSmartlink(value! as String);
        break;
      case 'openDeferred':
        final traces = value! as Json;
        opening = await deeplinking.openDeferred(
          referrer: traces['referrer'] as String?,
          clipboard: traces['clipboard'] as String?,
        );
        break;
      case 'openCurrent':
        opening = await deeplinking.openCurrentDeeplink();
        break;
      case 'passes':
        passes = value! as bool;
        break;
      case 'replaces':
        replaces = value! as String;
        break;
      case 'meanwhile':
        made.transport.meanwhile = deeplinking.openCurrentDeeplink;
        break;
      case 'restart':
        made.restart();
        start();
        break;
      case 'networkIsBack':
        await deeplinking.networkIsBack();
        break;
      case 'after':
        made.clock.time = made.clock.time.add(Duration(seconds: value! as int));
        break;
      default:
        throw StateError('the step ${step.keys.first} is unknown');
    }
    while (made.transport.underWay > 0) {
      await pump();
    }
    await pump();
    final current = deeplinking.currentDeeplink;
    results.add({
      'status': opening?.status.name,
      'targets': [...targets],
      'deeplink': current == null ? null : deeplinkJson(current),
    });
  }
  return {
    'results': results,
    'requests': made.requests,
    'installation': deferredJson(await made.client.installationDeeplink),
    'events': await made.events,
    'diagnostics': diagnostics,
  };
}

bool isEqual(Object? one, Object? other) {
  if (one is Json && other is Json) {
    return one.length == other.length &&
        one.entries.every(
          (member) => other.containsKey(member.key) && isEqual(member.value, other[member.key]),
        );
  }
  if (one is List<Object?> && other is List<Object?>) {
    return one.length == other.length &&
        Iterable<int>.generate(one.length).every((index) => isEqual(one[index], other[index]));
  }
  return one == other;
}

bool hasMembers(Object? expected, Object? actual) =>
    expected is Json && actual is Json
        ? expected.entries.every((member) => isEqual(member.value, actual[member.key]))
        : isEqual(expected, actual);

bool isExpected(String name, Object? expected, Object? actual) {
  if (name == 'waits') {
    final waits = (actual! as List<Object?>).cast<double>();
    final wanted = (expected! as List<Object?>).cast<num>();
    return waits.length == wanted.length &&
        Iterable<int>.generate(waits.length)
            .every((index) => (waits[index] - wanted[index]).abs() <= 0.001);
  }
  if (const {'deeplink', 'deferred', 'explanation', 'installation'}.contains(name)) {
    return hasMembers(expected, actual);
  }
  if (name != 'results') return isEqual(expected, actual);
  final results = (actual! as List<Object?>).cast<Json>();
  final wanted = (expected! as List<Object?>).cast<Json?>();
  return results.length == wanted.length &&
      Iterable<int>.generate(results.length).every(
        (index) => (wanted[index] ?? const {}).entries.every((member) => member.key == 'deeplink'
            ? hasMembers(member.value, results[index]['deeplink'])
            : isEqual(member.value, results[index][member.key])),
      );
}

Future<void> main(List<String> arguments) async {
  List<Json> cases;
  FutureOr<Json> Function(Json input) run;
  try {
    final file = jsonDecode(File(arguments.single).readAsStringSync()) as Json;
    cases = (file['cases']! as List<Object?>).cast<Json>();
    run = kinds[file['kind']]!;
  } on Object catch (error) {
    stderr.writeln(arguments.length == 1 ? '${arguments.single}: $error' : 'usage: cases FILE');
    exit(2);
  }
  var passed = 0;
  for (final one in cases) {
    Json actual;
    try {
      actual = await run(one['input']! as Json);
    } on Object catch (error, trace) {
      actual = {'failure': '$error\n$trace'};
    }
    final expected = one['expected']! as Json;
    final wrong = [
      for (final member in expected.entries)
        if (actual.containsKey('failure') || !isExpected(member.key, member.value, actual[member.key]))
          member.key,
    ];
    if (wrong.isEmpty) {
      passed += 1;
      continue;
    }
    stderr.writeln(one['name']);
    if (actual.containsKey('failure')) stderr.writeln('  ${actual['failure']}');
    for (final member in wrong) {
      stderr.writeln('  $member: expected ${jsonEncode(expected[member])}');
      stderr.writeln('  $member: actual   ${jsonEncode(actual[member])}');
    }
  }
  stdout.writeln('$passed cases passed');
  exit(passed == cases.length ? 0 : 1);
}
