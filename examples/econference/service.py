"""The e-Conference orchestration of `econference.bpel` as a service of its own, written with spyne and zeep.

    python service.py --port 8081 --conference http://localhost:8082 --egov http://localhost:8083 --flight http://localhost:8084

Without `--fault` it does what the process says, with one it does not.
"""

import argparse
import logging
import threading
import time
from pathlib import Path
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import zeep
from spyne import Application, Boolean, ComplexModel, Fault, Integer, Long, ServiceBase, Unicode, rpc
from spyne.protocol.soap import Soap11
from spyne.server.wsgi import WsgiApplication

HERE = Path(__file__).resolve().parent
EC = "http://example.org/econference/schema/EConference"

FAULTS = {
    "limit": "refunds 400 for a package, not 500",
    "correlation": "takes messages with the number of another mission",
    "wrong-fault": "answers with a fault where there is a travel alert",
    "late": "answers the request too late",
    "lost": "does not book the flight",
    "off-by-one": "does not count the first fee",
    "wrong-partner": "asks for orders twice and books nothing",
    "other-branch": "warns of an alert where there is none",
}


class Person(ComplexModel):
    __namespace__ = EC
    __type_name__ = "person"
    _type_info = [("id", Long(min_occurs=1)), ("name", Unicode(min_occurs=1))]


class OrdersSetupIn(ComplexModel):
    __namespace__ = EC
    _type_info = [
        ("conference", Unicode(min_occurs=1)),
        ("edition", Integer(min_occurs=1, ge=1)),
        ("person", Person.customize(min_occurs=1)),
    ]


class OrdersSetupOut(ComplexModel):
    __namespace__ = EC
    _type_info = [
        ("alert", Boolean(min_occurs=1)),
        ("ordersId", Long(min_occurs=1)),
        ("city", Unicode(min_occurs=1)),
        ("country", Unicode(min_occurs=1)),
        ("flight", Unicode(min_occurs=1)),
    ]


class ReturnSetupIn(ComplexModel):
    __namespace__ = EC
    _type_info = [("ordersId", Long(min_occurs=1)), ("choice", Unicode(min_occurs=1))]


class AddFeeIn(ComplexModel):
    __namespace__ = EC
    _type_info = [("ordersId", Long(min_occurs=1)), ("fee", Integer(min_occurs=1, ge=0))]


class ValidateIn(ComplexModel):
    __namespace__ = EC
    _type_info = [("ordersId", Long(min_occurs=1))]


class ValidateOut(ComplexModel):
    __namespace__ = EC
    _type_info = [("ordersId", Long(min_occurs=1)), ("total", Integer(min_occurs=1, ge=0))]


class Missions:
    """The missions that are under way, and the partners."""

    def __init__(self, conference: str, egov: str, flight: str, fault: str | None):
        self.fault = fault
        self.lock = threading.Lock()
        self.missions: dict[int, dict] = {}
        self.conference = partner("ConferenceService", conference)
        self.egov = partner("EgovService", egov)
        self.flight = partner("FlightService", flight)

    def orders_setup(self, message: OrdersSetupIn) -> OrdersSetupOut:
        info = self.conference.getInfo(conference=message.conference or "", edition=message.edition)
        city, country = info.city or "", info.country or ""
        alert = self.egov.travelAlert(country=country)
        if alert or self.fault == "other-branch":
            if self.fault == "wrong-fault":
                raise Fault("Server", "alert")
            return OrdersSetupOut(alert=True, ordersId=0, city=city, country=country, flight="")
        number = self.egov.getOrdersId(personId=message.person.id, country=country)
        if self.fault == "wrong-partner":
            self.egov.getOrdersId(personId=message.person.id, country=country)
            flight = "none"
        elif self.fault == "lost":
            flight = "none"
        else:
            booked = self.flight.book(
                passenger=message.person.name or "", city=city, out=info.begin, back=info.end,
            )
            flight = booked.flight or ""
        with self.lock:
            self.missions[number] = {"basis": None, "fees": []}
        if self.fault == "late":
            time.sleep(5)
        return OrdersSetupOut(alert=False, ordersId=number, city=city, country=country, flight=flight)

    def mission(self, number: int) -> dict:
        """The mission; a number that fits none violates the correlation and ends the conversation."""
        with self.lock:
            mission = self.missions.get(number)
            if mission is None and self.fault == "correlation" and self.missions:
                mission = next(reversed(self.missions.values()))
            if mission is None:
                self.missions.clear()
        if mission is None:
            raise Fault("Server", "bpel:correlationViolation")
        return mission

    def return_setup(self, message: ReturnSetupIn) -> None:
        self.mission(message.ordersId)["basis"] = message.choice

    def add_fee(self, message: AddFeeIn) -> None:
        self.mission(message.ordersId)["fees"].append(message.fee)

    def validate(self, message: ValidateIn) -> ValidateOut:
        mission = self.mission(message.ordersId)
        if mission["basis"] == "package":
            total = 400 if self.fault == "limit" else 500
        else:
            total = sum(mission["fees"][1:] if self.fault == "off-by-one" else mission["fees"])
        with self.lock:
            self.missions.pop(message.ordersId, None)
        return ValidateOut(ordersId=message.ordersId, total=total)


def partner(name: str, address: str):
    client = zeep.Client(str(HERE / f"{name}.wsdl"))
    return client.create_service(f"{{http://example.org/econference/wsdl/{name}}}{name}Binding", address)


def application(missions: Missions) -> WsgiApplication:
    def message(name: str) -> str:
        return f"{{{EC}}}MT-{name}"

    class EConference(ServiceBase):
        @rpc(OrdersSetupIn, _returns=OrdersSetupOut, _body_style="bare",
             _in_message_name=message("ordersSetupIn"), _out_message_name=message("ordersSetupOut"))
        def ordersSetup(ctx, asked):
            return missions.orders_setup(asked)

        @rpc(ReturnSetupIn, _body_style="bare", _in_message_name=message("returnSetupIn"))
        def returnSetup(ctx, asked):
            missions.return_setup(asked)

        @rpc(AddFeeIn, _body_style="bare", _in_message_name=message("addFeeIn"))
        def addFee(ctx, asked):
            missions.add_fee(asked)

        @rpc(ValidateIn, _returns=ValidateOut, _body_style="bare",
             _in_message_name=message("validateIn"), _out_message_name=message("validateOut"))
        def validate(ctx, asked):
            return missions.validate(asked)

    protocol = Soap11(validator="soft")
    return WsgiApplication(Application([EConference], EC, in_protocol=protocol, out_protocol=Soap11()))


class Threads(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 64


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


def main() -> None:
    parser = argparse.ArgumentParser(description="The e-Conference service, correct or with a fault.")
    parser.add_argument("--port", type=int, default=8081)
    parser.add_argument("--conference", default="http://localhost:8082/ConferenceService/ConferencePort")
    parser.add_argument("--egov", default="http://localhost:8083/EgovService/EgovPort")
    parser.add_argument("--flight", default="http://localhost:8084/FlightService/FlightPort")
    parser.add_argument("--fault", choices=sorted(FAULTS), help="; ".join(f"{k}: {v}" for k, v in FAULTS.items()))
    options = parser.parse_args()
    # Faults that the process asks for are no news; without this each of them prints a trace of the stack.
    logging.disable(logging.CRITICAL)
    missions = Missions(options.conference, options.egov, options.flight, options.fault)
    server = make_server("127.0.0.1", options.port, application(missions), Threads, Quiet)
    print(f"listening on {server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
