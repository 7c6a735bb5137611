import 'dart:math';

import '../url/deep_link_url.dart';
import 'route_format.dart';
import 'routing_dialect.dart';

class RouteEntry<Target> {
  const RouteEntry(this.format, this.target);

  final RouteFormat format;
  final Target target;
}

class RouteMatch<Target> {
  const RouteMatch(this.entry, this.parameters);

  final RouteEntry<Target> entry;
  final Map<String, String> parameters;
}

class _Node<Target> {
  final Map<String, _Node<Target>> literals = {};
  _Node<Target>? variable;
  final List<RouteEntry<Target>> entries = [];
}

/// Mapped routes: from left to right a literal precedes a variable; among formats of the same shape, the one
/// that sorts first. The cost of a match grows with the segments of the URL, not with the number of routes.
class RouteTable<Target> {
  RouteTable(this._dialect);

  final RoutingDialect _dialect;
  final Map<String, RouteEntry<Target>> _entries = {};
  final _Node<Target> _root = _Node();
  int _depth = 0;

  bool get isEmpty => _entries.isEmpty;

  /// Returns false, and changes nothing, if the route is already mapped.
  bool map(RouteFormat format, Target target) {
    final key = _dialect.comparable(format.text);
    if (_entries.containsKey(key)) return false;
    final entry = _entries[key] = RouteEntry(format, target);
    var node = _root;
    for (final segment in format.segments) {
      node = segment.isVariable
          ? node.variable ??= _Node()
          : node.literals.putIfAbsent(_dialect.comparable(segment.text), () => _Node());
    }
    node.entries.add(entry);
    node.entries.sort((left, right) => _compare(left.format.text, right.format.text));
    _depth = max(_depth, format.segments.length);
    return true;
  }

  bool contains(RouteFormat format) => _entries.containsKey(_dialect.comparable(format.text));

  /// The route with exactly this format.
  RouteEntry<Target>? entry(String format) {
    final entry = _entries[_dialect.comparable(format)];
    return entry?.format.text == format ? entry : null;
  }

  /// The routes that match the URL, in order of priority. Only the first is searched for until more are asked
  /// for. Every node is visited once at most, so the cost is bounded by the number of routes too.
  Iterable<RouteMatch<Target>> matches(DeepLinkUrl url) sync* {
    final segments = _dialect.segmentsOf(url);
    if (segments == null || segments.length > _depth) return;
    final path = segments.map(_dialect.comparable).toList();
    // A list rather than the stack: paths may be long. The one added last is visited first.
    final open = [MapEntry(_root, 0)];
    while (open.isNotEmpty) {
      final next = open.removeLast();
      if (next.value == path.length) {
        for (final entry in next.key.entries) {
          yield RouteMatch(entry, {
            for (var index = 0; index < path.length; index++)
              if (entry.format.segments[index].isVariable)
                entry.format.segments[index].text: segments[index],
          });
        }
        continue;
      }
      final variable = next.key.variable;
      if (variable != null) open.add(MapEntry(variable, next.value + 1));
      final literal = next.key.literals[path[next.value]];
      if (literal != null) open.add(MapEntry(literal, next.value + 1));
    }
  }

  RouteMatch<Target>? match(DeepLinkUrl url) {
    for (final match in matches(url)) {
      return match;
    }
    return null;
  }

  /// The formats in order of priority: fewer segments first, then as for one URL.
  List<String> get formats {
    final formats = [for (final entry in _entries.values) entry.format];
    formats.sort((left, right) {
      final shorter = left.segments.length - right.segments.length;
      if (shorter != 0) return shorter;
      for (var index = 0; index < left.segments.length; index++) {
        final isVariable = left.segments[index].isVariable;
        if (isVariable != right.segments[index].isVariable) return isVariable ? 1 : -1;
      }
      return _compare(left.text, right.text);
    });
    return [for (final format in formats) format.text];
  }
}

/// The order of the bytes in UTF-8, which is that of code points; `compareTo` compares UTF-16.
int _compare(String left, String right) {
  final a = left.runes.toList();
  final b = right.runes.toList();
  for (var index = 0; index < min(a.length, b.length); index++) {
    if (a[index] != b[index]) return a[index] - b[index];
  }
  return a.length - b.length;
}
