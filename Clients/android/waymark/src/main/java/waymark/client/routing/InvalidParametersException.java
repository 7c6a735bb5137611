package waymark.client.routing;

import androidx.annotation.NonNull;
import java.util.Collections;
import java.util.List;
import waymark.client.url.PortableText;

/** Variables of a route have the value {@code .} or {@code ..}, which no URL can have (RFC 3986, section 5.2.4). */
public final class InvalidParametersException extends IllegalArgumentException {
    private final transient List<String> names;

    InvalidParametersException(List<String> names) {
        super("the route's parameters " + PortableText.join(", ", names) + " are '.' or '..', which no URL can have");
        this.names = Collections.unmodifiableList(names);
    }

    /** In the route's order. */
    @NonNull
    public List<String> getNames() {
        return names;
    }
}
