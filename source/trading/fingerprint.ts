/**
 * How many characters of a contract's fingerprint are typed to accept it. Apart from the pins, whose schemas nobody needs who
 * only shows the form.
 */
export const PIN_TAIL = 6;
