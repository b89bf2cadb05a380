/** The CORS headers of a fix as code to paste, for the frameworks that MCP servers are written with. */

interface CorsCode {
  readonly framework: string;
  readonly code: string;
}

/** @param paste the headers, one on each line */
export function corsCode(paste: string): readonly CorsCode[] {
  const headers = new Map(
    paste.split('\n').flatMap((line) => {
      const at = line.indexOf(':');
      return at < 0 ? [] : [[line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()] as const];
    }),
  );
  const origin = headers.get('access-control-allow-origin');
  if (origin === undefined) return [];
  const list = (name: string): readonly string[] =>
    (headers.get(`access-control-${name}`) ?? '').split(',').flatMap((one) => one.trim() || []);
  const [methods, allowed, exposed] = [list('allow-methods'), list('allow-headers'), list('expose-headers')];
  const json = (values: readonly string[]): string => JSON.stringify(values).replaceAll(',', ', ');
  const options = (indent: string): string =>
    [
      `origin: ${JSON.stringify(origin)},`,
      `allowedHeaders: ${json(allowed)},`,
      `exposedHeaders: ${json(exposed)},`,
    ].join(`\n${indent}`);
  return [
    {
      framework: 'Express',
      code: `import cors from 'cors';\n\napp.use(cors({\n  ${options('  ')}\n}));`,
    },
    {
      framework: 'Hono',
      code: `import { cors } from 'hono/cors';\n\napp.use('/mcp', cors({\n  origin: ${JSON.stringify(origin)},\n  allowMethods: ${json(methods)},\n  allowHeaders: ${json(allowed)},\n  exposeHeaders: ${json(exposed)},\n}));`,
    },
    {
      framework: 'FastMCP (Python)',
      code: `from starlette.middleware import Middleware\nfrom starlette.middleware.cors import CORSMiddleware\n\napp = mcp.http_app(middleware=[Middleware(\n    CORSMiddleware,\n    allow_origins=[${JSON.stringify(origin)}],\n    allow_methods=${json(methods)},\n    allow_headers=${json(allowed)},\n    expose_headers=${json(exposed)},\n)])`,
    },
    {
      framework: 'FastMCP (TypeScript)',
      code: `await server.start({\n  transportType: 'httpStream',\n  httpStream: {\n    port: 8080,\n    cors: {\n      origin: ${JSON.stringify(origin)},\n      methods: ${json(methods)},\n      allowedHeaders: ${json(allowed)},\n      exposedHeaders: ${json(exposed)},\n    },\n  },\n});`,
    },
    {
      framework: 'Cloudflare',
      code: `export default MyMCP.serve('/mcp', {\n  corsOptions: {\n    origin: ${JSON.stringify(origin)},\n    methods: ${JSON.stringify(methods.join(', '))},\n    headers: ${JSON.stringify(allowed.join(', '))},\n    exposeHeaders: ${JSON.stringify(exposed.join(', '))},\n  },\n});`,
    },
    {
      framework: 'Go',
      code: `handler := cors.New(cors.Options{ // github.com/rs/cors\n\tAllowedOrigins: []string{${JSON.stringify(origin)}},\n\tAllowedMethods: []string{${json(methods).slice(1, -1)}},\n\tAllowedHeaders: []string{${json(allowed).slice(1, -1)}},\n\tExposedHeaders: []string{${json(exposed).slice(1, -1)}},\n}).Handler(mcpHandler)`,
    },
    {
      framework: 'C#',
      code: `builder.Services.AddCors(options => options.AddDefaultPolicy(policy => policy\n    .WithOrigins(${JSON.stringify(origin)})\n    .WithMethods(${json(methods).slice(1, -1)})\n    .WithHeaders(${json(allowed).slice(1, -1)})\n    .WithExposedHeaders(${json(exposed).slice(1, -1)})));\n\napp.UseCors();`,
    },
  ];
}
