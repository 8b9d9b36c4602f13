"""Sq over SOAP 1.1, served by spyne (`pip install spyne lxml`)."""

import sys
from wsgiref.simple_server import WSGIRequestHandler, make_server

from spyne import Application, Decimal, Fault, Service, rpc
from spyne.protocol.soap import Soap11
from spyne.server.wsgi import WsgiApplication


class Quote(Service):
    @rpc(Decimal, _returns=Decimal, _out_variable_name="fee")
    def Request(ctx, weight):
        if weight <= 0:
            raise Fault("Client", "a weight is positive")
        return weight * (2 if weight >= 5 else 3)


class Quiet(WSGIRequestHandler):
    def log_message(self, format, *args):
        pass


application = Application([Quote], "urn:shipping", in_protocol=Soap11(validator="lxml"), out_protocol=Soap11())
port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
server = make_server("127.0.0.1", port, WsgiApplication(application), handler_class=Quiet)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
