package waymark.client.url;

import androidx.annotation.NonNull;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Percent-encoding of URLs (RFC 3986, section 2.1) and of form values. Decoding happens once. */
public final class PercentEncoding {
    private static final char[] DIGITS = "0123456789ABCDEF".toCharArray();

    private PercentEncoding() {}

    /**
     * Decodes a whole text, or nothing of it: if an escape is malformed or the result is not UTF-8, the escapes stay as
     * they are. Nothing is guessed.
     *
     * @param plusIsSpace whether {@code +} is a space, as in a query; then it is one in any case
     */
    @NonNull
    public static String decode(@NonNull String text, boolean plusIsSpace) {
        String source = plusIsSpace ? text.replace('+', ' ') : text;
        if (source.indexOf('%') < 0) return source;
        byte[] bytes = source.getBytes(StandardCharsets.UTF_8);
        int end = 0;
        for (int position = 0; position < bytes.length; position++) {
            byte value = bytes[position];
            if (value == '%') {
                if (position + 2 >= bytes.length) return source;
                int high = digit(bytes[position + 1]);
                int low = digit(bytes[position + 2]);
                if (high < 0 || low < 0) return source;
                value = (byte) (high << 4 | low);
                position += 2;
            }
            bytes[end++] = value;
        }
        try {
            CharBuffer decoded = StandardCharsets.UTF_8.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes, 0, end));
            return decoded.toString();
        } catch (CharacterCodingException error) {
            return source;
        }
    }

    /** Encodes everything but the unreserved characters, which is right for one path segment or one query component. */
    @NonNull
    public static String encode(@NonNull String text) {
        StringBuilder encoded = new StringBuilder(text.length() + 16);
        for (byte value : text.getBytes(StandardCharsets.UTF_8)) {
            if (isUnreserved(value)) {
                encoded.append((char) value);
            } else {
                encoded.append('%').append(DIGITS[value >> 4 & 15]).append(DIGITS[value & 15]);
            }
        }
        return encoded.toString();
    }

    /** RFC 3986, section 2.3. */
    public static boolean isUnreserved(int value) {
        return value >= 'a' && value <= 'z' || value >= 'A' && value <= 'Z' || value >= '0' && value <= '9'
                || value == '-' || value == '.' || value == '_' || value == '~';
    }

    /** The value of a hexadecimal digit, or -1. */
    public static int digit(int value) {
        if (value >= '0' && value <= '9') return value - '0';
        if (value >= 'a' && value <= 'f') return value - 'a' + 10;
        if (value >= 'A' && value <= 'F') return value - 'A' + 10;
        return -1;
    }
}
