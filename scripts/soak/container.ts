/** The command of the host in the container, with a heap that fits into its 512 MiB. */
export const containerCommand = [
  process.execPath,
  '--max-semi-space-size=8',
  '--heap-growing-percent=30',
  '--max-old-space-size=384',
  'dist/host/main.mjs',
];

/** What the container sets besides the settings of the service. */
export const containerEnv = { MALLOC_ARENA_MAX: '1' };
