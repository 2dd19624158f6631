/** Lines of icons in a square of 24: the attribute `d` of their path. */
export const iconPaths = {
  check: 'M4 12.5 9.5 18 20 6.5',
  cross: 'M6 6 18 18M18 6 6 18',
  question: 'M8 7.5a4 4 0 1 1 6 3.5c-1.4.8-2 1.6-2 3.5M12 20v.01',
  print: 'M7 8V3h10v5M7 17H3.5V8h17v9H17M7 14h10v7H7z',
};

export type IconName = keyof typeof iconPaths;
