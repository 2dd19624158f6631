/** Runs the built host. It stops when `serve.mjs` ends; otherwise it would keep its port and its data folder. */

// SIGINT skips the grace period of SIGTERM, because the next host is probably started at once.
process.once('disconnect', () => process.kill(process.pid, 'SIGINT'));
await import('../dist/host/main.mjs');
