/** Advice for a limit that the user set. */
export const LESS_OR_MORE = 'Lower the amount, or raise the limit with pulsetop wallet limits.';

/** Advice for a confirmation that was mistyped. */
export const TYPE_AGAIN = 'Start again and type exactly that.';

/** Advice for a step that does not fit an account. */
export const SEE_ACCOUNT = 'See where the account stands first.';
