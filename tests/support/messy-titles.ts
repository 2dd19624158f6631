import { readTitles } from './everyday-titles.ts';

/** Titles as advertisements write them, collected by hand. */
export const messyTitles = readTitles('messy-titles.tsv');
