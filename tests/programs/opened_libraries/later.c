/* Asks for what another library has that is opened for all. */
extern int call(int);
extern int variable;

int call_later(void) { return call(1000) + variable; }
