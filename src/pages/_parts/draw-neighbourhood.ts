import type { Neighbour } from './occupations.ts';

/** A neighbour where it stands in the picture: its point, and its title beside it. */
interface DrawnNeighbour {
  neighbour: Neighbour;
  x: number;
  y: number;
  /** The title on one or two lines, and where it begins or, to the left, ends. */
  lines: string[];
  label: { x: number; y: number; anchor: 'start' | 'end' };
  /** From the point to the title. */
  lead: string;
}

interface DrawnNeighbourhood {
  width: number;
  height: number;
  middle: { x: number; y: number };
  /** Circles of equal closeness. */
  rings: { closeness: number; radius: number }[];
  neighbours: DrawnNeighbour[];
}

const width = 800;
const [nearest, farthest] = [34, 170];
/** Characters on a line of a title. */
const lineLength = 26;

/** How far from the middle a closeness stands: the closer, the nearer. */
const toRadius = (closeness: number) => nearest + (farthest - nearest) * (1 - closeness);

/** A title on two lines at most; what is left out is told by an ellipsis. */
function toLines(title: string): string[] {
  const lines = [''];
  for (const word of title.split(' ')) {
    const line = `${lines.at(-1)} ${word}`.trim();
    if (line.length <= lineLength) lines[lines.length - 1] = line;
    else lines.push(word);
  }
  return lines.length <= 2 ? lines : [lines[0]!, `${lines[1]!.replace(/,$/, '')} …`];
}

/** The neighbours of an occupation around it: to the right and to the left in turn, from the top down, each as far away as it is unlike. */
export function drawNeighbourhood(neighbours: readonly Neighbour[]): DrawnNeighbourhood {
  const rows = Math.ceil(neighbours.length / 2);
  const height = Math.max(2 * farthest + 30, rows * 54);
  const middle = { x: width / 2, y: height / 2 };
  const drawn = neighbours.map((neighbour, index): DrawnNeighbour => {
    const side = index % 2 === 0 ? 1 : -1;
    const ofSide = Math.ceil((neighbours.length - (index % 2)) / 2);
    const share = ofSide === 1 ? 0 : (2 * Math.floor(index / 2)) / (ofSide - 1) - 1;
    const angle = share * 1.15;
    const radius = toRadius(neighbour.closeness);
    const [x, y] = [middle.x + side * radius * Math.cos(angle), middle.y + radius * Math.sin(angle)];
    const label = {
      x: middle.x + side * (farthest + 30),
      y: middle.y + share * (height / 2 - 30),
      anchor: side === 1 ? ('start' as const) : ('end' as const),
    };
    const round = (value: number) => Math.round(value * 10) / 10;
    return {
      neighbour,
      x: round(x),
      y: round(y),
      lines: toLines(neighbour.title),
      label: { ...label, y: round(label.y) },
      lead: `M${round(x)} ${round(y)}L${label.x - side * 8} ${round(label.y)}`,
    };
  });
  const rings = [0.75, 0.5, 0.25].map((closeness) => ({ closeness, radius: toRadius(closeness) }));
  return { width, height, middle, rings, neighbours: drawn };
}
