import '../url/percent_encoding.dart';

/// A segment of a format: a literal, or the name of a variable.
class RouteSegment {
  const RouteSegment(this.text, {required this.isVariable});

  final String text;
  final bool isVariable;
}

/// The format of a route: `products/:product_id`.
class RouteFormat {
  factory RouteFormat(String text) {
    // Slashes at both ends are removed; runs collapse to one, except that a run after a colon keeps two.
    final trimmed = text.replaceFirst(RegExp('^/+'), '').replaceFirst(RegExp(r'/+$'), '');
    final format = trimmed.replaceAllMapped(RegExp('(:?)(/+)'), (match) {
      final keepsTwo = match[1] == ':' && match[2]!.length > 1;
      return match[1]! + (keepsTwo ? '//' : '/');
    });
    return RouteFormat._(format, [
      if (format != '')
        for (final segment in format.split('/'))
          segment.startsWith(':')
              ? RouteSegment(segment.substring(1), isVariable: true)
              : RouteSegment(segment, isVariable: false),
    ]);
  }

  const RouteFormat._(this.text, this.segments);

  final String text;
  final List<RouteSegment> segments;

  /// The names of the variables, in order.
  Iterable<String> get variables =>
      segments.where((segment) => segment.isVariable).map((segment) => segment.text);

  /// The path with all variables replaced, percent-encoded; null if a value is missing.
  String? filled(Map<String, String> values) {
    if (!variables.every(values.containsKey)) return null;
    return segments
        .map((segment) => segment.isVariable ? encodeWhole(values[segment.text]!) : segment.text)
        .join('/');
  }
}
