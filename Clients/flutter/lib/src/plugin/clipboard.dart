import 'package:flutter/services.dart';

/// Whether the clipboard may have a text. Shows no message of the system.
Future<bool> clipboardHasText() => Clipboard.hasStrings();

/// The clipboard's text. Call it only after a tap of the person: iOS shows a message. The client sends it
/// only if it is a smart link of the app's domains with a click.
Future<String?> readClipboard() async => (await Clipboard.getData(Clipboard.kTextPlain))?.text;
