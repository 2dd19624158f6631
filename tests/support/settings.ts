/** Settings of a service in this process, without a host. */
export const settings = {
  baseUrl: 'http://localhost:4321',
  retentionSeconds: 3600,
  recordCeiling: 10,
  meter: 'on',
  claimedRetentionSeconds: 7200,
  claimedRecordCeiling: 100,
  workBits: 8,
  ladder: true,
  contact: undefined,
  allowedOrigins: [],
  declareTestSuite: false,
  live: true,
} as const;
