package waymark.client.internal;

import java.nio.charset.StandardCharsets;

/**
 * Identifies requests without storing them: 128-bit FNV-1a over the path, a zero byte and the body, in hexadecimal.
 *
 * <p>The hash is kept in four words of 32 bits, because a product of 64 bits has no upper half before API 31.
 */
public final class RequestFingerprint {
    /** The offset basis, the most significant word first. */
    private long a = 0x6c62272eL;
    private long b = 0x07bb0142L;
    private long c = 0x62b82175L;
    private long d = 0x6295c58dL;

    private RequestFingerprint() {}

    public static String of(String path, byte[] body) {
        RequestFingerprint hash = new RequestFingerprint();
        for (byte value : path.getBytes(StandardCharsets.UTF_8)) hash.add(value);
        hash.add((byte) 0);
        for (byte value : body) hash.add(value);
        return hash.text();
    }

    /** Multiplies by the prime 2^88 + 0x13b, modulo 2^128. */
    private void add(byte value) {
        d ^= value & 0xff;
        long low = d * 0x13b;
        long next = c * 0x13b + (low >>> 32);
        long third = b * 0x13b + (next >>> 32) + (d << 24 & 0xffffffffL);
        long top = a * 0x13b + (third >>> 32) + (d >>> 8) + (c << 24 & 0xffffffffL);
        a = top & 0xffffffffL;
        b = third & 0xffffffffL;
        c = next & 0xffffffffL;
        d = low & 0xffffffffL;
    }

    private String text() {
        StringBuilder text = new StringBuilder(32);
        for (long word : new long[] {a, b, c, d}) {
            for (int shift = 28; shift >= 0; shift -= 4) text.append(Character.forDigit((int) (word >>> shift & 15),
                    16));
        }
        // Without leading zeros, like the other clients.
        int start = 0;
        while (start < text.length() - 1 && text.charAt(start) == '0') start++;
        return text.substring(start);
    }
}
