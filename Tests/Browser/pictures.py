"""A TLS server on a free port, which it prints: a picture for every path that ends in .svg, an empty page for any other.

usage: pictures.py CERTIFICATE PRIVATE-KEY
"""

import http.server
import ssl
import sys

PICTURES = {
    "icon": """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 128"><rect width="128" height="128" fill="#1f5eff"/>
<path d="M36 48h56l-6 46H42zM50 48c0-22 28-22 28 0" fill="none" stroke="#fff" stroke-width="8"/></svg>""",
    "shoes": """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630" width="1200" height="630">
<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#ffb86b"/><stop offset="1" stop-color="#1f5eff"/>
</linearGradient></defs><rect width="1200" height="630" fill="url(#g)"/><path d="M0 500 300 260 520 430 820 160 1200 480V630H0z"
fill="#12203f" opacity=".55"/><circle cx="930" cy="130" r="60" fill="#fff" opacity=".85"/></svg>""",
}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        name = self.path.rsplit("/", 1)[1]
        picture = PICTURES.get(name.removesuffix(".svg")) if name.endswith(".svg") else None
        body = (picture or "<!doctype html><title>Store</title>").encode()
        self.send_response(200)
        self.send_header("Content-Type", "image/svg+xml" if picture else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1], sys.argv[2])
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
print(server.server_address[1], flush=True)
server.serve_forever()
