const tones: Record<string, string> = {
  available: 'is-ok',
  open: 'is-ok',
  proposed: 'stage-proposed',
  interviewing: 'stage-interviewing',
  offered: 'stage-offered',
  scheduled: 'stage-scheduled',
  active: 'stage-active',
  'ended-early': 'is-blocked',
};

/** Returns the CSS class of a record's status. Each stage of a placement has its own hue, and what is over has none. */
export const toStatusTone = (status: string): string => tones[status] ?? 'is-empty';
