import { connect } from './http.ts';
import { useServer } from './server.ts';

/** The host that all test files of a process share, and a client of it. */
export const server = await useServer();
export const client = await connect(server.origin);
