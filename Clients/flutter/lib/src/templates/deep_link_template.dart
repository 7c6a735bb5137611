// The template's functions are named after types.
import 'dart:core';
import 'dart:core' as core show bool;

import '../url/deep_link_url.dart';
import '../url/percent_encoding.dart';

/// The types of a template's values.
enum ValueType { string, int, double, bool }

class _Part {
  const _Part(this.text, this.type);

  /// The term, or the name of the value.
  final String text;

  /// Null for a term.
  final ValueType? type;
}

/// A parameter of a template's query.
class TemplateParameter {
  const TemplateParameter(this.name, this.type, {this.isRequired = false});

  final String name;
  final ValueType type;
  final bool isRequired;
}

/// What a URL that matches a template contains.
class TemplateValues {
  const TemplateValues(this.path, this.query, this.fragment);

  final Map<String, Object> path;
  final Map<String, Object> query;
  final String? fragment;
}

/// What becomes of a web link's host.
class WebHost {
  const WebHost._(this.hosts, {this.isLeftOut = false});

  /// A web link must have one of these hosts.
  const WebHost.oneOf(List<String> this.hosts) : isLeftOut = false;

  static const isFirstPart = WebHost._(null);
  static const leftOut = WebHost._(null, isLeftOut: true);

  final List<String>? hosts;
  final bool isLeftOut;
}

/// The URLs of a deep link: terms and typed values of the path in order, and typed parameters of the query.
class DeepLinkTemplate {
  const DeepLinkTemplate()
      : _parts = const [],
        _parameters = const [];

  const DeepLinkTemplate._(this._parts, this._parameters);

  final List<_Part> _parts;
  final List<TemplateParameter> _parameters;

  DeepLinkTemplate term(String text) => _adding(text, null);
  DeepLinkTemplate string(String name) => _adding(name, ValueType.string);
  DeepLinkTemplate int(String name) => _adding(name, ValueType.int);
  DeepLinkTemplate double(String name) => _adding(name, ValueType.double);
  DeepLinkTemplate bool(String name) => _adding(name, ValueType.bool);

  /// Of several parameters with the same name, the first counts.
  DeepLinkTemplate query(List<TemplateParameter> parameters) {
    final names = <String>{};
    return DeepLinkTemplate._(_parts, [
      for (final parameter in parameters)
        if (names.add(parameter.name)) parameter,
    ]);
  }

  DeepLinkTemplate _adding(String text, ValueType? type) =>
      DeepLinkTemplate._([..._parts, _Part(text, type)], _parameters);

  /// The values of the URL; null if it does not match.
  TemplateValues? values(
    String url, {
    WebHost webHost = WebHost.isFirstPart,
    core.bool toleratesUndeclaredQuery = false,
  }) {
    final plain = DeepLinkUrl(url).withoutService;
    final path = _pathValues(plain, webHost);
    final query = path == null ? null : _queryValues(plain, toleratesUndeclaredQuery);
    return query == null ? null : TemplateValues(path!, query, plain.fragment);
  }

  Map<String, Object>? _pathValues(DeepLinkUrl url, WebHost webHost) {
    final texts = url.segments.where((segment) => segment != '').toList();
    final host = url.host ?? '';
    final hosts = webHost.hosts;
    if (url.isWeb && hosts != null) {
      if (!hosts.any((name) => name.toLowerCase() == host.toLowerCase())) return null;
    } else if (host != '' && !(url.isWeb && webHost.isLeftOut)) {
      texts.insert(0, host);
    }
    if (texts.length != _parts.length) return null;
    final values = <String, Object>{};
    for (var index = 0; index < texts.length; index++) {
      final part = _parts[index];
      final text = decodeWhole(texts[index]);
      if (part.type == null) {
        if (text != part.text) return null;
        continue;
      }
      final value = _read(text, part.type!);
      if (value == null) return null;
      values[part.text] = value;
    }
    return values;
  }

  Map<String, Object>? _queryValues(DeepLinkUrl url, core.bool toleratesUndeclared) {
    if (_parameters.isEmpty) return url.query == null || toleratesUndeclared ? {} : null;
    final texts = {
      for (final item in url.queryItems)
        if (item.value != null && !item.value!.contains('=')) item.name: item.value!,
    };
    final values = <String, Object>{};
    for (final parameter in _parameters) {
      final text = texts[parameter.name];
      final value = text == null
          ? null
          : parameter.type == ValueType.string
              ? decodeWhole(text)
              : _read(text, parameter.type);
      if (value != null) {
        values[parameter.name] = value;
      } else if (parameter.isRequired) {
        return null;
      }
    }
    return values;
  }
}

/// The first template that matches the URL, with its place in the list.
MapEntry<int, TemplateValues>? matchTemplates(
  List<DeepLinkTemplate> templates,
  String url, {
  WebHost webHost = WebHost.isFirstPart,
  bool toleratesUndeclaredQuery = false,
}) {
  for (var index = 0; index < templates.length; index++) {
    final values = templates[index].values(
      url,
      webHost: webHost,
      toleratesUndeclaredQuery: toleratesUndeclaredQuery,
    );
    if (values != null) return MapEntry(index, values);
  }
  return null;
}

final _integer = RegExp(r'^[+-]?[0-9]+$');
final _decimal = RegExp(r'^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$');

Object? _read(String text, ValueType type) {
  switch (type) {
    case ValueType.string:
      return text;
    case ValueType.bool:
      return text == 'true' ? true : (text == 'false' ? false : null);
    case ValueType.int:
      // `tryParse` returns null beyond 64 bits.
      return _integer.hasMatch(text) ? int.tryParse(text) : null;
    case ValueType.double:
      // `parse` wants a digit after the point.
      final digits = text.replaceFirst(RegExp(r'\.(?![0-9])'), '');
      final number = _decimal.hasMatch(text) ? double.tryParse(digits) : null;
      return number != null && number.isFinite ? number : null;
  }
}
