import { OnetCode } from '../../occupations/occupation.ts';
import type { Factor } from '../factor.ts';
import type { Member } from '../kind.ts';

/** From so many hundredths on, two occupations are called close, and related. */
const [close, related] = [60, 30];

const toShare = (hundredths: number) => `${(hundredths / 100).toFixed(2)} of 1`;

const factor: Factor<string> = {
  name: 'occupation',
  compares: 'how close the two occupations are',
  points: 'Times how close the two occupations are, from 0 to 1.',
  read: ({ onetCode }) => onetCode,
  create: ({ points }, { closeness, titleOf }) => ({
    rate: (order, candidate) => Math.round((points * 4 * closeness(order, candidate)) / 100),
    explain(order, candidate) {
      const near = closeness(order, candidate);
      const [asked, own] = [titleOf(order), titleOf(candidate)];
      if (near === 100) return { reason: `is of the same occupation, ${asked}` };
      const how =
        near >= close ? 'is close to' : near >= related ? 'is related to' : 'is distantly related to';
      return {
        reason: `${own} ${how} ${asked} (${toShare(near)})`,
        gap: near === 0 ? `${own} is not related to ${asked}` : `the order is for ${asked}, not for ${own}`,
      };
    },
  }),
};

export const onetCode = { schema: OnetCode, factor } satisfies Member;
