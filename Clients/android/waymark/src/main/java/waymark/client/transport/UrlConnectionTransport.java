package waymark.client.transport;

import androidx.annotation.NonNull;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URL;
import java.net.URLConnection;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLPeerUnverifiedException;
import waymark.client.WaymarkException;

/**
 * The default transport, on {@link HttpURLConnection}: no redirects, no cache, a limit for the whole exchange.
 *
 * <p>The exchange runs on a thread of its own, because a connection has no limit that covers the resolution of the name
 * and headers that arrive one by one. When the limit passes, the connection is closed and the thread ends.
 */
public final class UrlConnectionTransport implements HttpTransport {
    private static final int BLOCK = 8 * 1024;

    private final Executor threads;

    public UrlConnectionTransport() {
        this(DaemonThreads.cached("waymark-http"));
    }

    /** @param threads runs one blocking exchange per task; it must not queue them */
    public UrlConnectionTransport(@NonNull Executor threads) {
        this.threads = threads;
    }

    @Override
    @NonNull
    public TransportResponse send(@NonNull TransportRequest request) throws WaymarkException {
        final HttpExchange exchange = new HttpExchange(request);
        Future<TransportResponse> answer = start(exchange);
        try {
            return answer.get(request.getTimeLimitMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException error) {
            close(exchange);
            throw WaymarkException.of(WaymarkException.Kind.TIMED_OUT, "there was no answer in time");
        } catch (InterruptedException error) {
            close(exchange);
            Thread.currentThread().interrupt();
            throw WaymarkException.of(WaymarkException.Kind.CANCELLED, "the request was cancelled");
        } catch (ExecutionException error) {
            throw failure(error.getCause());
        }
    }

    private Future<TransportResponse> start(HttpExchange exchange) {
        FutureTask<TransportResponse> task = new FutureTask<>(exchange::run);
        threads.execute(task);
        return task;
    }

    /** Closing a connection can block as well. */
    private void close(HttpExchange exchange) {
        threads.execute(exchange::close);
    }

    /** What the failure of an exchange means. */
    @NonNull
    public static WaymarkException failure(@NonNull Throwable error) {
        if (error instanceof WaymarkException) return (WaymarkException) error;
        String words = error.getClass().getSimpleName() + (error.getMessage() == null ? "" : ": "
                + error.getMessage());
        return WaymarkException.of(reason(error), words, error);
    }

    private static WaymarkException.Kind reason(Throwable error) {
        if (error instanceof SocketTimeoutException) return WaymarkException.Kind.TIMED_OUT;
        Throwable cause = error;
        // A handshake that broke says nothing of the certificate.
        for (int depth = 0; cause != null && depth < 10; depth++, cause = cause.getCause()) {
            if (cause instanceof CertificateException || cause instanceof CertPathValidatorException
                    || cause instanceof SSLPeerUnverifiedException) return WaymarkException.Kind.NOT_TRUSTED;
        }
        return WaymarkException.Kind.UNREACHABLE;
    }

    /** One request and its response. */
    private static final class HttpExchange {
        private final TransportRequest request;
        private volatile HttpURLConnection connection;
        private volatile boolean isClosed;

        HttpExchange(TransportRequest request) {
            this.request = request;
        }

        TransportResponse run() throws IOException, WaymarkException {
            URLConnection opened = new URL(request.getUrl()).openConnection();
            if (!(opened instanceof HttpURLConnection)) throw new IOException("the URL is not one of HTTP");
            HttpURLConnection connection = (HttpURLConnection) opened;
            this.connection = connection;
            int limit = (int) Math.max(1, Math.min(request.getTimeLimitMillis(), Integer.MAX_VALUE));
            connection.setConnectTimeout(limit);
            connection.setReadTimeout(limit);
            connection.setInstanceFollowRedirects(false);
            connection.setUseCaches(false);
            boolean hasBody = !request.getMethod().equals("GET");
            connection.setDoOutput(hasBody);
            connection.setRequestMethod(request.getMethod());
            for (Map.Entry<String, String> field : request.getFields().entrySet()) {
                connection.setRequestProperty(field.getKey(), field.getValue());
            }
            boolean isComplete = false;
            try {
                if (isClosed) throw new IOException("the request was cancelled");
                if (hasBody) {
                    OutputStream output = connection.getOutputStream();
                    try {
                        output.write(request.getBody());
                    } finally {
                        output.close();
                    }
                }
                int status = connection.getResponseCode();
                if (status < 0) throw new IOException("the answer is not HTTP");
                TransportResponse answer = new TransportResponse(status, fields(connection), body(connection,
                        status));
                isComplete = true;
                return answer;
            } finally {
                // A connection that was read to its end is used again.
                if (!isComplete) connection.disconnect();
            }
        }

        void close() {
            isClosed = true;
            HttpURLConnection connection = this.connection;
            if (connection != null) connection.disconnect();
        }

        private static Map<String, String> fields(HttpURLConnection connection) {
            Map<String, String> fields = new HashMap<>();
            for (int index = 0; index < 1_000; index++) {
                String value = connection.getHeaderField(index);
                if (value == null) break;
                String name = connection.getHeaderFieldKey(index);
                if (name != null && !fields.containsKey(name)) fields.put(name, value);
            }
            return fields;
        }

        /** The size of the body in bytes; -1 if it is unknown or the body was compressed on the way. */
        private static long announced(HttpURLConnection connection) {
            String length = connection.getHeaderField("Content-Length");
            if (length == null || connection.getHeaderField("Content-Encoding") != null) return -1;
            try {
                return Long.parseLong(length.trim());
            } catch (NumberFormatException error) {
                return -1;
            }
        }

        private byte[] body(HttpURLConnection connection, int status) throws IOException, WaymarkException {
            InputStream input = status >= 400 ? connection.getErrorStream() : connection.getInputStream();
            if (input == null) return new byte[0];
            try {
                ByteArrayOutputStream body = new ByteArrayOutputStream();
                byte[] block = new byte[BLOCK];
                while (true) {
                    // One byte more than the limit shows that there is more.
                    int wanted = (int) Math.min(block.length, (long) request.getAnswerLimit() + 1 - body.size());
                    int count = input.read(block, 0, wanted);
                    if (count < 0) {
                        // On a JVM a connection that broke looks like the end of the body.
                        if (body.size() < announced(connection)) throw new EOFException("the answer is incomplete");
                        return body.toByteArray();
                    }
                    body.write(block, 0, count);
                    if (body.size() > request.getAnswerLimit()) {
                        // Closes the connection first: closing the stream would read the rest.
                        connection.disconnect();
                        throw WaymarkException.of(
                                WaymarkException.Kind.ANSWER_TOO_LARGE, "the answer is too long");
                    }
                    if (isClosed) throw new IOException("the request was cancelled");
                }
            } finally {
                input.close();
            }
        }
    }
}
