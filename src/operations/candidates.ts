import { toRecordOperations } from './records.ts';

export const candidates = toRecordOperations('candidate', {
  sample: {
    name: 'Ada Example',
    onetCode: '15-1252.00',
    skills: ['TypeScript', 'SQL'],
    metro: 'Columbus, OH',
  },
  list: {
    operationId: 'listCandidates',
    description: 'Candidates, filtered by status and occupation; those of your workspace come first.',
    tool: 'Find people for a job: filter by status "available" and an O*NET-SOC code. Get the code from listOccupations.',
  },
  create: {
    operationId: 'createCandidate',
    description:
      'Creates a candidate in your workspace. Without X-Workspace it mints an ephemeral workspace and answers its id.',
    tool: 'Add a candidate to a sandbox workspace. Without workspace a new one is minted: keep the id from the result and pass it from then on.',
  },
  get: {
    operationId: 'getCandidate',
    description: 'One candidate by id, with links to its occupation and to open job orders of its code.',
    tool: 'Read one candidate whose id you have.',
  },
});
