import type {ReactNode} from 'react';
import {chainName} from '../../chains/chains.ts';
import {cellWidth, clean, middleEllipsis} from '../../text.ts';
import {formatUnits} from '../../trading/decimal.ts';
import {Fact, LABEL} from '../live/fact.tsx';
import {Choice, Field} from '../live/field.tsx';
import {Line, useWidth} from '../live/lines.tsx';
import {Paragraph} from '../live/paragraph.tsx';
import {AMOUNT_HINT} from './amount.ts';
import {endsOf, isGood} from './bridge-form.ts';
import type {FormBodyProps, StatusFactsProps} from './money-part.ts';
import type {BridgeWindow} from './money-state.ts';
import {tokenTexts} from './token-texts.ts';
import {Deadline, TransferIds} from './transfer-facts.tsx';

/** The form of a transfer. */
export function BridgeFormBody({window: {form}, wallet: {address, mode}}: FormBodyProps<BridgeWindow>): ReactNode {
	const own = ownText(useWidth() - LABEL, address);
	const ends = endsOf(form);
	if (!ends) {
		return (
			<Paragraph
				tone="warn"
				text={
					mode === 'practice'
						? 'The practice chains have no token that can be bridged.'
						: 'No token is configured: name those that you use under [wallet] tokens = ["evm:8453:0x..."], and a node for each chain under [rpc].'
				}
			/>
		);
	}
	const {field, amount, recipient} = form;
	return (
		<>
			<Choice label="you send" texts={tokenTexts(ends[0])} isActive={field === 'from'} />
			<Field label="amount" edit={amount} isActive={field === 'amount'} hint={AMOUNT_HINT} />
			<Choice label="you receive" texts={tokenTexts(ends[1])} isActive={field === 'to'} />
			<Field label="recipient" edit={recipient} isActive={field === 'recipient'} hint={own} />
			<Line />
			<Paragraph tone="dim" text="Tab: next line. Arrow keys: choose. Enter: get a quote; nothing is signed yet." />
		</>
	);
}

/** Where the tokens go unless another address is typed: to the wallet itself, named whole where there is room. */
function ownText(room: number, address = ''): string {
	const whole = `this wallet, ${address}`;
	return cellWidth(whole) < room ? whole : `this wallet, ${middleEllipsis(address, Math.max(room - 14, 9))}`;
}

/** The amounts that left and arrive, as far as this run requested them, and the ids to look them up. */
export function TransferFacts({window, nowMs}: StatusFactsProps<BridgeWindow>): ReactNode {
	return (
		<>
			<Line />
			<Amounts window={window} nowMs={nowMs} />
			<TransferIds state={window.view.state} />
		</>
	);
}

function Amounts({window: {view, form}, nowMs}: StatusFactsProps<BridgeWindow>): ReactNode {
	const {quoted, state} = view;
	if (!quoted) return null;
	const {request, quote} = quoted;
	const address = request.destinationToken?.toLowerCase();
	const token = form.destinations.find(
		other => other.chainId === request.destinationChainId && other.address.toLowerCase() === address,
	);
	const symbol = token ? ` ${clean(token.symbol, {maxCells: 12})}` : '';
	const isThere = isGood(state);
	// The amount on the destination chain is exact; without it there is only the estimate of the quote.
	const shown = isThere && token && state.arrivedRaw !== undefined;
	const amount = shown
		? formatUnits(BigInt(state.arrivedRaw!), token.decimals)
		: `about ${clean(quote.estimatedAmountOut, {maxCells: 48})}`;
	const arrived = `${amount}${symbol} on ${chainName(request.destinationChainId)}${isThere && !shown ? ', says the service' : ''}`;
	const sent = `${formatUnits(request.amountRaw, request.decimals)} ${request.symbol} on ${chainName(request.originChainId)}`;
	return (
		<>
			<Fact label={isThere ? 'you sent' : 'you send'}>{sent}</Fact>
			<Fact label={isThere ? 'you received' : 'you receive'} tone={isThere ? 'strong' : 'text'}>
				{arrived}
			</Fact>
			<Deadline view={view} nowMs={nowMs} />
		</>
	);
}
