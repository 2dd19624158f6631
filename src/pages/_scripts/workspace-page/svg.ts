type Attributes = Record<string, string | number | undefined>;

/** An element of a picture, with attributes and children. */
export function svg(tag: string, attributes: Attributes = {}, ...children: (Node | string)[]): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

const toPercent = (part: number) => `${(Math.max(0, Math.min(1, part)) * 100).toFixed(2)}%`;

/** A bar that is filled from the left by parts of the whole; each part has a class of its own. */
export function drawBar(parts: { part: number; class?: string }[], height = 8): SVGElement {
  let before = 0;
  const filled = parts.map(({ part, class: name = '' }) => {
    const x = before;
    before += part;
    return svg('rect', { class: `filled ${name}`, x: toPercent(x), width: toPercent(part), height });
  });
  const whole = svg('rect', { class: 'whole', width: '100%', height });
  return svg('svg', { class: 'bar', width: '100%', height, 'aria-hidden': 'true' }, whole, ...filled);
}
