package waymark.tests;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A server that answers with whatever a test wants, byte by byte. */
final class StandInServer implements AutoCloseable {
    /** Answers one request. */
    interface Answer {
        void write(OutputStream output) throws Exception;
    }

    final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Answer answer;

    StandInServer(Answer answer) throws IOException {
        this.answer = answer;
        Thread thread = new Thread(this::run);
        thread.setDaemon(true);
        thread.start();
    }

    static StandInServer answering(String text) throws IOException {
        return new StandInServer(output -> output.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** A response with a body of JSON. */
    static String json(int status, String body) {
        return "HTTP/1.1 " + status + " X\r\nContent-Type: application/"
                + (status < 400 ? "json" : "problem+json") + "\r\nConnection: close\r\nContent-Length: "
                + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body;
    }

    String url() {
        return "http://127.0.0.1:" + socket.getLocalPort();
    }

    private void run() {
        while (!socket.isClosed()) {
            try {
                Socket connection = socket.accept();
                Thread thread = new Thread(() -> serve(connection));
                thread.setDaemon(true);
                thread.start();
            } catch (IOException error) {
                return;
            }
        }
    }

    private void serve(Socket connection) {
        try (Socket closing = connection) {
            InputStream input = connection.getInputStream();
            StringBuilder request = new StringBuilder();
            while (request.indexOf("\r\n\r\n") < 0) {
                int value = input.read();
                if (value < 0) return;
                request.append((char) value);
            }
            String length = request.toString().replaceAll("(?is).*content-length: *([0-9]+).*", "$1");
            for (int rest = Integer.parseInt(length.trim()); rest > 0; rest--) request.append((char) input.read());
            requests.add(request.toString());
            answer.write(connection.getOutputStream());
        } catch (Exception error) {
            // The client has closed the connection.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
