import {createContext, useContext} from 'react';
import type {LiveScreen} from './live-screen.ts';

/** The screen that Ink draws on; undefined where Ink draws by itself (component tests, pipes, screen readers). */
export const ScreenContext = createContext<LiveScreen | undefined>(undefined);

/** The live screen above this component, if there is one. */
export function useScreen(): LiveScreen | undefined {
	return useContext(ScreenContext);
}
