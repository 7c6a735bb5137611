import 'dart:convert';

/// Decodes all escapes (RFC 3986, section 2.1), or none if one is malformed or the result is not UTF-8.
/// With [plusIsSpace], `+` becomes a space even then, as in queries.
String decodeWhole(String text, {bool plusIsSpace = false}) {
  final spaced = plusIsSpace ? text.replaceAll('+', ' ') : text;
  if (!spaced.contains('%')) return spaced;
  final bytes = <int>[];
  var start = 0;
  for (var index = spaced.indexOf('%'); index >= 0; index = spaced.indexOf('%', start)) {
    bytes.addAll(utf8.encode(spaced.substring(start, index)));
    final high = index + 2 < spaced.length ? _digit(spaced.codeUnitAt(index + 1)) : -1;
    final low = high < 0 ? -1 : _digit(spaced.codeUnitAt(index + 2));
    if (low < 0) return spaced;
    bytes.add(high << 4 | low);
    start = index + 3;
  }
  bytes.addAll(utf8.encode(spaced.substring(start)));
  try {
    // The decoder drops a byte order mark, which is part of the text here.
    final hasMark = bytes.length > 2 && bytes[0] == 0xef && bytes[1] == 0xbb && bytes[2] == 0xbf;
    return (hasMark ? '\ufeff' : '') + utf8.decode(hasMark ? bytes.sublist(3) : bytes);
  } on FormatException {
    return spaced;
  }
}

int _digit(int unit) {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  final lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/// Encodes everything except unreserved characters, so that the result never ends its part of a URL. Unpaired
/// surrogates become U+FFFD.
String encodeWhole(String text) {
  final result = StringBuffer();
  for (final byte in utf8.encode(text)) {
    if (_isUnreserved(byte)) {
      result.writeCharCode(byte);
    } else {
      result.write('%${byte.toRadixString(16).toUpperCase().padLeft(2, '0')}');
    }
  }
  return result.toString();
}

bool _isUnreserved(int byte) =>
    byte >= 0x30 && byte <= 0x39 ||
    byte >= 0x41 && byte <= 0x5a ||
    byte >= 0x61 && byte <= 0x7a ||
    byte == 0x2d ||
    byte == 0x2e ||
    byte == 0x5f ||
    byte == 0x7e;

/// The number of bytes in UTF-8.
int byteLength(String text) => utf8.encode(text).length;
