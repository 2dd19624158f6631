import { toRecordOperations } from './records.ts';

export const jobOrders = toRecordOperations('jobOrder', {
  sample: {
    client: 'Example Works (fictional)',
    title: 'Android Developer',
    onetCode: '15-1252.00',
    billRateUsdHour: 95,
  },
  list: {
    operationId: 'listJobOrders',
    description: 'Job orders, filtered by status and occupation; those of your workspace come first.',
    tool: 'Find work for a person: filter by status "open" and an O*NET-SOC code. Get the code from listOccupations.',
  },
  create: {
    operationId: 'createJobOrder',
    description:
      'Creates a job order in your workspace. Without X-Workspace it mints an ephemeral workspace and answers its id.',
    tool: "Add a client's job order to a sandbox workspace. Without workspace a new one is minted: keep the id from the result and pass it from then on.",
  },
  get: {
    operationId: 'getJobOrder',
    description: 'One job order by id, with links to its occupation and to available candidates of its code.',
    tool: 'Read one job order whose id you have.',
  },
});
