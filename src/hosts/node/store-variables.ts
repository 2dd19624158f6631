import { toStoreUrl, toWhole } from './setting-readers.ts';

/** The environment variables that say where several instances keep workspaces. */
export const storeVariables = {
  STORE_URL: {
    fallback: '',
    unit: 'URL',
    meaning:
      'Redis or Valkey for several instances: redis://[USER:PASSWORD@]HOST:PORT[/DB], redis-cluster://HOST:PORT,HOST:PORT, redis-sentinel://HOST:PORT,HOST:PORT/MASTER-NAME[/DB]; rediss in place of redis is with TLS. Empty keeps workspaces in DATA_DIR.',
    read: toStoreUrl,
  },
  STORE_REPLICAS: {
    fallback: 0,
    unit: 'replicas',
    meaning:
      'With STORE_URL: how many replicas have a write before it is answered, so that a failover to one of them loses none.',
    read: toWhole(0, 100),
  },
};
