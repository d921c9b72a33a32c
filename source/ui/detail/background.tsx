import type {ReactNode} from 'react';
import {urlText} from '../../monitor/links/safe-url.ts';
import {ownLinks, type TokenLink} from '../../monitor/links/token-links.ts';
import {fitTo, truncate} from '../../text.ts';
import {withKeys} from '../keymap/key-texts.ts';
import {Line, Text, useDisplay, useWidth} from '../live/lines.tsx';
import {Paragraph} from '../live/paragraph.tsx';
import {CutLine, Heading, InColumns} from '../live/section.tsx';
import {tokenCommand} from '../shell-commands.ts';
import {FLAGS} from './risk-bars.tsx';
import type {SectionProps} from './section-props.ts';
import {otherTokens} from './warnings.tsx';

/** The contract's flags; what was not reported is not safe. */
export function Security({model, detail: {entry}}: SectionProps): ReactNode {
	const {glyphs} = model;
	const {security, security_score: score} = entry;
	const note = score === undefined ? '' : `the service’s score ${Math.round(score)}, higher is safer`;
	const heading = <Heading title="SECURITY" note={note} />;
	if (security === undefined) {
		return (
			<>
				{heading}
				<Line>
					<Text tone="dim">not reported: unknown is not safe</Text>
				</Line>
			</>
		);
	}
	const flags = FLAGS.map(([flag, set, unset, goodWhen]) => {
		const value = security[flag];
		if (value === undefined) return <Text key={flag} tone="faint">{`? ${set}`}</Text>;
		const isGood = value === goodWhen;
		return (
			<Text key={flag} tone={isGood ? 'good' : 'bad'}>
				{`${isGood ? glyphs.check : glyphs.cross} ${value ? set : unset}`}
			</Text>
		);
	});
	const taxes = [
		['buy tax', security.buyTax],
		['sell tax', security.sellTax],
		['locked', security.locked],
		['burnt', security.burnRate],
	] as const;
	const known = taxes.flatMap(([name, value]) =>
		value === undefined
			? []
			: [
					<>
						<Text tone="dim">{`  ${name} `}</Text>
						<Text tone="text">{value}</Text>
					</>,
				],
	);
	return (
		<>
			{heading}
			<InColumns parts={[...flags, ...known]} columnWidth={28} />
		</>
	);
}

/** The token's own pages, unshortened: the links menu opens them, as does a click where the terminal makes links of text. */
export function Links({model, detail: {entry}}: SectionProps): ReactNode {
	const width = useWidth();
	const own = ownLinks(entry);
	const reuses = entry.twitter_reuses_count ?? 0;
	const renames = entry.twitterRenames ?? [];
	const {live_status: live, livestream_title: title = ''} = entry;
	return (
		<>
			<Heading title="LINKS" note={withKeys('{links.list}: open', model.keys, model.glyphs.subscripts === '')} />
			{own.map(link => (
				<LinkLine key={link.name} link={link} />
			))}
			{own.length === 0 && (
				<Line>
					<Text tone="dim">no links reported</Text>
				</Line>
			)}
			{reuses > 0 && (
				<Line>
					<Text tone="warn">Twitter account also used by {otherTokens(reuses)}</Text>
				</Line>
			)}
			{renames.length > 0 && (
				<Line>
					<Text tone="warn">{truncate(`renamed before: ${renames.map(r => r.username).join(', ')}`, width)}</Text>
				</Line>
			)}
			{live !== undefined && (
				<Line>
					<Text tone="accent">{truncate(`livestream ${live} ${title}`, width)}</Text>
				</Line>
			)}
		</>
	);
}

function LinkLine({link: {name, text, url}}: {readonly link: TokenLink}): ReactNode {
	const width = useWidth();
	const {theme} = useDisplay();
	const label = <Text tone="dim">{fitTo(name, 13)}</Text>;
	if (!url.ok) {
		return (
			<CutLine>
				{label}
				<Text tone="faint">{truncate(text, Math.max(width - 50, 10))}</Text>
				<Text tone="warn"> not opened: {url.why}</Text>
			</CutLine>
		);
	}
	return (
		<Line>
			{label}
			<Text style={{...theme.tones.text, link: url.href}}>{truncate(urlText(url), width - 13)}</Text>
		</Line>
	);
}

/** The token's own description. */
export function About({detail: {entry}}: SectionProps): ReactNode {
	if (entry.description === undefined) return null;
	return (
		<>
			<Heading title="ABOUT" />
			<Paragraph text={entry.description} tone="text" />
		</>
	);
}

/** The command that prints the same data in a shell. */
export function ShellCommand({model, detail: {entry}}: SectionProps): ReactNode {
	const key = withKeys('{links.list}: copy', model.keys, model.glyphs.subscripts === '');
	return (
		<>
			<Heading title="IN A SHELL" note={key} />
			<Paragraph text={tokenCommand(entry)} tone="text" />
		</>
	);
}
