import type {ReactNode} from 'react';
import {Line, Text, useDisplay} from './lines.tsx';

interface AnswersProps {
	readonly answer: 'cancel' | 'sign';
	/** The answer that changes nothing. */
	readonly keep?: string;
	readonly sign: string;
	/** Whether the answer that signs counts now. */
	readonly isPossible?: boolean;
}

/** The answer that changes nothing and the one that signs; the one that Enter gives is marked. */
export function Answers({answer, keep = 'Cancel', sign, isPossible = true}: AnswersProps): ReactNode {
	return (
		<Line>
			<Answer text={keep} isChosen={answer === 'cancel'} tone="text" />
			{'   '}
			<Answer text={sign} isChosen={answer === 'sign'} tone={isPossible ? 'bad' : 'faint'} />
		</Line>
	);
}

interface AnswerProps {
	readonly text: string;
	readonly isChosen: boolean;
	readonly tone: 'text' | 'bad' | 'faint';
}

function Answer({text, isChosen, tone}: AnswerProps): ReactNode {
	const look = useDisplay().theme.tones[tone];
	return isChosen ? (
		<Text style={{...look, inverse: true}}>{` [ ${text} ] `}</Text>
	) : (
		<Text style={look}>{`   ${text}   `}</Text>
	);
}
