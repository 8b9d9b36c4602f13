/* The pairs of `machines.rs` for Spin: A sends two messages, B answers when it has both, and again. */
mtype = { a, b, c };
chan there[PAIRS] = [5] of { mtype };
chan back[PAIRS] = [5] of { mtype };

proctype A(byte i) { do :: there[i]!a; there[i]!b; back[i]?c od }
proctype B(byte i) { do :: there[i]?a; there[i]?b; back[i]!c od }

init {
	byte i;
	atomic { do :: i < PAIRS -> run A(i); run B(i); i++ :: else -> break od }
}
