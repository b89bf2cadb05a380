/** What is said of a server behind a bridge, in the page and in reports. Straight quotes: a terminal prints it too. */
import type { BridgeMark } from './bridgeContract.ts';

export function bridgeNote({ replay }: BridgeMark): string {
  switch (replay) {
    case 'bridge':
      return "through a bridge: the replay is the bridge's, not the server's";
    case 'server':
      return "through a bridge: the replay is the server's";
    case 'tasks':
      return "through a bridge: the tasks are the bridge's, not the server's";
    case 'none':
      return 'through a bridge: 2026-07-28 has no replay';
  }
}
