import { SqliteStore } from '../../../src/stores/sqlite.ts';
import { testStore } from '../../support/store-contract.ts';

testStore('a store in memory', () => new SqliteStore(':memory:'));
