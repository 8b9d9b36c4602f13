"""Asks Sq over SOAP with zeep (`pip install zeep`): `soap_client.py URL weight…`."""

import sys
from decimal import Decimal

from zeep import Client
from zeep.exceptions import Fault

url = sys.argv[1]
# The description names one address, and a proxy has another.
quote = Client(f"{url}/?wsdl").create_service("{urn:shipping}Application", url)
for weight in sys.argv[2:]:
    try:
        print("fee", quote.Request(weight=Decimal(weight)))
    except Fault as fault:
        print("fault", fault.message)
