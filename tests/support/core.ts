import type { Reply } from './http.ts';
import { World, type WorldParts } from './world.ts';

const makeCore = (parts?: WorldParts): World => new World(parts);

export type { Reply as Told };
export { makeCore };
