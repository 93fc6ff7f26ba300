import type { Socket } from 'node:net';

const operatorsConnections = new WeakSet<Socket>();
/** What each port serves where there are two: route patterns, or addresses where no route was found. */
const FOR_EVERYBODY = /^\/(?:hooks|v1|feed)(?:[/?]|$)/i;
const ON_BOTH = /^\/health(?:[/?]|$)/i;

/** The connection was made to the operators' own port. */
export function markOperatorsConnection(socket: Socket): void {
  operatorsConnections.add(socket);
}

export function isOperatorsConnection(socket: Socket): boolean {
  return operatorsConnections.has(socket);
}

/** Whether the port that a connection was made to serves this route: whatever is not named is for operators. */
export function isServedTo(socket: Socket, route: string): boolean {
  if (ON_BOTH.test(route)) return true;
  return FOR_EVERYBODY.test(route) !== isOperatorsConnection(socket);
}
