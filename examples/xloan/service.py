"""The loan orchestration of `xloan.bpel` as a service of its own, written with spyne and zeep.

    python service.py --port 8081 --black-list http://localhost:8082 --bank http://localhost:8083

It is what `choros drive` is shown on: without `--fault` it does what the process says, with one it does not.
Time is scaled: `--hour 0.3` lets an hour pass in 0.3 seconds.
"""

import argparse
import logging
import sys
import threading
import time
from pathlib import Path
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import zeep
from spyne import Application, Boolean, ComplexModel, Decimal, Fault, Integer, Long, ServiceBase, Unicode, rpc
from spyne.model.primitive import Integer32
from spyne.protocol.soap import Soap11
from spyne.server.wsgi import WsgiApplication

HERE = Path(__file__).resolve().parent
LS = "http://example.org/xloan/schema/LS"
REF = "http://example.org/xloan/schema/RefSchemaLS"

FAULTS = {
    "limit": "asks for approval from 9001 on, not from 10001",
    "correlation": "takes a selection with the number of another file",
    "wrong-fault": "answers a rejected request with a fault",
    "late": "answers the request too late",
    "lost": "does not tell the bank of a confirmed offer",
    "off-by-one": "does not look at the last proposal",
    "wrong-partner": "tells the bank to cancel what was confirmed",
    "other-branch": "rejects what the bank has approved",
    "no-cancel": "forgets to cancel after two hours",
    "any-offer": "confirms an offer that was not made",
}


class UserInfo(ComplexModel):
    __namespace__ = REF
    __type_name__ = "userInfo"
    _type_info = [
        ("id", Long(min_occurs=1)),
        ("name", Unicode(min_occurs=1)),
        ("income", Integer(min_occurs=1, ge=0)),
    ]


class LoanRequest(ComplexModel):
    __namespace__ = REF
    __type_name__ = "loanRequest"
    _type_info = [
        ("amount", Integer(min_occurs=1, ge=1)),
        ("maxMonth", Integer(min_occurs=1, ge=1)),
        ("maxPayment", Integer(min_occurs=1, ge=1)),
    ]


class Rate(ComplexModel):
    __namespace__ = REF
    __type_name__ = "rate"
    _type_info = [("type", Unicode(min_occurs=1)), ("value", Decimal(min_occurs=1))]


class LoanInformation(ComplexModel):
    __namespace__ = REF
    __type_name__ = "loanInformation"
    _type_info = [
        ("offerCode", Integer32(min_occurs=1)),
        ("nbMonths", Integer(min_occurs=1, ge=1)),
        ("monthPayment", Integer(min_occurs=1, ge=1)),
        ("rate", Rate.customize(min_occurs=1)),
    ]


class Proposals(ComplexModel):
    __namespace__ = REF
    __type_name__ = "proposals"
    _type_info = [("proposal", LoanInformation.customize(max_occurs=3))]


class RequestIn(ComplexModel):
    __namespace__ = LS
    _type_info = [("uInfo", UserInfo.customize(min_occurs=1)), ("req", LoanRequest.customize(min_occurs=1))]


class RequestOut(ComplexModel):
    __namespace__ = LS
    _type_info = [
        ("status", Boolean(min_occurs=1)),
        ("fileNumber", Long(min_occurs=1)),
        ("proposals", Proposals.customize(min_occurs=1)),
    ]


class SelectIn(ComplexModel):
    __namespace__ = LS
    _type_info = [("fileNumber", Long(min_occurs=1)), ("offerCode", Integer32(min_occurs=1))]


class SelectOut(ComplexModel):
    __namespace__ = LS
    _type_info = [("status", Boolean(min_occurs=1)), ("message", Unicode(min_occurs=1))]


class CancelIn(ComplexModel):
    __namespace__ = LS
    _type_info = [("fileNumber", Long(min_occurs=1))]


class Loans:
    """The files that wait for a decision, and the partners."""

    def __init__(self, black_list: str, bank: str, hour: float, fault: str | None):
        self.fault = fault
        self.hour = hour
        self.lock = threading.Lock()
        self.files: dict[int, dict] = {}
        self.black_list = partner("BlackList.wsdl", "BlackList", "BlackListBinding", black_list)
        self.bank = partner("BankService.wsdl", "BankService", "BankServiceBinding", bank)

    def request(self, message: RequestIn) -> RequestOut:
        user, req = message.uInfo, message.req
        limit = 9000 if self.fault == "limit" else 10000
        if req.amount <= limit:
            if not self.black_list.check(id=user.id, name=user.name or ""):
                return self.grant(user, req)
        approved = self.bank.approve(id=user.id, income=user.income, amount=req.amount)
        if approved and self.fault != "other-branch":
            return self.grant(user, req)
        if self.fault == "wrong-fault":
            raise Fault("Server", "rejected")
        return RequestOut(status=False, fileNumber=0, proposals=Proposals(proposal=[]))

    def grant(self, user: UserInfo, req: LoanRequest) -> RequestOut:
        ask = {"amount": req.amount, "maxMonth": req.maxMonth, "maxPayment": req.maxPayment}
        offer = self.bank.offer(id=user.id, req=ask)
        number = offer.fileNumber
        proposals = list(offer.proposals.proposal) if offer.proposals else []
        file = {"codes": [proposal.offerCode for proposal in proposals]}
        timer = threading.Timer(2 * self.hour, self.expire, (number, file))
        timer.daemon = True
        file["timer"] = timer
        with self.lock:
            old = self.files.pop(number, None)
            self.files[number] = file
        if old:
            old["timer"].cancel()
        if self.fault == "late":
            time.sleep(5)
        timer.start()
        told = [
            LoanInformation(
                offerCode=one.offerCode, nbMonths=one.nbMonths, monthPayment=one.monthPayment,
                rate=Rate(type=one.rate.type, value=one.rate.value),
            )
            for one in proposals
        ]
        return RequestOut(status=True, fileNumber=number, proposals=Proposals(proposal=told))

    def take(self, number: int) -> dict:
        """The file that waits; a number that fits none violates the correlation and ends the conversation."""
        with self.lock:
            file = self.files.pop(number, None)
            if file is None and self.fault == "correlation" and self.files:
                _, file = self.files.popitem()
            if file is None:
                for other in self.files.values():
                    other["timer"].cancel()
                self.files.clear()
        if file is None:
            raise Fault("Server", "bpel:correlationViolation")
        file["timer"].cancel()
        return file

    def select(self, message: SelectIn) -> SelectOut:
        file = self.take(message.fileNumber)
        codes = file["codes"][:-1] if self.fault == "off-by-one" else file["codes"]
        if message.offerCode in codes or self.fault == "any-offer":
            if self.fault == "wrong-partner":
                self.bank.cancel(fileNumber=message.fileNumber)
            elif self.fault != "lost":
                self.bank.confirm(fileNumber=message.fileNumber, offerCode=message.offerCode)
            return SelectOut(status=True, message="confirmed")
        timer = threading.Timer(2 * self.hour, self.expire, (message.fileNumber, file))
        timer.daemon = True
        file["timer"] = timer
        with self.lock:
            self.files[message.fileNumber] = file
        timer.start()
        return SelectOut(status=False, message="no such offer")

    def cancel(self, message: CancelIn) -> None:
        self.take(message.fileNumber)
        self.bank.cancel(fileNumber=message.fileNumber)

    def expire(self, number: int, file: dict) -> None:
        with self.lock:
            if self.files.get(number) is not file:
                return
            del self.files[number]
        if self.fault != "no-cancel":
            try:
                self.bank.cancel(fileNumber=number)
            except Exception as error:
                print(f"the bank cannot be told: {error}", file=sys.stderr)


def partner(wsdl: str, name: str, binding: str, address: str):
    client = zeep.Client(str(HERE / wsdl))
    return client.create_service(f"{{http://example.org/xloan/wsdl/{name}}}{binding}", address)


def application(loans: Loans) -> WsgiApplication:
    def message(name: str) -> str:
        return f"{{{LS}}}MT-{name}"

    class LoanService(ServiceBase):
        @rpc(RequestIn, _returns=RequestOut, _body_style="bare",
             _in_message_name=message("requestIn"), _out_message_name=message("requestOut"))
        def request(ctx, asked):
            return loans.request(asked)

        @rpc(SelectIn, _returns=SelectOut, _body_style="bare",
             _in_message_name=message("selectIn"), _out_message_name=message("selectOut"))
        def select(ctx, asked):
            return loans.select(asked)

        @rpc(CancelIn, _body_style="bare", _in_message_name=message("cancelIn"))
        def cancel(ctx, asked):
            loans.cancel(asked)

    protocol = Soap11(validator="soft")
    return WsgiApplication(Application([LoanService], LS, in_protocol=protocol, out_protocol=Soap11()))


class Threads(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 64


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


def main() -> None:
    parser = argparse.ArgumentParser(description="The loan service, correct or with a fault.")
    parser.add_argument("--port", type=int, default=8081)
    parser.add_argument("--black-list", default="http://localhost:8082/BlackListService/BlackListPort")
    parser.add_argument("--bank", default="http://localhost:8083/BankServiceService/BankServicePort")
    parser.add_argument("--hour", type=float, default=3600.0, help="seconds that an hour takes")
    parser.add_argument("--fault", choices=sorted(FAULTS), help="; ".join(f"{k}: {v}" for k, v in FAULTS.items()))
    options = parser.parse_args()
    # Faults that the process asks for are no news; without this each of them prints a trace of the stack.
    logging.disable(logging.CRITICAL)
    loans = Loans(options.black_list, options.bank, options.hour, options.fault)
    server = make_server("127.0.0.1", options.port, application(loans), Threads, Quiet)
    print(f"listening on {server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
