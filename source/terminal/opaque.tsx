import {Box, type BoxProps, type DOMElement} from 'ink';
import {type ReactNode, useLayoutEffect, useRef} from 'react';
import {useScreen} from './screen-context.ts';

/**
 * A background that is no colour. Ink fills a box that has a background with blanks, and gives a colour that it doesn't know
 * no codes: so the box erases what is below it and keeps the terminal's own background.
 */
const NO_COLOR = 'none';

/**
 * A box through which nothing shows: neither what Ink drew below it nor live rows. Every modal and menu that lies over
 * something is one. Takes the props of <Box>; with a `backgroundColor` it is filled with that.
 */
export function Opaque({children, backgroundColor, ...box}: BoxProps & {readonly children?: ReactNode}): ReactNode {
	const screen = useScreen();
	const node = useRef<DOMElement>(null);
	useLayoutEffect(() => {
		if (screen === undefined || node.current === null) return;
		const cover = screen.addCover(node.current);
		return () => cover.remove();
	}, [screen]);
	return (
		<Box ref={node} backgroundColor={backgroundColor ?? NO_COLOR} {...box}>
			{children}
		</Box>
	);
}
