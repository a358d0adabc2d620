/** Measures of the picture in px: as wide as an e-mail. */
export const WIDTH = 640;
export const MARGIN = 36;
export const LEFT = MARGIN;
export const RIGHT = WIDTH - MARGIN;
export const INNER = RIGHT - LEFT;

/** A part of the picture, drawn from `top` downwards, and how high it came out. */
export type Part = { svg: string; height: number };
