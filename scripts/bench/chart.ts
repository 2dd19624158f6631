import { toMachineText } from './machine.ts';
import { type Report, toGoalRows } from './report.ts';

const rowHeight = 22;
const labelWidth = 330;
const barWidth = 360;
const noteWidth = 310;
const top = 44;
/** How many times a goal the right edge stands for. */
const edge = 2;

const toMarkup = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** One bar a goal: how many times it was reached, with a line where it is met. SVG, for light and dark. */
export function toChart(report: Report): string {
  const rows = toGoalRows(report).filter(({ what }) => !what.endsWith('LOG=off'));
  const width = labelWidth + barWidth + noteWidth;
  const height = top + rows.length * rowHeight + 34;
  const goalX = labelWidth + barWidth / edge;
  const bars = rows.map(({ what, goal, reached, met, share }, index) => {
    const y = top + index * rowHeight;
    const length = Math.max(2, (Math.min(share, edge) / edge) * barWidth);
    const note = `${reached.replace(/ .*/, '')} (goal ${goal})`;
    return `<text x="${labelWidth - 8}" y="${y + 14}" text-anchor="end">${toMarkup(what)}</text>
<rect x="${labelWidth}" y="${y + 3}" width="${length.toFixed(1)}" height="${rowHeight - 7}" class="${met ? 'met' : 'missed'}"/>
<text x="${labelWidth + barWidth + 8}" y="${y + 14}" class="note">${toMarkup(note)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" role="img">
<title>How far each goal of speed was reached</title>
<style>
text { fill: #1f2328 } .note { fill: #59636e } .met { fill: #1a7f5a } .missed { fill: #c4432b } line { stroke: #1f2328 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .note { fill: #9198a1 } .met { fill: #3fb98a } .missed { fill: #f0725c } line { stroke: #e6edf3 } }
</style>
<text x="${goalX}" y="18" text-anchor="middle" font-weight="600">goal</text>
<text x="${labelWidth + barWidth}" y="18" text-anchor="end" class="note">${edge} times and more</text>
${bars.join('\n')}
<line x1="${goalX}" y1="26" x2="${goalX}" y2="${top + rows.length * rowHeight}"/>
<text x="8" y="${height - 10}" class="note" font-size="10">${toMarkup(toMachineText(report.machine))}</text>
</svg>
`;
}
