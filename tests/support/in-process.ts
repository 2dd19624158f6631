import { World } from './world.ts';

/** A service that all test files of a process share, at the time of its start, for rules that need no clock of their own. */
export const client = new World();
