package waymark.client.internal;

import java.net.MalformedURLException;
import java.net.URL;
import waymark.client.WaymarkException;
import waymark.client.url.DeepLinkUrl;
import waymark.client.url.LinkHosts;
import waymark.client.url.PortableText;

/** The service's base URL: {@code https://go.example.com}, optionally with a port and a path. */
public final class ServiceAddress {
    /** Without a slash at the end. */
    public final String base;
    /** In lower case. */
    public final String host;

    public ServiceAddress(String text, boolean allowsPlainLoopback) throws WaymarkException {
        DeepLinkUrl url = new DeepLinkUrl(text);
        if (url.getHost() == null || url.getHost().isEmpty()) throw invalid("it has no host");
        host = PortableText.lowercase(url.getHost());
        if (url.getQuery() != null || url.getFragment() != null) throw invalid("it has a query or a fragment");
        if (url.getAuthority().indexOf('@') >= 0) throw invalid("it has a user");
        if (!PortableText.isVisibleAscii(text)) throw invalid("it has characters that no URL has");
        String scheme = url.getScheme() == null ? "" : PortableText.lowercase(url.getScheme());
        if (scheme.equals("http")) {
            if (!LinkHosts.isLoopback(host)) {
                throw invalid("the key would be sent in the clear; it must begin with https");
            }
            if (!allowsPlainLoopback) {
                throw invalid("it must begin with https; for a service on this device set allowsPlainLoopback");
            }
        } else if (!scheme.equals("https")) {
            throw invalid("it must begin with https");
        }
        check(url);
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == '/') end--;
        base = text.substring(0, end);
    }

    /** Refuses what would only fail, or mean another host, at the first request. */
    private static void check(DeepLinkUrl url) throws WaymarkException {
        String host = url.getHost();
        boolean isAddress = url.getAuthority().startsWith("[");
        for (int index = 0; index < host.length(); index++) {
            char unit = host.charAt(index);
            boolean isDigit = unit >= '0' && unit <= '9';
            boolean isLetter = unit >= 'a' && unit <= 'z' || unit >= 'A' && unit <= 'Z';
            boolean isMark = isAddress ? unit == ':' || unit == '.' : unit == '-' || unit == '.' || unit == '_';
            if (!isDigit && !isLetter && !isMark) throw invalid("its host is not a name or an address");
        }
        String rest = url.getAuthority().substring(isAddress ? host.length() + 2 : host.length());
        if (rest.length() > 6 || rest.length() > 1 && Integer.parseInt(rest.substring(1)) > 65_535) {
            throw invalid("its port is not one");
        }
        try {
            new URL(url.getText());
        } catch (MalformedURLException error) {
            throw invalid("it is no URL");
        }
    }

    private static WaymarkException invalid(String reason) {
        return WaymarkException.of(
                WaymarkException.Kind.INVALID_ADDRESS, "the service's address can't be used: " + reason);
    }
}
