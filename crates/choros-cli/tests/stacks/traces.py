"""Two services that report their spans with the OpenTelemetry SDK.

    traces.py http|grpc URL [WRONG]

The client places three orders; with WRONG, the second is confirmed under another id.
"""

import sys

from opentelemetry import propagate, trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind


def exporter(protocol: str, url: str):
    if protocol == "grpc":
        from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter

        return OTLPSpanExporter(endpoint=url, insecure=True)
    from opentelemetry.exporter.otlp.proto.http import Compression
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    return OTLPSpanExporter(endpoint=f"{url}/v1/traces", compression=Compression.Gzip)


def main(protocol: str, url: str, is_wrong: bool) -> None:
    def provider(name: str) -> TracerProvider:
        made = TracerProvider(resource=Resource.create({"service.name": name}))
        made.add_span_processor(BatchSpanProcessor(exporter(protocol, url)))
        return made

    client, order = provider("client"), provider("order-service")

    def place(number: int, headers: dict[str, str], span: trace.Span) -> int:
        """The order service answers a request."""
        around = propagate.extract(headers)
        attributes = {"http.request.method": "POST", "url.path": "/orders", "app.id": f"o{number}"}
        tracer = order.get_tracer("server")
        with tracer.start_as_current_span("POST /orders", around, SpanKind.SERVER, attributes) as server:
            status = 201 if number != 3 else 409
            reply = f"o{number}x" if is_wrong and number == 2 else f"o{number}"
            for seen in (span, server):
                seen.set_attribute("http.response.status_code", status)
                seen.set_attribute("app.reply.id", reply)
            return status

    for number in (1, 2, 3):
        attributes = {
            "http.request.method": "POST",
            "url.full": "http://order-service/orders",
            "app.id": f"o{number}",
        }
        tracer = client.get_tracer("client")
        with tracer.start_as_current_span("POST", None, SpanKind.CLIENT, attributes) as span:
            headers: dict[str, str] = {}
            propagate.inject(headers)
            place(number, headers, span)
    # Shutting down sends what is left.
    client.shutdown()
    order.shutdown()


main(sys.argv[1], sys.argv[2], len(sys.argv) > 3)
