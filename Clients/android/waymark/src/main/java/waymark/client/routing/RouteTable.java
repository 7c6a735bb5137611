package waymark.client.routing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import waymark.client.url.DeepLinkUrl;
import waymark.client.url.PortableText;

/**
 * Mapped routes and their targets. From left to right a literal precedes a variable; among formats of the same shape,
 * the one that sorts first by bytes wins. The cost of a match grows with the segments of the URL, not with the routes.
 */
final class RouteTable<T> {
    /** A route that matches a URL. */
    static final class Match<T> {
        final String format;
        final T target;
        final Map<String, String> parameters;

        Match(String format, T target, Map<String, String> parameters) {
            this.format = format;
            this.target = target;
            this.parameters = parameters;
        }
    }

    private static final class Entry<T> {
        final RouteFormat format;
        final T target;

        Entry(RouteFormat format, T target) {
            this.format = format;
            this.target = target;
        }
    }

    /** A node of the trie of segments. */
    private static final class Node<T> {
        final Map<String, Node<T>> literals = new HashMap<>();
        Node<T> variable;
        /** The route that ends here and sorts first. */
        Entry<T> entry;

        Node() {}
    }

    /** A node to visit. */
    private static final class Step<T> {
        final Node<T> node;
        final int depth;

        Step(Node<T> node, int depth) {
            this.node = node;
            this.depth = depth;
        }
    }

    private final RoutingDialect dialect;
    private final Map<String, Entry<T>> entries = new HashMap<>();
    private final Node<T> root = new Node<>();
    private int depth;

    RouteTable(RoutingDialect dialect) {
        this.dialect = dialect;
    }

    /** Returns false, and changes nothing, if the format is mapped. */
    boolean map(RouteFormat format, T target) {
        String key = dialect.comparable(format.text);
        if (entries.containsKey(key)) return false;
        Entry<T> entry = new Entry<>(format, target);
        entries.put(key, entry);
        Node<T> node = root;
        List<String> segments = format.segments();
        for (String segment : segments) node = child(node, segment);
        depth = Math.max(depth, segments.size());
        boolean isFirst = node.entry == null
                || PortableText.compareBytes(format.text, node.entry.format.text) < 0;
        if (isFirst) node.entry = entry;
        return true;
    }

    private Node<T> child(Node<T> node, String segment) {
        if (RouteFormat.isVariable(segment)) {
            if (node.variable == null) node.variable = new Node<>();
            return node.variable;
        }
        String key = dialect.comparable(segment);
        Node<T> child = node.literals.get(key);
        if (child == null) {
            child = new Node<>();
            node.literals.put(key, child);
        }
        return child;
    }

    boolean contains(RouteFormat format) {
        return entries.containsKey(dialect.comparable(format.text));
    }

    /** The target of the route with exactly this format; null if it is not mapped. */
    T target(String format) {
        Entry<T> entry = entries.get(dialect.comparable(format));
        return entry != null && entry.format.text.equals(format) ? entry.target : null;
    }

    /** The route that matches the URL; null if none does. */
    Match<T> match(DeepLinkUrl url) {
        List<String> segments = dialect.segments(url);
        if (segments == null || segments.size() > depth) return null;
        Entry<T> entry = find(segments);
        if (entry == null) return null;
        Map<String, String> parameters = new LinkedHashMap<>();
        List<String> format = entry.format.segments();
        for (int index = 0; index < format.size(); index++) {
            String segment = format.get(index);
            if (RouteFormat.isVariable(segment)) parameters.put(segment.substring(1), segments.get(index));
        }
        return new Match<>(entry.format.text, entry.target, parameters);
    }

    /** All formats that match the URL, in order of priority. */
    List<String> matching(DeepLinkUrl url) {
        List<String> found = new ArrayList<>();
        List<String> segments = dialect.segments(url);
        if (segments == null) return found;
        for (String text : formats()) {
            List<String> format = new RouteFormat(text).segments();
            boolean matches = format.size() == segments.size();
            for (int index = 0; matches && index < format.size(); index++) {
                matches = RouteFormat.isVariable(format.get(index))
                        || dialect.comparable(format.get(index)).equals(dialect.comparable(segments.get(index)));
            }
            if (matches) found.add(text);
        }
        return found;
    }

    private Entry<T> find(List<String> segments) {
        List<String> keys = new ArrayList<>();
        for (String segment : segments) keys.add(dialect.comparable(segment));
        Deque<Step<T>> open = new ArrayDeque<>();
        open.push(new Step<>(root, 0));
        while (!open.isEmpty()) {
            Step<T> step = open.pop();
            if (step.depth == keys.size()) {
                if (step.node.entry != null) return step.node.entry;
                continue;
            }
            // What is pushed last is visited first.
            if (step.node.variable != null) open.push(new Step<>(step.node.variable, step.depth + 1));
            Node<T> literal = step.node.literals.get(keys.get(step.depth));
            if (literal != null) open.push(new Step<>(literal, step.depth + 1));
        }
        return null;
    }

    /**
     * In order of priority: fewer segments first; then, from left to right, a literal before a variable; then by bytes.
     */
    List<String> formats() {
        List<RouteFormat> formats = new ArrayList<>();
        for (Entry<T> entry : entries.values()) formats.add(entry.format);
        Collections.sort(formats, RouteTable::compare);
        List<String> texts = new ArrayList<>();
        for (RouteFormat format : formats) texts.add(format.text);
        return texts;
    }

    private static int compare(RouteFormat left, RouteFormat right) {
        List<String> first = left.segments();
        List<String> second = right.segments();
        if (first.size() != second.size()) return first.size() - second.size();
        for (int index = 0; index < first.size(); index++) {
            boolean isVariable = RouteFormat.isVariable(first.get(index));
            if (isVariable != RouteFormat.isVariable(second.get(index))) return isVariable ? 1 : -1;
        }
        return PortableText.compareBytes(left.text, right.text);
    }
}
