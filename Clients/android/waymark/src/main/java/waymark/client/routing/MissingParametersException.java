package waymark.client.routing;

import androidx.annotation.NonNull;
import java.util.Collections;
import java.util.List;
import waymark.client.url.PortableText;

/** Variables of a route have no value. */
public final class MissingParametersException extends IllegalArgumentException {
    private final transient List<String> names;

    MissingParametersException(List<String> names) {
        super("the route's parameters " + PortableText.join(", ", names) + " are missing");
        this.names = Collections.unmodifiableList(names);
    }

    /** In the route's order. */
    @NonNull
    public List<String> getNames() {
        return names;
    }
}
