import type { Exchange } from './conversation.ts';

/** A box of the picture: where it stands, and the baselines of its lines. */
interface Card {
  x: number;
  y: number;
  width: number;
  height: number;
  lines: { y: number; text: string }[];
}

interface DrawnExchange {
  exchange: Exchange;
  title: { x: number; y: number };
  request: Card;
  reply: Card;
  /** Path of the arrow from request to reply. */
  forth: string;
  /** Path from the reply to the next request, and where it tells what it carries. */
  back: { path: string; x: number; y: number } | undefined;
}

interface Drawing {
  width: number;
  height: number;
  exchanges: DrawnExchange[];
}

const lineHeight = 18;
const padding = 14;

function toCard(x: number, y: number, width: number, texts: string[], height?: number): Card {
  const own = texts.length * lineHeight + padding * 2 - 4;
  return {
    x,
    y,
    width,
    height: height ?? own,
    lines: texts.map((text, index) => ({ y: y + padding + 11 + index * lineHeight, text })),
  };
}

const replyTexts = ({ status, type, reply }: Exchange) => [`${status} ${type}`, ...reply];

/** Side by side: requests to the left, answers to the right, what is carried over runs back between them. */
export function drawWide(exchanges: Exchange[]): Drawing {
  const width = 1040;
  const cardWidth = 400;
  const right = width - cardWidth;
  const drawn: DrawnExchange[] = [];
  let y = 0;
  for (const [index, exchange] of exchanges.entries()) {
    const top = y + 24;
    const lines = Math.max(exchange.request.length, replyTexts(exchange).length);
    const height = lines * lineHeight + padding * 2 - 4;
    const middle = top + height / 2;
    const bottom = top + height;
    const isLast = index === exchanges.length - 1;
    drawn.push({
      exchange,
      title: { x: 0, y: y + 14 },
      request: toCard(0, top, cardWidth, exchange.request, height),
      reply: toCard(right, top, cardWidth, replyTexts(exchange), height),
      forth: `M${cardWidth + 8} ${middle}H${right - 10}`,
      back:
        exchange.carries && !isLast
          ? {
              path: `M${right + 40} ${bottom}v14q0 12 -12 12H${cardWidth - 28}q-12 0 -12 12v8`,
              x: width / 2,
              y: bottom + 30,
            }
          : undefined,
    });
    y = bottom + (exchange.carries ? 26 : 22);
  }
  return { width, height: y - 20, exchanges: drawn };
}

/** One under the other, for a narrow screen. */
export function drawNarrow(exchanges: Exchange[]): Drawing {
  const width = 340;
  const drawn: DrawnExchange[] = [];
  let y = 0;
  for (const exchange of exchanges) {
    const request = toCard(0, y + 24, width, exchange.request);
    const replyTop = request.y + request.height + 22;
    const reply = toCard(0, replyTop, width, replyTexts(exchange));
    const bottom = reply.y + reply.height;
    drawn.push({
      exchange,
      title: { x: 0, y: y + 14 },
      request,
      reply,
      forth: `M24 ${request.y + request.height + 4}v12`,
      back: exchange.carries ? { path: `M24 ${bottom + 2}v20`, x: 36, y: bottom + 17 } : undefined,
    });
    y = bottom + 30;
  }
  return { width, height: y - 28, exchanges: drawn };
}
