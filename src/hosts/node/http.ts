/**
 * An import of node:http from an ES module reads every export, and with WebSocket loads the whole of fetch: 30 ms
 * and 16 MB that are not used here.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
