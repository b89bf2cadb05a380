// MCP-Nest: a NestJS application, its decorators applied by hand.
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, Payload } from '@nestjs/microservices';
import { McpController, McpStrategy, StreamableHttpTransport, Tool } from '@rekog/mcp-nest';
import { z } from 'zod';
import { count, PORT, STEPS } from './count.mjs';

class CountController {
  count(_input, context) {
    return count((step) => context.reportProgress({ progress: step, total: STEPS }));
  }
}
const method = Object.getOwnPropertyDescriptor(CountController.prototype, 'count');
Payload()(CountController.prototype, 'count', 0);
Ctx()(CountController.prototype, 'count', 1);
const tool = Tool({ name: 'count', description: 'Counts to ten', parameters: z.object({}) });
tool(CountController.prototype, 'count', method);
McpController()(CountController);

class AppModule {}
Module({ controllers: [CountController] })(AppModule);

const mcp = new McpStrategy({
  name: 'mcp-nest',
  version: '1.0.0',
  transports: [new StreamableHttpTransport()],
});
const app = await NestFactory.create(AppModule);
mcp.setHttpAdapter(app.getHttpAdapter());
app.connectMicroservice({ strategy: mcp });
await app.startAllMicroservices();
await app.listen(PORT);
