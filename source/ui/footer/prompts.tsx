import type {ReactNode} from 'react';
import type {Mode, ModeKind, ModeOf} from '../../monitor/mode.ts';
import {FilterPrompt} from '../features/filter/filter-prompt.tsx';
import {RewindLine} from '../features/rewind/rewind-line.tsx';
import {SlotLine} from '../features/saved-views/slot-line.tsx';
import {TypedLine} from '../live/typed-line.tsx';
import type {ViewModel} from '../view-model.ts';

interface PromptProps<Kind extends ModeKind = ModeKind> {
	readonly model: ViewModel;
	readonly mode: ModeOf<Kind>;
}

type Prompts = {readonly [Kind in ModeKind]?: (props: PromptProps<Kind>) => ReactNode};

const HIDE_LABELS: Readonly<Record<ModeOf<'hidePrompt'>['purpose'], string>> = {
	keyword: ' hide tokens with: ',
	import: ' list or file to import: ',
	export: ' write the list to: ',
};

/** The component of each mode that has lines of its own above the hints; `promptRows` of the mode is how many. */
const PROMPTS: Prompts = {
	alertRule: ({model, mode: {where, edit}}) => {
		const label = ` alert in ${where === 'all' ? 'any column' : where}: `;
		return <FilterPrompt model={model} label={label} edit={edit} done="{prompt.accept} adds it" />;
	},
	filter: ({model, mode}) => <FilterPrompt model={model} label={` filter ${model.state.focus}: `} edit={mode.edit} />,
	hidePrompt: ({mode: {purpose, edit}}) => <TypedLine label={HIDE_LABELS[purpose]} edit={edit} />,
	presetImport: ({mode}) => <TypedLine label=" paste a view: " edit={mode.edit} />,
	presetName: ({mode: {slot, edit}}) => <TypedLine label={` name of view ${slot}: `} edit={edit} />,
	rewind: RewindLine,
	search: ({model, mode}) => <TypedLine label={` search ${model.state.focus} /`} edit={mode.edit} />,
	slot: SlotLine,
};

/** The lines above the hints of the mode that has the keyboard. */
export function Prompt({model, mode}: {readonly model: ViewModel; readonly mode: Mode}): ReactNode {
	const Lines = PROMPTS[mode.kind] as ((props: PromptProps) => ReactNode) | undefined;
	return Lines && <Lines model={model} mode={mode} />;
}
