"""The relay of `relay.bpel` with spyne in front and zeep after it: our client and our server against stacks of others.

`--manner` says how its responses look: all of them mean the same.
"""

import argparse
import re
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server
from socketserver import ThreadingMixIn

import zeep
from lxml import etree
from spyne import Application, Boolean, ComplexModel, Date, Decimal, Fault, ServiceBase, Unicode, rpc
from spyne.model.primitive import Integer32
from spyne.protocol.soap import Soap11, Soap12
from spyne.server.wsgi import WsgiApplication

HERE = Path(__file__).resolve().parent
MIRROR = "urn:mirror"


class Thing(ComplexModel):
    __namespace__ = MIRROR
    __type_name__ = "thing"
    _type_info = [
        ("number", Integer32(min_occurs=1)),
        ("flag", Boolean(min_occurs=1)),
        ("price", Decimal(min_occurs=1)),
        ("text", Unicode(min_occurs=1)),
        ("remark", Unicode(min_occurs=0, nillable=False)),
        ("line", Unicode(min_occurs=0, max_occurs=3, nillable=False)),
        ("day", Date(min_occurs=1)),
    ]


class Refusal(Fault):
    """A fault of the relay, with its text as detail."""

    def __init__(self, text: str):
        super().__init__("Server", "refused")
        self.detail = {f"{{{MIRROR}}}refused": text}


def application(mirror, soap: str) -> WsgiApplication:
    class Relay(ServiceBase):
        @rpc(Thing, _returns=Thing, _body_style="bare",
             _in_message_name=f"{{{MIRROR}}}relayIn", _out_message_name=f"{{{MIRROR}}}relayOut")
        def relay(ctx, asked):
            seen = mirror.show(
                number=asked.number, flag=asked.flag, price=asked.price, text=asked.text or "",
                remark=asked.remark if asked.remark is not None else zeep.xsd.SkipValue,
                line=[one or "" for one in asked.line or []], day=asked.day,
            )
            if not seen.flag:
                raise Refusal(seen.text or "")
            return Thing(
                number=seen.number, flag=seen.flag, price=seen.price, text=seen.text or "",
                remark=seen.remark, line=[one or "" for one in seen.line or []], day=seen.day,
            )

    protocol = Soap12 if soap == "12" else Soap11
    # What a solver makes up for a date need not be one: nothing is refused for it here.
    return WsgiApplication(Application([Relay], MIRROR, in_protocol=protocol(), out_protocol=protocol()))


def pretty(body: bytes) -> bytes:
    return etree.tostring(etree.fromstring(body), pretty_print=True, xml_declaration=True, encoding="UTF-8")


def attribute(name, value: str) -> str:
    # The prefix `xml` cannot be replaced.
    if name.namespace == "http://www.w3.org/XML/1998/namespace":
        return f' xml:{name.localname}="{value}"'
    return f' xmlns:q="{name.namespace}" q:{name.localname}="{value}"'


def other_prefixes(body: bytes) -> bytes:
    """Every element in a default namespace of its own, with comments and instructions between them."""

    def written(element) -> str:
        name = etree.QName(element)
        inner = (element.text or "").replace("&", "&amp;").replace("<", "&lt;")
        inner += "".join(written(child) for child in element)
        attributes = "".join(attribute(etree.QName(key), value) for key, value in element.attrib.items())
        return f'<!-- . --><{name.localname} xmlns="{name.namespace or ""}"{attributes}>{inner}</{name.localname}><?p i?>'

    return written(etree.fromstring(body)).encode()


def headers(body: bytes) -> bytes:
    root = etree.fromstring(body)
    header = etree.Element(root.tag.replace("Envelope", "Header"))
    etree.SubElement(header, "{urn:other}trace").text = "1"
    root.insert(0, header)
    return etree.tostring(root)


def sections(body: bytes) -> bytes:
    """Texts in sections instead of references, and references where none are needed."""
    text = body.decode()
    text = re.sub(r">([^<>]*&lt;[^<>]*)<", lambda it: f"><![CDATA[{unescaped(it[1])}]]><", text)
    return text.encode()


def unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


MANNERS = {
    "plain": lambda body: body,
    "pretty": pretty,
    "prefixes": other_prefixes,
    "headers": headers,
    "sections": sections,
    "wide": lambda body: body.decode().replace("'utf-8'", "'utf-16'").replace("'UTF-8'", "'UTF-16'").encode("utf-16"),
    "chunked": lambda body: body,
}


def mannered(app, manner: str):
    def wrapped(environ, start_response):
        told = {}

        def start(status, headers, *_):
            told["status"], told["headers"] = status, headers
            return lambda _: None

        body = b"".join(app(environ, start))
        body = MANNERS[manner](body)
        headers = [(k, v) for k, v in told["headers"] if k.lower() != "content-length"]
        if manner == "wide":
            headers = [(k, v.replace("utf-8", "utf-16") if k.lower() == "content-type" else v) for k, v in headers]
        if manner != "chunked":
            headers.append(("Content-Length", str(len(body))))
        start_response(told["status"], headers)
        if manner == "chunked":
            # Without a length the end of the connection is the end of the body.
            return [body[at:at + 7] for at in range(0, len(body), 7)]
        return [body]

    return wrapped


class Threads(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--wsdl", required=True, help="the mirror's")
    parser.add_argument("--mirror", required=True)
    parser.add_argument("--soap", default="11")
    parser.add_argument("--manner", default="plain", choices=sorted(MANNERS))
    options = parser.parse_args()
    client = zeep.Client(options.wsdl)
    mirror = client.create_service("{urn:mirror}MirrorBinding", options.mirror)
    app = mannered(application(mirror, options.soap), options.manner)
    server = make_server("127.0.0.1", 0, app, Threads, Quiet)
    print(f"listening on {server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
