import type { Socket } from 'node:net';

/** The live requests that are not answered yet, counted by their connection. */
export interface InFlight {
  begin(socket: Socket): void;
  end(socket: Socket): void;
  has(socket: Socket): boolean;
  count(): number;
}

/**
 * Holds connections and not the requests on them: a table that grew old keeps what it ever held until a full
 * collection, and the one that replaced it with all that holds.
 */
export function createInFlight(): InFlight {
  const counts = new Map<Socket, number>();
  return {
    begin: (socket) => void counts.set(socket, (counts.get(socket) ?? 0) + 1),
    end(socket) {
      const left = (counts.get(socket) ?? 0) - 1;
      if (left > 0) counts.set(socket, left);
      else counts.delete(socket);
    },
    has: (socket) => counts.has(socket),
    count: () => [...counts.values()].reduce((sum, one) => sum + one, 0),
  };
}
