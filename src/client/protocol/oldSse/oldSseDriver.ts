/** 2024-11-05, HTTP+SSE (deprecated): requests as in any session, and nothing that could be resumed. */
import { SessionDriver } from '../sessionDriver.ts';

export class OldSseDriver extends SessionDriver {
  override readonly hasEventIds = false;
}
