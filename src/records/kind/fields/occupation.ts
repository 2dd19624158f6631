import { OnetCode } from '../../../occupations/occupation.ts';
import type { Factor } from '../factor.ts';
import type { Member } from '../member.ts';

/** Two occupations are called close, or related, from this many hundredths on. */
const [close, related] = [60, 30];

const formatShare = (hundredths: number) => `${(hundredths / 100).toFixed(2)} of 1`;

const factor: Factor<string> = {
  name: 'occupation',
  compares: 'how close the two occupations are',
  points: 'Times how close the two occupations are, from 0 to 1.',
  read: ({ onetCode }) => onetCode,
  create: ({ points }, { closeness, titleOf }) => ({
    rate: (order, candidate) => Math.round((points * 4 * closeness(order, candidate)) / 100),
    explain(order, candidate) {
      const percent = closeness(order, candidate);
      const [wanted, own] = [titleOf(order), titleOf(candidate)];
      if (percent === 100) return { reason: `is of the same occupation, ${wanted}` };
      const how =
        percent >= close ? 'is close to' : percent >= related ? 'is related to' : 'is distantly related to';
      return {
        reason: `${own} ${how} ${wanted} (${formatShare(percent)})`,
        gap:
          percent === 0 ? `${own} is not related to ${wanted}` : `the order is for ${wanted}, not for ${own}`,
      };
    },
  }),
};

export const onetCode = { schema: OnetCode, factor, client: 'shown' } satisfies Member;
