import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { RunningServer } from './server.ts';

/** A caller who asks for /pricing again and again, one request at a time on a connection of its own. */
export interface Bystander {
  /** How many answers came so far. */
  answers(): number;
  /** Stops asking. Answers how many came, and the slowest of them in milliseconds. */
  stop(): { answers: number; slowestMs: number };
}

export function startBystander({ port }: Pick<RunningServer, 'port'>): Bystander {
  let answers = 0;
  let slowestMs = 0;
  let askedAt = 0;
  let received = '';
  const socket = connect(port, '127.0.0.1', ask);
  function ask(): void {
    askedAt = performance.now();
    received = '';
    socket.write('GET /pricing HTTP/1.1\r\nHost: a\r\n\r\n');
  }
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1');
    const [, length] = /\r\nContent-Length: (\d+)\r\n/.exec(received) ?? [];
    if (length === undefined || received.length < received.indexOf('\r\n\r\n') + 4 + Number(length)) return;
    if (!received.startsWith('HTTP/1.1 200 ')) throw new Error(received.slice(0, 200));
    answers += 1;
    slowestMs = Math.max(slowestMs, performance.now() - askedAt);
    setTimeout(ask, 5);
  });
  return {
    answers: () => answers,
    stop() {
      socket.destroy();
      return { answers, slowestMs: Math.max(slowestMs, performance.now() - askedAt) };
    },
  };
}

/** The most memory that a process ever held, in MB, as Linux counts it; undefined on other systems. */
export function readPeakMemory({ process }: Pick<RunningServer, 'process'>): number | undefined {
  try {
    const status = readFileSync(`/proc/${process.pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  } catch {
    return undefined;
  }
}

/** A connection that sends these bytes and reads as it is told. */
export interface Wire {
  socket: Socket;
  /** All that came so far. */
  text(): string;
  closed: Promise<void>;
}

export function openWire({ port }: Pick<RunningServer, 'port'>, bytes = '', address = '127.0.0.1'): Wire {
  let text = '';
  const socket = connect(port, address, () => bytes && socket.write(bytes, 'latin1'));
  socket.on('data', (chunk) => (text += chunk.toString('latin1'))).on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return { socket, text: () => text, closed };
}
