import { useMcp } from 'use-mcp/react';
import { run } from './hook.mjs';

run(useMcp);
