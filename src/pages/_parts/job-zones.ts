/** O*NET's job zones: how much preparation an occupation asks for. */
export const jobZones = [
  { zone: 1, name: 'Little or no preparation' },
  { zone: 2, name: 'Some preparation' },
  { zone: 3, name: 'Medium preparation' },
  { zone: 4, name: 'Considerable preparation' },
  { zone: 5, name: 'Extensive preparation' },
] as const;
