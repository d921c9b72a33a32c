/** What can be done about a limit that the person set. */
export const LESS_OR_MORE = 'Lower the amount, or raise the limit with pulsetop wallet limits.';

/** What can be done when a confirmation was not typed as it should be. */
export const TYPE_AGAIN = 'Start again and type exactly that.';

/** What can be done about a step that does not fit an account. */
export const SEE_ACCOUNT = 'See where the account stands first.';
