/** A connection as the follower of tasks needs it. */
import { objectField } from '../../base/json.ts';
import type { Connection } from '../link/connection.ts';
import type { TaskConnection } from './taskFollower.ts';

export function taskConnection(connection: Connection): TaskConnection {
  return {
    generation: connection.driver.tasks,
    callFacts: connection.driver.callFacts,
    capabilities: objectField(connection.session.handshake.capabilities, 'tasks') ?? {},
    ask: (id, method, params, timeoutMs) => connection.ask(id, method, params, timeoutMs),
    askAtLength: (id, method, params) => connection.askAtLength(id, method, params),
    resumeAnswer: (id, cursor) => connection.resumeAnswer(id, cursor),
  };
}
