/**
 * How many characters of a contract's fingerprint are typed to accept the contract. Not in pins.ts: a form that shows the number
 * would load the schemas of the pins.
 */
export const PIN_TAIL = 6;
