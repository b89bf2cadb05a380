/**
 * Where the suite's command hands in its task. The suite starts a command for each scenario; starting a browser each
 * time would take longer than the scenario, so the command only submits the task here and waits.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Task } from './pageDriver.ts';

const TaskSchema = z.object({
  url: z.string(),
  scenario: z.string(),
  context: z.object({
    client_id: z.string().optional(),
    client_secret: z.string().optional(),
    toolCalls: z
      .array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }))
      .optional(),
  }),
});

export interface TaskServer {
  /** What the suite is to run; it adds the server's address. */
  readonly command: string;
  close(): void;
}

export async function openTaskServer(carryOut: (task: Task) => Promise<void>): Promise<TaskServer> {
  const server = createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const { context, ...task } = TaskSchema.parse(JSON.parse(text));
      const { client_id, client_secret, toolCalls } = context;
      const known = {
        ...(client_id !== undefined && { client_id }),
        ...(client_secret !== undefined && { client_secret }),
        ...(toolCalls !== undefined && { toolCalls }),
      };
      await carryOut({ ...task, context: known });
    })().then(
      () => response.end(),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const submitTask = fileURLToPath(new URL('./submitTask.mjs', import.meta.url));
  return {
    command: `"${process.execPath}" "${submitTask}" http://127.0.0.1:${port}`,
    close: () => void server.close(),
  };
}
