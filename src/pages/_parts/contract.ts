import { toOpenApi } from '../../documents/openapi.ts';
import { type Contract, toOperations } from '../_scripts/contract.ts';
import { service } from './ask.ts';

/** The contract as it is served at /openapi.json. */
export const contract = (await toOpenApi(service)) as unknown as Contract;

/** Its operations, in its order. */
export const contractOperations = toOperations(contract);

/** Each tag with what it is about and its operations. */
export const taggedOperations = contract.tags.map(({ name, description }) => ({
  name,
  description,
  operations: contractOperations.filter(({ tag }) => tag === name),
}));
