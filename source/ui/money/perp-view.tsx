import type {ReactNode} from 'react';
import {chainName} from '../../chains/chains.ts';
import {clean, fitTo, padStart} from '../../text.ts';
import type {CancelView} from '../../trading/perp/flow.ts';
import {type CancelTarget, describeTarget, EXIT_NAMES, sideOf, unreadText} from '../../trading/perp/orders.ts';
import {price, usd} from '../format.ts';
import {Fact} from '../live/fact.tsx';
import {Line, Text, useDisplay, useWidth} from '../live/lines.tsx';
import {Paragraph} from '../live/paragraph.tsx';
import {Heading} from '../live/section.tsx';
import {KnownFacts} from './known-facts.tsx';
import type {FormBodyProps, StatusFactsProps} from './money-part.ts';
import type {PerpWindow, WalletView} from './money-state.ts';

/** The orders that can be cancelled, and the marked one. */
export function Orders({window: {view, form}, wallet}: FormBodyProps<PerpWindow>): ReactNode {
	const targets = view?.targets ?? [];
	const unread = unreadText(view?.unread ?? []);
	if (targets.length === 0) return <NoOrders wallet={wallet} unread={unread} />;
	return (
		<>
			<Headings />
			{targets.map((target, at) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: an order is its place
				<Order key={at} target={target} isMarked={at === form.index} />
			))}
			{unread !== '' && <Paragraph tone="warn" text={unread} />}
			<Line />
			<Fact label="selected" tone="strong">
				{describeTarget(targets[form.index] ?? targets[0]!)}
			</Fact>
			<Line />
			<Paragraph
				tone="dim"
				text="Enter requests the payload that cancels the order. The wallet signs that request, the text api/2/perp/payloads/cancel-order-TIME with the current time; this alone cancels nothing."
			/>
		</>
	);
}

function NoOrders({
	wallet: {address, mode},
	unread,
}: {
	readonly wallet: WalletView;
	readonly unread: string;
}): ReactNode {
	return (
		<>
			{unread === '' ? (
				<Paragraph tone="text" text="This wallet has no open order, take-profit or stop-loss." />
			) : (
				<Paragraph tone="warn" text={unread} />
			)}
			<Fact label="wallet">{address ?? ''}</Fact>
			<Line />
			<Paragraph
				tone="dim"
				text={
					mode === 'practice'
						? 'To try the cancel, Enter places an order with test money: the wallet signs an approval of 100 USDC and a limit order for ETH at 1000 with take-profit and stop-loss.'
						: 'Enter reads the listing again.'
				}
			/>
		</>
	);
}

/** Cells of two columns. Otherwise the chain is cut on 80 columns. */
function useWidths(): {readonly market: number; readonly price: number} {
	return useWidth() < 78 ? {market: 11, price: 10} : {market: 13, price: 12};
}

function Headings(): ReactNode {
	const widths = useWidths();
	return (
		<Line>
			<Text tone="faint">
				{`  ${fitTo('EXCHANGE', 9)}${fitTo('MARKET', widths.market + 1)}${fitTo('SIDE', 5)}${fitTo('KIND', 13)}${padStart('SIZE', 9)}${padStart('PRICE', widths.price)}  CHAIN`}
			</Text>
		</Line>
	);
}

function Order({target, isMarked}: {readonly target: CancelTarget; readonly isMarked: boolean}): ReactNode {
	const {cursor, subscripts} = useDisplay().glyphs;
	const widths = useWidths();
	const side = sideOf(target);
	const kind = target.orderType === 'order' ? target.kind.toLowerCase() : EXIT_NAMES[target.orderType];
	const tone = isMarked ? 'strong' : 'text';
	return (
		<Line>
			<Text tone="accent">{isMarked ? `${cursor} ` : '  '}</Text>
			<Text tone={tone}>{`${fitTo(target.dex, 9)}${fitTo(clean(target.marketId), widths.market)} `}</Text>
			<Text tone={side === 'BUY' ? 'up' : side === 'SELL' ? 'down' : 'text'}>{fitTo(clean(side ?? '?'), 5)}</Text>
			<Text tone={tone}>
				{`${fitTo(clean(kind), 13)}${padStart(usd(target.sizeUSD), 9)}${padStart(price(target.price, {subscripts}), widths.price)}`}
			</Text>
			<Text tone="dim">{`  ${chainName(target.chainId)}`}</Text>
		</Line>
	);
}

/** The order that is cancelled, and where the cancel can be looked up. */
export function CancelFacts({window: {view}}: StatusFactsProps<PerpWindow>): ReactNode {
	const {plan, state} = view;
	return (
		<>
			{plan && (
				<>
					<Line />
					<Fact label="order">{describeTarget(plan.target)}</Fact>
				</>
			)}
			<KnownFacts facts={{hash: state.txHash, message: state.said}} />
		</>
	);
}

/** The texts that the wallet has signed for this cancel so far. */
export function SignedTexts({view: {signed}}: {readonly view: CancelView}): ReactNode {
	if (signed.length === 0) return null;
	return (
		<>
			<Line />
			<Heading title="Signed" />
			{signed.map(({what, text}) => [
				<Paragraph key={text} tone="dim" text={what} />,
				<Fact key={`${text} text`} label="">
					{clean(text, {maxLength: 2000})}
				</Fact>,
			])}
		</>
	);
}
