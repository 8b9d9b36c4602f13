// An order, after Table 4.1 of Nguyen's thesis: 1 buys, 2 sells, 3 delivers.
Order[1,2]; (Reject[2,1] [] Confirm[2,1]; Payment[1,2];
    (Invoice[2,1] | Shipment[2,3]; Postage[2,3]; Distribution[3,1]))
