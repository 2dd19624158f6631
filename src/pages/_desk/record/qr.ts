/** A link as a QR code, which a phone reads from the screen. It is loaded when the first link is shown. */
import { html, svg, type TemplateResult } from 'lit-html';
import encodeQR from 'qr';

/** The quiet zone that readers need around a code (ISO/IEC 18004), in modules. */
const border = 4;

/** Returns the dark modules of each row as one path. */
const toPath = (rows: readonly (readonly boolean[])[]): string =>
  rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');

/** Draws a link as a QR code. It is dark on white in both themes, because many readers take no other. */
export function viewQrCode(link: string): TemplateResult {
  const rows = encodeQR(link, 'raw', { border });
  return html`<figure class="qr">
    <svg viewBox=${`0 0 ${rows.length} ${rows.length}`} role="img" aria-label="QR code of this link">
      ${svg`<rect width="100%" height="100%" /><path d=${toPath(rows)} />`}</svg>
    <figcaption class="note">Or read it with the camera of a phone.</figcaption>
  </figure>`;
}
