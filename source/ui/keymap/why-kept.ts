import type {MonitorState} from '../../monitor/state.ts';
import type {BindingSpec, Need} from './binding.ts';

/** Why an action that needs something of the host does nothing for a viewer; names of actions in braces are their keys. */
const OVER_SSH: Readonly<Record<Need, string>> = {
	money: 'not over this connection; to trade: npm install -g pulsetop',
	files: 'no files here: {hidden.copy} copies the list, a paste imports it',
	operator: 'only for the operator of this host',
	shell: 'there is no shell here; {program.quit} leaves',
};

/** Why the keys of this screen leave an action out, in words for a line of a menu; undefined where they have the action. */
export function whyKept(
	{danger, needs}: Pick<BindingSpec<never>, 'danger' | 'needs'>,
	{readOnly, visit, service}: Pick<MonitorState, 'readOnly' | 'visit' | 'service'>,
): string | undefined {
	if (visit && needs) return OVER_SSH[needs];
	if (danger && readOnly) return service.recording ? 'not in a recording' : 'not in read-only mode';
	return undefined;
}
