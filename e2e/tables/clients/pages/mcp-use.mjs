import { useMcp } from 'mcp-use/react';
import { run } from './hook.mjs';

run(useMcp);
