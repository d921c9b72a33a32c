/** The first steps of a newcomer: their texts, keys in braces. Any key may be pressed meanwhile. */
export const TOUR_STEPS = [
	'{cursor.down} marks a token and freezes the order, {detail.open} opens it, Esc: live',
	'{sort.menu} sorts, {filter.edit} filters (age<10m dev<10%), {search.open} searches, {column.next} next column',
	'{help.open} explains every mark and key, {palette.open} finds any action, {alerts.open} alerts',
] as const;
