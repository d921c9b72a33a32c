import {createContext} from 'react';

/** Cells and lines of the screen, for windows over it. */
export const ScreenSize = createContext<{readonly columns: number; readonly rows: number}>({columns: 0, rows: 0});
