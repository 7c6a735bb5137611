package waymark.client.url;

import androidx.annotation.NonNull;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The hosts that serve an app's smart links, compared as a whole, ignoring case, user and port.
 *
 * <p>{@code localhost}, {@code 127.0.0.0/8} and {@code ::1} are the same host, as on the service.
 */
public final class LinkHosts {
    private final Set<String> names = new HashSet<>();

    /** Ports are removed. */
    public LinkHosts(@NonNull Iterable<String> hosts) {
        for (String host : hosts) {
            String name = comparable(withoutPort(host));
            if (!name.isEmpty()) names.add(name);
        }
    }

    /** Whether the URL is a web link on one of the hosts, and so a smart link of the app. */
    public boolean contains(@NonNull DeepLinkUrl url) {
        String host = url.getHost();
        return url.isWeb() && host != null && names.contains(comparable(host));
    }

    /** Whether a lower-case host is the device itself (RFC 1122, section 3.2.1.3). */
    public static boolean isLoopback(@NonNull String host) {
        if (host.equals("localhost") || host.equals("::1")) return true;
        List<String> parts = PortableText.split(host, '.');
        if (parts.size() != 4 || !parts.get(0).equals("127")) return false;
        for (String part : parts) {
            if (part.isEmpty() || part.length() > 3) return false;
            int value = 0;
            for (int index = 0; index < part.length(); index++) {
                int digit = part.charAt(index) - '0';
                if (digit < 0 || digit > 9) return false;
                value = value * 10 + digit;
            }
            if (value > 255) return false;
        }
        return true;
    }

    /** An IPv6 address may lack its brackets. */
    private static String withoutPort(String name) {
        boolean isBareAddress = !name.startsWith("[") && name.indexOf(':') != name.lastIndexOf(':');
        if (isBareAddress) return name;
        String host = new DeepLinkUrl("//" + name).getHost();
        return host == null ? "" : host;
    }

    private static String comparable(String host) {
        String lower = PortableText.lowercase(host);
        return isLoopback(lower) ? "localhost" : lower;
    }
}
